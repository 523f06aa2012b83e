package io.rpcboot.server;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.server.services.ServicePolicy;
import io.rpcboot.internal.server.services.ServiceRegistration;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.registry.Registry;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.RpcConnectionListener;
import io.rpcboot.transport.SocketOptions;

/**
 * Sets up a {@link RpcServer}. Every option but the services has a default. For one
 * thread.
 */
public final class RpcServerBuilder {

	/** What ZooKeeper takes as the name of a node, and at least one visible character. */
	private static final Pattern APPLICATION_NAME = Pattern
		.compile("(?!\\.{1,2}$)(?=.*\\S)[^/\\p{C}\\x{FFF0}-\\x{10FFFF}]+");

	final ServerOptions options = new ServerOptions();

	RpcServerBuilder() {
	}

	/**
	 * Offer a service without version and group.
	 * @param type the interface
	 * @param implementation what runs the calls, thread-safe
	 * @param <T> the interface
	 * @return this
	 * @throws RpcConfigurationException if it is no contract or is offered already
	 */
	public <T> RpcServerBuilder service(Class<T> type, T implementation) {
		return service(ServiceDescriptor.of(type), () -> implementation,
				ServiceOptions.defaults().withImplementation(implementation.getClass()));
	}

	/**
	 * Offer a service.
	 * @param service the service
	 * @param implementation gives the object of each call, on the thread that runs it
	 * @return this
	 * @throws RpcConfigurationException if the service is offered already
	 */
	public RpcServerBuilder service(ServiceDescriptor service, Supplier<?> implementation) {
		return service(service, implementation, ServiceOptions.defaults());
	}

	/**
	 * Offer a service with settings of its own.
	 * @param service the service
	 * @param implementation gives the object of each call, on the thread that runs it
	 * @param options what differs from other services
	 * @return this
	 * @throws RpcConfigurationException if it is offered already or an option is wrong
	 */
	public RpcServerBuilder service(ServiceDescriptor service, Supplier<?> implementation, ServiceOptions options) {
		if (this.options.services.keySet().stream().anyMatch((other) -> other.id().equals(service.id()))) {
			throw new RpcConfigurationException("Service %s is offered twice".formatted(service.id()),
					"Give one of them another version or group, or remove it.");
		}
		ServiceRegistration offering = new ServiceRegistration(implementation, options);
		offering.policy().requireFitting(service);
		this.options.services.put(service, offering);
		return this;
	}

	/**
	 * Most bytes of attachments that a call may bring. Default: 8192.
	 * @param bytes 0 (none) to 65535
	 * @return this
	 */
	public RpcServerBuilder maxAttachmentsSize(int bytes) {
		this.options.maxAttachments = Options.attachmentsSize(bytes);
		return this;
	}

	/**
	 * What callers are told of exceptions that no interface declares. Default: their
	 * class.
	 * @param exposure how much leaves the process
	 * @return this
	 */
	public RpcServerBuilder exposeExceptions(ExceptionExposure exposure) {
		this.options.exposure = exposure;
		return this;
	}

	/**
	 * Stand around the calls of all services. Default: nobody.
	 * @param interceptor inside of those of the same position that were given before
	 * @return this
	 */
	public RpcServerBuilder interceptor(RpcServerInterceptor interceptor) {
		this.options.interceptors.add(interceptor);
		return this;
	}

	/**
	 * The name in the registry. Default: {@code rpc-application}.
	 * @param name text without '/' and control characters, not '.' or '..': it names a
	 * node where the registry is a tree
	 * @return this
	 */
	public RpcServerBuilder applicationName(String name) {
		Options.require(APPLICATION_NAME.matcher(name).matches(), "application-name", "'" + name + "'",
				"a name without '/' and control characters, not '.' or '..'");
		this.options.applicationName = name;
		return this;
	}

	/**
	 * The local address to listen on. Default: empty, all addresses.
	 * @param address host name or address
	 * @return this
	 */
	public RpcServerBuilder bindAddress(String address) {
		this.options.bindAddress = address;
		return this;
	}

