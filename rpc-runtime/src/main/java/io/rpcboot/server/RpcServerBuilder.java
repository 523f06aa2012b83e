package io.rpcboot.server;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.internal.server.grpc.HostedService;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.server.services.ServicePolicy;
import io.rpcboot.internal.server.services.ServiceRegistration;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.registry.Registry;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.RpcConnectionListener;
import io.rpcboot.transport.SocketOptions;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;

/**
 * Builder of a {@link RpcServer}. All options but the services have defaults. Not
 * thread-safe.
 *
 * <pre>{@code
 * RpcServer.builder()
 *     .service(GreetingService.class, new GreetingServiceImpl())
 *     .maxThreads(100)
 *     .start();
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RpcServerBuilder {

	final ServerOptions options = new ServerOptions();

	RpcServerBuilder() {
	}

	/**
	 * Adds a service without version and group.
	 * @param type the interface
	 * @param implementation object that runs the calls, thread-safe
	 * @param <T> the interface
	 * @return this
	 * @throws RpcConfigurationException if the interface is no valid contract or is
	 * offered already
	 */
	public <T> RpcServerBuilder service(Class<T> type, T implementation) {
		return service(ServiceDescriptor.of(type), () -> implementation,
				ServiceOptions.defaults().withImplementation(implementation.getClass()));
	}

	/**
	 * Adds a service.
	 * @param service the service
	 * @param implementation supplies the object for each call, on the thread that runs it
	 * @return this
	 * @throws RpcConfigurationException if the service is offered already
	 */
	public RpcServerBuilder service(ServiceDescriptor service, Supplier<?> implementation) {
		return service(service, implementation, ServiceOptions.defaults());
	}

	/**
	 * Adds a service with options of its own.
	 * @param service the service
	 * @param implementation supplies the object for each call, on the thread that runs it
	 * @param options options of the service
	 * @return this
	 * @throws RpcConfigurationException if the service is offered already or an option
	 * does not fit it
	 */
	public RpcServerBuilder service(ServiceDescriptor service, Supplier<?> implementation, ServiceOptions options) {
		return add(service, new ServiceRegistration(implementation, options));
	}

	private RpcServerBuilder add(ServiceDescriptor service, ServiceRegistration offering) {
		if (this.options.services.keySet().stream().anyMatch((other) -> other.id().equals(service.id()))) {
			throw new RpcConfigurationException("Service %s is offered twice".formatted(service.id()),
					"Give one of them another version or group, or remove it.");
		}
		offering.policy().requireFitting(service);
		this.options.services.put(service, offering);
		return this;
	}

	/**
	 * Adds a service that is offered over gRPC alone.
	 * @param service the service
	 * @param options options of the service; its serializers do not matter
	 * @return this
	 * @throws RpcConfigurationException if a service of this name is offered already or
	 * an option does not fit it
	 */
	public RpcServerBuilder grpcService(GrpcServiceDefinition service, ServiceOptions options) {
		return add(descriptor(service), HostedService.registration(service, options));
	}

	/**
	 * Describes a service that is offered over gRPC alone. Its type is a placeholder.
	 * @param service the service
	 * @return the descriptor, which {@link RpcServer#services()} is made of
	 */
	public static ServiceDescriptor descriptor(GrpcServiceDefinition service) {
		return HostedService.descriptor(service);
	}

	/**
	 * Sets the maximum size of the attachments of a call in bytes. Default: 8192.
	 * @param bytes 0 (no attachments) to 65535
	 * @return this
	 */
	public RpcServerBuilder maxAttachmentsSize(int bytes) {
		this.options.maxAttachments = Options.attachmentsSize(bytes);
		return this;
	}

	/**
	 * Sets the part of undeclared exceptions that callers receive. Default: TYPE.
	 * @param exposure the part
	 * @return this
	 */
	public RpcServerBuilder exposeExceptions(ExceptionExposure exposure) {
		this.options.exposure = exposure;
		return this;
	}

	/**
	 * Adds an interceptor for the calls of all services. Default: none.
	 * @param interceptor runs inside of the interceptors of the same position that were
	 * added before
	 * @return this
	 */
	public RpcServerBuilder interceptor(RpcServerInterceptor interceptor) {
		this.options.interceptors.add(interceptor);
		return this;
	}

	/**
	 * Sets the name of the application in the registry. Default: {@code rpc-application}.
	 * @param name text without '/' and control characters, not '.' or '..', because it
	 * may be the name of a ZooKeeper node
	 * @return this
	 */
	public RpcServerBuilder applicationName(String name) {
		this.options.applicationName = ServerOptions.application(name);
		return this;
	}

	/**
	 * Sets the local address to listen on. Default: empty, all addresses.
	 * @param address host name or address
	 * @return this
	 */
	public RpcServerBuilder bindAddress(String address) {
		this.options.bindAddress = address;
		return this;
	}

	/**
	 * Sets the port to listen on. Default: 9090.
	 * @param port 1 to 65535, or 0 for any free port
	 * @return this
	 */
	public RpcServerBuilder port(int port) {
		Options.require(port >= 0 && port <= 65535, "port", port, "0 (any free port) to 65535");
		this.options.port = port;
		return this;
	}

	/**
	 * Sets the host to which clients connect. Default: empty, which chooses the first
	 * site-local address, or 127.0.0.1 without a registry or with one for this host
	 * alone.
	 * @param address host name or address without port
	 * @return this
	 */
	public RpcServerBuilder advertisedAddress(String address) {
		this.options.advertisedAddress = address;
		return this;
	}

	/**
	 * Sets the registry. Without one, clients need the address of the server.
	 * @param registry the registry; the server does not close it
	 * @return this
	 */
	public RpcServerBuilder registry(Registry registry) {
		this.options.registry = registry;
		return this;
	}

	/**
	 * Sets the only accepted serializer. Default: protostuff.
	 * @param serializer the serializer
	 * @return this
	 * @throws RpcConfigurationException if its name is invalid
	 */
	public RpcServerBuilder serializer(Serializer serializer) {
		return serializers(serializer);
	}

	/**
	 * Sets the accepted serializers, of which each client chooses one. At start-up every
	 * service is prepared for each of them, and types that one of them does not support
	 * are rejected. Default: protostuff alone.
	 * @param serializers one or more with different names
	 * @return this
	 * @throws RpcConfigurationException if there is none, or a name is invalid
	 */
	public RpcServerBuilder serializers(Serializer... serializers) {
		Options.require(serializers.length > 0, "serializers", "none", "one or more");
		this.options.serializers = List.of(serializers);
		ServicePolicy.requireNames("serializers", this.options.serializers);
		return this;
	}

	/**
	 * Sets the protocols that clients may speak, all at the same port. Default: all but
	 * {@link Protocol#GRPC_WEB}. HTTP/1.1 needs {@code netty-codec-http}, and JSON
	 * {@code jackson-core}.
	 * @param protocols one or more
	 * @return this
	 */
	public RpcServerBuilder protocols(Protocol... protocols) {
		Options.require(protocols.length > 0, "protocols", "none",
				"native, grpc, connect, grpc-web, or several with commas between");
		this.options.protocols = Set.copyOf(Arrays.asList(protocols));
		return this;
	}

	/**
	 * Sets TLS of the port. Default: clear text. {@link RpcServer#renewTls} changes it at
	 * run time.
	 * @param tls the options, with a key; connections in one process have no TLS
	 * @return this
	 */
	public RpcServerBuilder tls(TlsOptions tls) {
		this.options.tls = tls;
		return this;
	}

	/**
	 * Returns the present TLS, so that a customizer can change a part.
	 * @return the options, null for clear text
	 */
	public @Nullable TlsOptions tls() {
		return this.options.tls;
	}

	/**
	 * Sets who may call what. Default: everyone everything.
	 * @param access the options
	 * @return this
	 */
	public RpcServerBuilder access(AccessOptions access) {
		this.options.access = access;
		return this;
	}

	/**
	 * Returns who may call what at present, so that a customizer can change a part.
	 * @return the options
	 */
	public AccessOptions access() {
		return this.options.access;
	}

	/**
	 * Sets the options of gRPC. Default: {@link GrpcOptions#defaults()}.
	 * @param grpc the options
	 * @return this
	 */
	public RpcServerBuilder grpc(GrpcOptions grpc) {
		this.options.grpc = grpc;
		return this;
	}

	/**
	 * Sets the options of HTTP/2. Default: {@link HttpOptions#defaults()}.
	 * @param http the options
	 * @return this
	 */
	public RpcServerBuilder http(HttpOptions http) {
		this.options.http = http;
		return this;
	}

	/**
	 * Sets the metrics to report to. Default: none.
	 * @param metrics the metrics
	 * @return this
	 */
	public RpcServerBuilder metrics(RpcMetrics metrics) {
		this.options.metrics = metrics;
		return this;
	}

	/**
	 * Sets the properties by which clients choose this instance. Default: weight 100, no
	 * zone, no tag.
	 * @param instance the options
	 * @return this
	 */
	public RpcServerBuilder instance(InstanceOptions instance) {
		this.options.instance = instance;
		return this;
	}

	/**
	 * Sets the thread that runs calls; services and methods may override it. Default:
	 * POOL.
	 * @param dispatch the dispatch
	 * @return this
	 */
	public RpcServerBuilder dispatch(Dispatch dispatch) {
		ServiceOptions.requireSupported("dispatch", dispatch);
		this.options.dispatch = dispatch;
		return this;
	}

	/**
	 * Sets the maximum of threads that run calls. Threads are started as needed. Default:
	 * 200.
	 * @param threads 1 or more
	 * @return this
	 */
	public RpcServerBuilder maxThreads(int threads) {
		this.options.maxThreads = ServerOptions.threads(threads);
		return this;
	}

	/**
	 * Sets the largest body that is accepted or sent, in bytes. Default: 8 MiB.
	 * @param bytes 1024 or more
	 * @return this
	 */
	public RpcServerBuilder maxFrameSize(int bytes) {
		Options.require(bytes >= 1024, "max-frame-size", bytes, "1024 (1KB) or more bytes");
		this.options.maxFrameSize = bytes;
		return this;
	}

	/**
	 * Sets the maximum of connections; further ones are closed at once. Default: 10000.
	 * @param connections 1 or more
	 * @return this
	 */
	public RpcServerBuilder maxConnections(int connections) {
		Options.require(connections >= 1, "limits.connections", connections, "1 or more");
		this.options.maxConnections = connections;
		return this;
	}

	/**
	 * Sets the maximum of connections of one remote address, of one /64 network with
	 * IPv6; further ones are closed at once. Default: a quarter of
	 * {@link #maxConnections}, at least 64.
	 * @param connections 0 for no limit, or more
	 * @return this
	 */
	public RpcServerBuilder maxConnectionsPerAddress(int connections) {
		Options.require(connections >= 0, "limits.connections-per-address", connections, "0 (no limit) or more");
		this.options.maxConnectionsPerAddress = connections;
		return this;
	}

	/**
	 * Sets what the server takes from clients that it does not know yet. Default:
	 * {@link AdmissionOptions#defaults()}.
	 * @param admission the options
	 * @return this
	 */
	public RpcServerBuilder admission(AdmissionOptions admission) {
		this.options.admission = admission;
		return this;
	}

	/**
	 * Sets the maximum of calls in flight over all connections; further ones are rejected
	 * with RESOURCE_EXHAUSTED. Default: 20000.
	 * @param calls 1 or more
	 * @return this
	 */
	public RpcServerBuilder maxInFlightCalls(int calls) {
		Options.require(calls >= 1, "limits.in-flight-calls", calls, "1 or more");
		this.options.maxInFlightCalls = calls;
		return this;
	}

	/**
	 * Sets the memory for bodies. Default: {@link MemoryOptions#defaults()}.
	 * @param options the options
	 * @return this
	 */
	public RpcServerBuilder memory(MemoryOptions options) {
		this.options.memory = options;
		return this;
	}

	/**
	 * Sets the maximum of pending calls of one connection: the largest window that its
	 * client is granted. It is smaller while many connections share
	 * {@link #maxInFlightCalls}. Default: 4096.
	 * @param calls 1 or more
	 * @return this
	 */
	public RpcServerBuilder maxCallsPerConnection(int calls) {
		Options.require(calls >= 1, "limits.calls-per-connection", calls, "1 or more");
		this.options.maxCallsPerConnection = calls;
		return this;
	}

	/**
	 * Sets the maximum of open streams over all connections: calls with several requests
	 * or results. They do not count as calls in flight. Further ones are rejected with
	 * RESOURCE_EXHAUSTED. Default: 10000.
	 * @param streams 1 or more
	 * @return this
	 */
	public RpcServerBuilder maxStreams(int streams) {
		Options.require(streams >= 1, "limits.streams", streams, "1 or more");
		this.options.maxStreams = streams;
		return this;
	}

	/**
	 * Sets the maximum of open streams of one connection. Default: 1000.
	 * @param streams 1 or more
	 * @return this
	 */
	public RpcServerBuilder maxStreamsPerConnection(int streams) {
		Options.require(streams >= 1, "limits.streams-per-connection", streams, "1 or more");
		this.options.maxStreamsPerConnection = streams;
		return this;
	}

	/**
	 * Sets the time for the handshake, after which a connection is closed. Default: 5 s.
	 * @param timeout more than 0
	 * @return this
	 */
	public RpcServerBuilder handshakeTimeout(Duration timeout) {
		this.options.handshakeTimeout = Options.positive("handshake-timeout", timeout);
		return this;
	}

	/**
	 * Sets the time without a byte after which a connection is closed; clients send
	 * keep-alives more often. Default: 60 s.
	 * @param timeout 10 ms or more
	 * @return this
	 */
	public RpcServerBuilder idleTimeout(Duration timeout) {
		Options.require(timeout.compareTo(Duration.ofMillis(10)) >= 0, "idle-timeout", timeout, "10ms or more");
		this.options.idleTimeout = timeout;
		return this;
	}

	/**
	 * Sets the maximum age of connections, so that load moves behind a balancer of
	 * connections. Clients open others; no call is lost. Default: no limit.
	 * @param age 0 for no limit, else 200 ms or more; applied with a jitter of 10 %
	 * @param grace longest time for calls in flight after that, more than 0; default: 1 h
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
	 * Sets when connections flush. Default: {@link BatchingOptions#defaults()}.
	 * @param batching the options
	 * @return this
	 */
	public RpcServerBuilder batching(BatchingOptions batching) {
		this.options.batching = batching;
		return this;
	}

	/**
	 * Sets the options of event loops. Default: {@link EventLoopOptions#defaults()}.
	 * @param eventLoop the options
	 * @return this
	 */
	public RpcServerBuilder eventLoop(EventLoopOptions eventLoop) {
		this.options.eventLoop = eventLoop;
		return this;
	}

	/**
	 * Sets the options of sockets. Default: {@link SocketOptions#defaults()}.
	 * @param socket the options
	 * @return this
	 */
	public RpcServerBuilder socket(SocketOptions socket) {
		this.options.socket = socket;
		return this;
	}

	/**
	 * Adds a listener for connections. Default: none.
	 * @param listener called after the listeners that were added before
	 * @return this
	 */
	public RpcServerBuilder connectionListener(RpcConnectionListener listener) {
		this.options.connectionListeners.add(listener);
		return this;
	}

	/**
	 * Creates the server. It does not listen before {@link RpcServer#start()}.
	 * @return the server
	 * @throws RpcConfigurationException if a type or an option is not supported
	 */
	public RpcServer build() {
		return new RpcServer(this.options.frozen());
	}

	/**
	 * Creates the server, binds and registers it.
	 * @return the server
	 * @throws RpcConfigurationException if a type or an option is not supported, or the
	 * port is in use
	 */
	public RpcServer start() {
		return build().start();
	}

}
