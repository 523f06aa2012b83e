package io.rpcboot.relay;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.transport.Protocol;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;

/**
 * Builder of an {@link RpcRelay}: its port and routes, and the options of its two sides.
 * Not thread-safe.
 *
 * @since 0.1.0
 */
public final class RpcRelayBuilder {

	private static final int DEFAULT_PORT = 9090;

	private final List<RelayRoute> routes = new ArrayList<>();

	private RpcServerBuilder server = RpcServer.builder();

	private RpcClientBuilder client = RpcClient.builder();

	private int port = DEFAULT_PORT;

	RpcRelayBuilder() {
	}

	/**
	 * Sets the port for clients. Default: 9090.
	 * @param port 0 (any free port) to 65535
	 * @return this
	 * @throws RpcConfigurationException if it is out of range
	 */
	public RpcRelayBuilder port(int port) {
		RpcServer.builder().port(port); // rejects it
		this.port = port;
		return this;
	}

	/**
	 * Adds a route.
	 * @param route the route
	 * @return this
	 */
	public RpcRelayBuilder route(RelayRoute route) {
		this.routes.add(route);
		return this;
	}

	/**
	 * Sets the options of the side of the clients: address, TLS, limits, memory, metrics.
	 * Default: those of a new builder.
	 * @param options a builder without services; port, protocols and reflection do not
	 * count
	 * @return this
	 */
	public RpcRelayBuilder server(RpcServerBuilder options) {
		this.server = options;
		return this;
	}

	/**
	 * Sets the options of the side of the servers: registry, TLS, load balancer,
	 * ejection, metrics. Default: those of a new builder.
	 * @param options a builder; protocol, timeout and interceptors do not count
	 * @return this
	 */
	public RpcRelayBuilder client(RpcClientBuilder options) {
		this.client = options;
		return this;
	}

	/**
	 * Creates the relay, which connects to the servers. It does not listen before
	 * {@link RpcRelay#start()}.
	 * @return the relay
	 * @throws RpcConfigurationException if there is no route, two pass the same calls on,
	 * or an option is not supported
	 */
	public RpcRelay build() {
		if (this.routes.isEmpty()) {
			throw new RpcConfigurationException("rpc.relay.routes: none (expected: one or more)",
					"Add a route with the services that the relay passes on, or leave out rpc.relay.port.");
		}
		this.server.port(this.port).protocols(Protocol.GRPC, Protocol.CONNECT, Protocol.GRPC_WEB);
		this.server.grpc(GrpcOptions.defaults().withReflection(false));
		return new RpcRelay(List.copyOf(this.routes), this.server, this.client.protocol(Protocol.GRPC));
	}

	/**
	 * Creates the relay and binds its port.
	 * @return the relay
	 * @throws RpcConfigurationException as of {@link #build()}, or if the port is in use
	 */
	public RpcRelay start() {
		return build().start();
	}

}