	/**
	 * The port to listen on. Default: 9090.
	 * @param port 1 to 65535, or 0 for any free one
	 * @return this
	 */
	public RpcServerBuilder port(int port) {
		Options.require(port >= 0 && port <= 65535, "port", port, "0 (any free port) to 65535");
		this.options.port = port;
		return this;
	}

	/**
	 * The host that clients connect to. Default: empty, the first site-local address that
	 * is not loopback, or 127.0.0.1 when the registry is on this host.
	 * @param address host name or address without port
	 * @return this
	 */
	public RpcServerBuilder advertisedAddress(String address) {
		this.options.advertisedAddress = address;
		return this;
	}

	/**
	 * Where to register. Without one, clients need this server's address.
	 * @param registry the registry; the server does not close it
	 * @return this
	 */
	public RpcServerBuilder registry(Registry registry) {
		this.options.registry = registry;
		return this;
	}

	/**
	 * How objects become bytes: the only serializer accepted. Default: protostuff.
	 * @param serializer the serializer
	 * @return this
	 * @throws RpcConfigurationException if it is not named as it has to be
	 */
	public RpcServerBuilder serializer(Serializer serializer) {
		return serializers(serializer);
	}

	/**
	 * How objects become bytes: each client chooses one of these. Every service is
	 * prepared for each of them at start-up, which refuses a type that one of them cannot
	 * carry. Default: protostuff alone.
	 * @param serializers one or more, each with another name
	 * @return this
	 * @throws RpcConfigurationException if there is none, or a name is refused
	 */
	public RpcServerBuilder serializers(Serializer... serializers) {
		Options.require(serializers.length > 0, "serializers", "none", "one or more");
		this.options.serializers = List.of(serializers);
		ServicePolicy.requireNames("serializers", this.options.serializers);
		return this;
	}

	/**
	 * Where to report. Default: nowhere.
	 * @param metrics the recorder
	 * @return this
	 */
	public RpcServerBuilder metrics(RpcMetrics metrics) {
		this.options.metrics = metrics;
		return this;
	}

	/**
	 * By what clients choose this instance. Default: weight 100, no zone, no tag.
	 * @param instance the options
	 * @return this
	 */
	public RpcServerBuilder instance(InstanceOptions instance) {
		this.options.instance = instance;
		return this;
	}

	/**
	 * Which thread runs calls, unless a service or a method says otherwise. Default: a
	 * thread of the worker pool.
	 * @param dispatch the choice
	 * @return this
	 */
	public RpcServerBuilder dispatch(Dispatch dispatch) {
		ServiceOptions.requireSupported("dispatch", dispatch);
		this.options.dispatch = dispatch;
		return this;
	}

	/**
	 * Most threads that run calls. Few are in use while calls are short. Default: 200.
	 * @param threads 1 or more
	 * @return this
	 */
	public RpcServerBuilder maxThreads(int threads) {
		Options.require(threads >= 1, "pool.max-threads", threads, "1 or more");
		this.options.maxThreads = threads;
		return this;
	}

	/**
	 * Largest body that is accepted or sent, in bytes. Default: 8 MiB.
	 * @param bytes 1024 or more
	 * @return this
	 */
	public RpcServerBuilder maxFrameSize(int bytes) {
		Options.require(bytes >= 1024, "max-frame-size", bytes, "1024 (1KB) or more bytes");
		this.options.maxFrameSize = bytes;
		return this;
	}

	/**
	 * Most connections; one more is closed at once. Default: 10000.
	 * @param connections 1 or more
	 * @return this
	 */
	public RpcServerBuilder maxConnections(int connections) {
		Options.require(connections >= 1, "limits.connections", connections, "1 or more");
		this.options.maxConnections = connections;
		return this;
	}

	/**
	 * Most connections of one remote address, of one /64 network with IPv6; one more is
	 * closed unread. Default: a quarter of {@link #maxConnections}, at least 64.
	 * @param connections 0 for no limit, or more
	 * @return this
	 */
	public RpcServerBuilder maxConnectionsPerAddress(int connections) {
		Options.require(connections >= 0, "limits.connections-per-address", connections, "0 (no limit) or more");
		this.options.maxConnectionsPerAddress = connections;
		return this;
	}

