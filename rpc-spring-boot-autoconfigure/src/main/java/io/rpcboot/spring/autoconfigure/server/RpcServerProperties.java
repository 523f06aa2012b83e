package io.rpcboot.spring.autoconfigure.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ExceptionExposure;
import io.rpcboot.server.InstanceOptions;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.spring.autoconfigure.properties.BatchingProperties;
import io.rpcboot.spring.autoconfigure.properties.MemoryProperties;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.spring.logging.AccessLogInterceptor;
import io.rpcboot.spring.logging.LogAttachmentsInterceptor;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.SocketOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of the server.
 *
 * @param enabled Whether to start a server when there are services.
 * @param port Port to listen on, 0 for any free one.
 * @param bindAddress Local address to listen on; empty for all.
 * @param advertisedAddress Host that clients connect to, without port; empty for the
 * first site-local address.
 * @param advertisedPort Port that clients connect to, 0 for the one that the server
 * listens on; another one where ports are mapped.
 * @param preferredNetworks Which addresses of this host go before others where one is
 * chosen: ranges such as 10.0.0.0/8, or names of network interfaces such as eth0.
 * @param weight Share of the calls in relation to other instances, 1 to 10000.
 * @param zone Where the server runs; clients of the same zone prefer it. Empty if
 * unknown.
 * @param tag For which calls the server is: those with the same tag, such as 'canary',
 * and no others; empty for those without a tag.
 * @param serializers How objects become bytes, one of these as each client chooses:
 * protostuff, json, or names of Serializer beans; unless set, the only Serializer bean,
 * else protostuff.
 * @param services Settings of single services, by the simple name of the interface, or by
 * its identity in brackets: serializers, dispatch, max-threads, interceptors, and
 * methods, which has dispatch, max-threads and idempotent by the name of the method.
 * @param dispatch Which thread runs calls, unless a service or a method says otherwise;
 * unless set, a virtual thread if spring.threads.virtual.enabled is true (Java 21), else
 * one of the pool.
 * @param maxFrameSize Largest argument or result in serialized form, 1KB or more.
 * @param maxAttachmentsSize Most bytes of attachments that a call may bring; at most
 * 65535, 0 for none.
 * @param exposeExceptions What callers are told of an exception that no interface
 * declares: its type, its type and message, or nothing.
 * @param logAttachments Names of attachments that stand in the MDC while their call is
 * served, so that lines of the log may have them; written so, they are its keys.
 * @param accessLog A line in the log for each call, by the logger rpc.server.access.
 * @param handshakeTimeout Time for a connection to introduce itself before it is closed.
 * @param idleTimeout Time without a byte after which a connection is closed.
 * @param connectionMaxAge How long a connection lives before its client opens another
 * one, 10 % less or more, so that load moves behind a balancer that knows connections and
 * no calls; 0 for ever, or 200ms or more.
 * @param connectionMaxAgeGrace Longest time that calls may be under way on a connection
 * after that.
 * @param validation Bean Validation of arguments.
 * @param pool Threads that run calls.
 * @param limits Bounds of what the server takes on.
 * @param memory Memory for arguments and results.
 * @param shutdown The end of the server.
 * @param batching When connections flush what they have to write.
 * @param eventLoop Threads that serve connections.
 * @param socket TCP sockets.
 */
