package io.rpcboot.server;

import java.util.List;
import java.util.Map;

import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.logging.RateLimitedLog;
import io.rpcboot.internal.server.connection.ServerConnection;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.server.runtime.ServerRuntime;
import io.rpcboot.internal.server.services.OfferedServices;
import io.rpcboot.internal.server.services.Offering;
import io.rpcboot.internal.transport.fixture.EmbeddedConnections;
import io.rpcboot.internal.transport.frame.BodyMemory;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.serialization.Serializer;

/**
 * A server whose connections have no socket and whose calls run in the thread that
 * delivers their bytes.
 */
public final class EmbeddedServer {

	private final ServerRuntime runtime;

	/**
	 * Create a server.
	 * @param services interfaces and what runs the calls
	 * @param serializer for all calls
	 * @param maxFrameSize largest body of a frame
	 */
	public EmbeddedServer(Map<Class<?>, Object> services, Serializer serializer, int maxFrameSize) {
		ServerOptions options = BuiltOptions.of(RpcServer.builder().maxFrameSize(maxFrameSize));
		RateLimitedLog log = new RateLimitedLog(EmbeddedServer.class.getName(), System::nanoTime);
		services.forEach((service, implementation) -> options.services.put(ServiceDescriptor.of(service),
				new Offering(() -> implementation, ServiceOptions.defaults())));
		BodyMemory memory = BodyMemory.of(options.memory, options.socket, maxFrameSize, options.maxInFlightCalls);
		this.runtime = new ServerRuntime(options, new OfferedServices(options.services, List.of(serializer),
				options.dispatch, options.share(), RpcMetrics.none(), memory.account(), log, List.of()), memory, log);
		// a closed pool runs what is published in the thread that publishes it
		this.runtime.workers.close();
	}

	/** A client connects. */
	public EmbeddedChannel connect() {
		return EmbeddedConnections.open(this.runtime.options.maxFrameSize,
				(connection) -> new ServerConnection(connection, this.runtime));
	}

	/** Calls that were begun and not ended. */
	public int callsInFlight() {
		// a channel without a socket does not say that a read was complete once it is
		// closed
		this.runtime.workers.wake();
		return this.runtime.inFlight.get();
	}

	/** Connections that were opened and not closed. */
	public int connections() {
		return this.runtime.connections.size();
	}

}