	/**
	 * Most calls executing or waiting for a thread, over all connections; one more is
	 * refused with RESOURCE_EXHAUSTED. Default: 20000.
	 * @param calls 1 or more
	 * @return this
	 */
	public RpcServerBuilder maxInFlightCalls(int calls) {
		Options.require(calls >= 1, "limits.in-flight-calls", calls, "1 or more");
		this.options.maxInFlightCalls = calls;
		return this;
	}

	/**
	 * How much memory the server takes for bodies, and how long a client may keep it.
	 * Default: {@link MemoryOptions#defaults()}.
	 * @param options limit and least rate
	 * @return this
	 */
	public RpcServerBuilder memory(MemoryOptions options) {
		this.options.memory = options;
		return this;
	}

	/**
	 * Most calls that a connection may have under way: the grant that its client holds
	 * itself to. It is less while many connections share what the server takes in.
	 * Default: 4096.
	 * @param calls 1 or more
	 * @return this
	 */
	public RpcServerBuilder maxCallsPerConnection(int calls) {
		Options.require(calls >= 1, "limits.calls-per-connection", calls, "1 or more");
		this.options.maxCallsPerConnection = calls;
		return this;
	}

	/**
	 * Time for a connection to introduce itself before it is closed. Default: 5 s.
	 * @param timeout more than 0
	 * @return this
	 */
	public RpcServerBuilder handshakeTimeout(Duration timeout) {
		this.options.handshakeTimeout = Options.positive("handshake-timeout", timeout);
		return this;
	}

	/**
	 * Time without a byte after which a connection is closed; clients probe more often
	 * than that. Default: 60 s.
	 * @param timeout more than 0
	 * @return this
	 */
	public RpcServerBuilder idleTimeout(Duration timeout) {
		Options.require(timeout.compareTo(Duration.ofMillis(10)) >= 0, "idle-timeout", timeout, "10ms or more");
		this.options.idleTimeout = timeout;
		return this;
	}

	/**
	 * How long a connection lives, so that load moves behind a balancer that knows
	 * connections and no calls. Its client opens another one and loses no call. Default:
	 * for ever.
	 * @param age 0 for ever, or 200 ms or more; a connection gets up to 10 % less or more
	 * @param grace longest time that calls may be under way after that, more than 0;
	 * default: 1 h
	 * @return this
	 */
	public RpcServerBuilder connectionMaxAge(Duration age, Duration grace) {
		boolean isLong = age.compareTo(Duration.ofMillis(200)) >= 0;
		Options.require(age.isZero() || isLong, "connection-max-age", age, "0 (for ever) or 200ms or more");
		this.options.connectionAge = age;
		this.options.connectionAgeGrace = Options.positive("connection-max-age-grace", grace);
		return this;
	}

	/**
	 * When connections flush.
	 * @param batching the options
	 * @return this
	 */
	public RpcServerBuilder batching(BatchingOptions batching) {
		this.options.batching = batching;
		return this;
	}

	/**
	 * The event loops.
	 * @param eventLoop the options
	 * @return this
	 */
	public RpcServerBuilder eventLoop(EventLoopOptions eventLoop) {
		this.options.eventLoop = eventLoop;
		return this;
	}

	/**
	 * The sockets.
	 * @param socket the options
	 * @return this
	 */
	public RpcServerBuilder socket(SocketOptions socket) {
		this.options.socket = socket;
		return this;
	}

	/**
	 * Tell someone of connections. Default: nobody.
	 * @param listener told after those that were given before
	 * @return this
	 */
	public RpcServerBuilder connectionListener(RpcConnectionListener listener) {
		this.options.connectionListeners.add(listener);
		return this;
	}

	/**
	 * Make the server; it does not listen yet.
	 * @return the server
	 * @throws RpcConfigurationException if a type or an option does not work here
	 */
	public RpcServer build() {
		return new RpcServer(this.options.frozen());
	}

	/**
	 * Make the server, bind it and register it.
	 * @return the server
	 * @throws RpcConfigurationException as above, or if the port is in use
	 */
	public RpcServer start() {
		return build().start();
	}

}