@ConfigurationProperties(prefix = "rpc.server", ignoreUnknownFields = false)
public record RpcServerProperties(@DefaultValue("true") boolean enabled, @DefaultValue("9090") int port,
		@DefaultValue("") String bindAddress, @DefaultValue("") String advertisedAddress,
		@DefaultValue("0") int advertisedPort, @DefaultValue List<String> preferredNetworks,
		@DefaultValue("100") int weight, @DefaultValue("") String zone, @DefaultValue("") String tag,
		@DefaultValue List<String> serializers, @DefaultValue Map<String, Service> services,
		@Nullable Dispatch dispatch, @DefaultValue("8MB") DataSize maxFrameSize,
		@DefaultValue("8KB") DataSize maxAttachmentsSize, @DefaultValue("type") ExceptionExposure exposeExceptions,
		@DefaultValue List<String> logAttachments, @DefaultValue AccessLog accessLog,
		@DefaultValue("5s") Duration handshakeTimeout, @DefaultValue("60s") Duration idleTimeout,
		@DefaultValue("0s") Duration connectionMaxAge, @DefaultValue("1h") Duration connectionMaxAgeGrace,
		@DefaultValue Validation validation, @DefaultValue Pool pool, @DefaultValue Limits limits,
		@DefaultValue @NestedConfigurationProperty MemoryProperties memory, @DefaultValue Shutdown shutdown,
		@DefaultValue @NestedConfigurationProperty BatchingProperties batching, @DefaultValue EventLoop eventLoop,
		@DefaultValue Socket socket) {

	/**
	 * Hand the properties over.
	 * @param builder what takes them
	 * @param virtualThreads whether the application wants virtual threads, and has them
	 */
	void applyTo(RpcServerBuilder builder, boolean virtualThreads) {
		Options.require(!this.shutdown.gracePeriod().isNegative(), "shutdown.grace-period", this.shutdown.gracePeriod(),
				"0 (cut calls in flight) or more");
		builder.port(this.port)
			.bindAddress(this.bindAddress)
			.advertisedAddress(this.advertisedAddress)
			.instance(InstanceOptions.defaults()
				.withWeight(this.weight)
				.withZone(this.zone)
				.withTag(this.tag)
				.withAdvertisedPort(this.advertisedPort)
				.withPreferredNetworks(this.preferredNetworks))
			.maxFrameSize(OptionToPropertyNames.bytes("max-frame-size", this.maxFrameSize))
			.maxAttachmentsSize(OptionToPropertyNames.bytes("max-attachments-size", this.maxAttachmentsSize))
			.exposeExceptions(this.exposeExceptions)
			.handshakeTimeout(this.handshakeTimeout)
			.idleTimeout(this.idleTimeout)
			.connectionMaxAge(this.connectionMaxAge, this.connectionMaxAgeGrace)
			.maxThreads(this.pool.maxThreads())
			.maxConnections(this.limits.connections())
			.maxInFlightCalls(this.limits.inFlightCalls())
			.maxCallsPerConnection(this.limits.callsPerConnection())
			.memory(this.memory.toOptions())
			.batching(this.batching.toOptions())
			.eventLoop(this.eventLoop.toOptions())
			.socket(this.socket.toOptions());
		AccessLogInterceptor log = new AccessLogInterceptor(this.accessLog.sampling());
		if (this.accessLog.enabled()) {
			builder.interceptor(log);
		}
		if (!this.logAttachments.isEmpty()) {
			builder.interceptor(new LogAttachmentsInterceptor(this.logAttachments));
		}
		Integer perAddress = this.limits.connectionsPerAddress();
		if (perAddress != null) {
			builder.maxConnectionsPerAddress(perAddress);
		}
		if (this.dispatch != null) {
			builder.dispatch(this.dispatch);
		}
		else if (virtualThreads) {
			builder.dispatch(Dispatch.VIRTUAL);
		}
	}

	/**
	 * Settings of one service.
	 *
	 * @param serializers How objects become bytes; those of the server unless set.
	 * @param dispatch Which thread runs its calls; that of the server unless set.
	 * @param maxThreads Most threads of the pool that run its calls; as many as the
	 * server gives to each service unless set.
	 * @param interceptors Names of the beans that stand around its calls; empty for none.
	 * @param methods Settings of single methods, by the name of the method.
	 */
	public record Service(@DefaultValue List<String> serializers, @Nullable Dispatch dispatch,
			@Nullable Integer maxThreads, @Nullable List<String> interceptors,
			@DefaultValue Map<String, Method> methods) {
	}

	/**
	 * Settings of one method.
	 *
	 * @param dispatch Which thread runs its calls; that of the service unless set.
	 * @param maxThreads Most threads of the pool that run its calls; as many as the
	 * service may have unless set.
	 * @param idempotent Whether it may run more than once for one call; it goes before
	 * what @RpcMethod says.
	 */
	public record Method(@Nullable Dispatch dispatch, @Nullable Integer maxThreads, @Nullable Boolean idempotent) {
	}

	/**
	 * Bean Validation of arguments.
	 *
	 * @param enabled Whether to check arguments by the constraints of the interface,
	 * where there is a Validator.
	 */
	record Validation(@DefaultValue("true") boolean enabled) {
	}

	/**
	 * A line in the log for each call.
	 *
	 * @param enabled Whether there is one.
	 * @param sampling Part of the calls that have a line, 0 to 1; calls that fail always
	 * have one.
	 */
	record AccessLog(@DefaultValue("false") boolean enabled, @DefaultValue("1") double sampling) {
	}

	/**
	 * Threads that run calls.
	 *
	 * @param maxThreads Most threads that run calls; few are in use while calls are
	 * short.
	 */
	record Pool(@DefaultValue("200") int maxThreads) {
	}

	/**
	 * Bounds of what the server takes on.
	 *
	 * @param connections Most connections; one more is closed at once.
	 * @param connectionsPerAddress Most connections of one remote address (IPv6: of one
	 * /64 network), 0 for no limit; unless set, a quarter of limits.connections, at least
	 * 64.
	 * @param inFlightCalls Most calls that execute or wait for a thread, over all
	 * connections; one more is refused.
	 * @param callsPerConnection Most calls that one connection may have under way.
	 */
	record Limits(@DefaultValue("10000") int connections, @Nullable Integer connectionsPerAddress,
			@DefaultValue("20000") int inFlightCalls, @DefaultValue("4096") int callsPerConnection) {
	}

	/**
	 * The end of the server.
	 *
	 * @param gracePeriod Time for calls in flight at shutdown, beside that of the web
	 * server; 0 to cut them. Keep it below spring.lifecycle.timeout-per-shutdown-phase.
	 */
	record Shutdown(@DefaultValue("20s") Duration gracePeriod) {
	}

	/**
	 * Threads that serve connections.
	 *
	 * @param transport How sockets are served: epoll or kqueue where it works, else NIO
	 * (auto), or the one named, which has to work.
	 * @param threads Number of event loops, 0 for one per core but at most 4.
	 * @param acceptorThreads Number of event loops that accept connections, 1 or more.
	 */
	public record EventLoop(@DefaultValue("auto") EventLoopOptions.Transport transport, @DefaultValue("0") int threads,
			@DefaultValue("1") int acceptorThreads) {

		public EventLoopOptions toOptions() {
			return EventLoopOptions.defaults()
				.withTransport(this.transport)
				.withThreads(this.threads)
				.withAcceptorThreads(this.acceptorThreads);
		}

	}

	/**
	 * TCP sockets.
	 *
	 * @param tcpNoDelay Whether small segments are sent at once.
	 * @param sendBuffer Size of the send buffer (SO_SNDBUF), 0 for the system's own.
	 * @param receiveBuffer Size of the receive buffer (SO_RCVBUF), 0 for the system's
	 * own.
	 * @param backlog Connections that may wait to be accepted, 1 or more.
	 * @param lowWaterMark Unsent bytes below which a connection takes messages again.
	 * @param highWaterMark Unsent bytes above which a connection takes no more messages.
	 * @param allocator Where the buffers of connections come from.
	 */
	public record Socket(@DefaultValue("true") boolean tcpNoDelay, @DefaultValue("0B") DataSize sendBuffer,
			@DefaultValue("0B") DataSize receiveBuffer, @DefaultValue("1024") int backlog,
			@DefaultValue("256KB") DataSize lowWaterMark, @DefaultValue("1MB") DataSize highWaterMark,
			@DefaultValue("pooled") SocketOptions.Allocator allocator) {

		public SocketOptions toOptions() {
			return SocketOptions.defaults()
				.withTcpNoDelay(this.tcpNoDelay)
				.withSendBuffer(OptionToPropertyNames.bytes("socket.send-buffer", this.sendBuffer))
				.withReceiveBuffer(OptionToPropertyNames.bytes("socket.receive-buffer", this.receiveBuffer))
				.withBacklog(this.backlog)
				.withWaterMarks(OptionToPropertyNames.bytes("socket.low-water-mark", this.lowWaterMark),
						OptionToPropertyNames.bytes("socket.high-water-mark", this.highWaterMark))
				.withAllocator(this.allocator);
		}

	}

}
