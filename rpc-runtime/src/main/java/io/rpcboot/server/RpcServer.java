package io.rpcboot.server;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.internal.concurrent.SerialExecutor;
import io.rpcboot.internal.concurrent.WorkerPoolStats;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.server.connection.AcceptedConnection;
import io.rpcboot.internal.server.connection.ServerProtocol;
import io.rpcboot.internal.server.connection.binary.BinaryServerProtocol;
import io.rpcboot.internal.server.connection.http1.Http1ServerProtocol;
import io.rpcboot.internal.server.connection.http1.OperatorCalls;
import io.rpcboot.internal.server.connection.http2.Http2ServerProtocol;
import io.rpcboot.internal.server.grpc.GrpcMethods;
import io.rpcboot.internal.server.grpc.GrpcServer;
import io.rpcboot.internal.server.lifecycle.AdmissionRules;
import io.rpcboot.internal.server.lifecycle.AdvertisedAddress;
import io.rpcboot.internal.server.lifecycle.CertificateExpiryMonitor;
import io.rpcboot.internal.server.lifecycle.GracefulShutdown;
import io.rpcboot.internal.server.lifecycle.PoolExhaustionMonitor;
import io.rpcboot.internal.server.lifecycle.ServerRegistration;
import io.rpcboot.internal.server.runtime.ActiveConnection;
import io.rpcboot.internal.server.runtime.ClearTextClients;
import io.rpcboot.internal.server.runtime.ServerLibraries;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.QueueSweeper;
import io.rpcboot.internal.server.services.ServiceTable;
import io.rpcboot.internal.transport.Transport;
import io.rpcboot.internal.transport.frame.BodyAllocator;
import io.rpcboot.internal.transport.tls.TlsContext;
import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.RegistrationInfo.Mode;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.LimitInfo;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.StreamInfo;
import io.rpcboot.transport.TlsInfo;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server that offers services. Thread-safe.
 *
 * <pre>{@code
 * RpcServer server = RpcServer.builder()
 *     .port(9090)
 *     .service(GreetingService.class, new GreetingServiceImpl())
 *     .start();
 * // ...
 * server.shutdown(Duration.ofSeconds(30));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RpcServer implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger("rpc.server");

	private final ServerOptions options;

	private final ServerResources resources;

	/** Services that are offered over gRPC; null if the server does not speak it. */
	private final @Nullable GrpcServer grpc;

	/** TLS of the port, null for clear text. */
	private final @Nullable TlsContext tls;

	private final ClearTextClients clearText;

	private final PoolExhaustionMonitor poolMonitor;

	private final QueueSweeper queueSweeper;

	private final List<Consumer<String>> failureListeners = new ArrayList<>();

	private final GaugeRegistrations gauges;

	private final ServerRegistration registration;

	private final GracefulShutdown shutdown;

	/** Calls of operators; null without HTTP and JSON. */
	private final @Nullable OperatorCalls operators;

	private @Nullable Transport transport;

	private Transport.@Nullable Listener listener;

	private @Nullable Endpoint advertised;

	/** Port of the socket; the advertised port may be another one. */
	private int boundPort;

	private boolean closed;

	RpcServer(ServerOptions options) {
		this.options = options;
		Transport.requireUsable(options.eventLoop);
		List<Serializer> serializers = options.serializers.isEmpty() ? List.of(new ProtostuffSerializer())
				: options.serializers;
		RateLimitedLogger log = new RateLimitedLogger("rpc.server", System::nanoTime);
		BodyAllocator memory = BodyAllocator.of(options.memory, options.socket, options.maxFrameSize,
				options.maxInFlightCalls);
		ServiceTable services = new ServiceTable(options.services, serializers, options.dispatch, options.share(),
				options.metrics, memory.account(), log, options.interceptors);
		this.resources = new ServerResources(options, services, memory, log);
		options.requireGrpc();
		options.requireIdentities(log);
		this.tls = options.hasTls() ? TlsContext.server(options.tls, options.speaksHttp() && ServerLibraries.hasHttp(),
				options.admission.tlsHandshakes(), this.resources.tlsThreads) : null;
		this.grpc = options.protocols.equals(Set.of(Protocol.NATIVE)) ? null
				: new GrpcServer(services.callable(), options.grpc, options.http, options.maxFrameSize,
						memory.account(), new SerialExecutor(this.resources.hookThreads), log);
		if (this.grpc != null) {
			this.grpc.streamContracts().forEach(services::streams);
		}
		this.operators = (this.grpc != null && options.protocols.contains(Protocol.CONNECT)
				&& ServerLibraries.missing().isEmpty()) ? new OperatorCalls(this.resources, this.grpc) : null;
		this.registration = new ServerRegistration(options, services.ids(), InstantSource.system());
		this.shutdown = new GracefulShutdown(this.resources);
		WorkerPoolStats pool = new WorkerPoolStats(this.resources.workers);
		this.poolMonitor = new PoolExhaustionMonitor(pool, this.resources.queue::waitsForLimits, System::nanoTime);
		this.queueSweeper = new QueueSweeper(pool, this.resources.queue, services.times(), this.resources.recorder);
		this.gauges = this.resources.gauges(pool)
			.offer(Gauge.SERVER_ONLINE, () -> (this.registration.info().mode() == Mode.ONLINE) ? 1 : 0);
		this.clearText = new ClearTextClients(this.gauges);
		if (this.tls != null) {
			this.tls.offer(this.gauges, InstantSource.system());
			this.resources.countClearText(this.clearText);
		}
		if (this.grpc != null) {
			this.registration.onReadiness(this.grpc::ready);
			this.failureListeners.add((failure) -> this.grpc.fail());
		}
	}

	/**
	 * Returns a builder. All options but the services have defaults.
	 * @return a new builder
	 */
	public static RpcServerBuilder builder() {
		return new RpcServerBuilder();
	}

	/**
	 * Binds the port and registers the server.
	 * @return this
	 * @throws RpcConfigurationException if the port is in use, or clients of the registry
	 * cannot reach the address
	 */
	public RpcServer start() {
		bind();
		register();
		return this;
	}

	/**
	 * Binds the port and serves clients, without registering. Does nothing if the port is
	 * bound already.
	 * @throws RpcConfigurationException if the port is in use, or clients of the registry
	 * cannot reach the address
	 * @throws IllegalStateException if the server is closed
	 */
	public synchronized void bind() {
		if (this.closed) {
			throw new IllegalStateException("the server is closed");
		}
		if (this.listener != null) {
			return;
		}
		AdvertisedAddress chosen = AdvertisedAddress.choose(this.options);
		List<ServerProtocol> protocols = protocols();
		Transport sockets = new Transport("rpc-server", this.options.eventLoop, this.options.socket,
				this.options.idleTimeout, Transport.recorder(this.options.metrics, Side.SERVER));
		try {
			Transport.Listener bound = sockets.listen(this.options.bindAddress, this.options.port,
					this.options.batching, AdmissionRules.of(this.options), this.options.handshakeTimeout,
					(accepted) -> AcceptedConnection.open(accepted, this.resources, protocols, this.tls));
			this.transport = sockets;
			sockets.offer(this.options.metrics, Side.SERVER, this.resources.memory.bodies());
			this.resources.memory.start(sockets.anyLoop());
			this.poolMonitor.start(sockets.anyLoop());
			this.queueSweeper.start(sockets.anyLoop());
			if (this.tls != null) {
				new CertificateExpiryMonitor(() -> this.tls.describe(Map.of()), InstantSource.system())
					.start(sockets.anyLoop());
			}
			this.failureListeners.forEach(sockets.health()::onFailure);
			this.listener = bound;
			this.boundPort = bound.port();
			int port = this.options.instance.advertisedPort();
			this.advertised = new Endpoint(chosen.host(), (port > 0) ? port : this.boundPort);
			logger.debug("RPC server listens on port {}", this.boundPort);
			this.registration.bound(chosen, advertisedEndpoint());
		}
		catch (IOException ex) {
			sockets.close();
			throw this.options.cannotBind(ex);
		}
	}

	private List<ServerProtocol> protocols() {
		GrpcMethods methods = (this.grpc != null) ? this.grpc.methods() : null;
		List<ServerProtocol> protocols = new ArrayList<>(
				List.of(new BinaryServerProtocol(this.resources), new Http2ServerProtocol(this.resources, methods)));
		boolean isWanted = this.options.speaksHttp();
		if (isWanted && ServerLibraries.hasHttp()) {
			protocols.add(new Http1ServerProtocol(this.resources, methods));
		}
		String missing = isWanted ? ServerLibraries.missing() : "";
		if (!missing.isEmpty()) {
			logger.info("RPC server: {}", missing);
		}
		return protocols;
	}

	/**
	 * Registers the server, unless its mode is OFFLINE or DRAINED. Does not wait for the
	 * registry. Does nothing if it is registered already.
	 */
	public void register() {
		this.registration.register();
	}

	/**
	 * Deregisters the server; it continues to serve calls. Does nothing if it is not
	 * registered.
	 */
	public void deregister() {
		this.registration.deregister();
	}

	/**
	 * Deregisters the server until {@link #online}, whatever {@link #register()} does. It
	 * serves calls. May block some seconds for a registry that does not answer.
	 * @param reason reason for the log and {@link #presence()}
	 * @throws IllegalStateException if this server does not register itself or is closed
	 */
	public void offline(String reason) {
		this.registration.change(Mode.OFFLINE, reason, () -> this.resources.setDraining(null));
	}

	/**
	 * Deregisters the server and sends GO_AWAY to every client, also to those that
	 * connect later, until {@link #online}. Calls in flight are completed, later calls
	 * are rejected. Works without a registry, too.
	 * @param reason reason for the log and {@link #presence()}
	 * @return completes when GO_AWAY is written to every client; not on an event loop, so
	 * dependent stages may block
	 * @throws IllegalStateException if the server is closed
	 */
	public CompletableFuture<Void> drain(String reason) {
		this.registration.change(Mode.DRAINED, reason,
				() -> this.resources.setDraining("the server is drained by an operator"));
		return goAway();
	}

	/**
	 * Returns the server to normal operation: clients may connect, and it is registered
	 * if {@link #register()} was called. Does not block. Idempotent.
	 * @param reason reason for the log and {@link #presence()}
	 * @throws IllegalStateException if the server is closed
	 */
	public void online(String reason) {
		this.registration.change(Mode.ONLINE, reason, () -> this.resources.setDraining(null));
	}

	/**
	 * Changes the weight in the registry, from which clients learn it. Does not wait for
	 * the registry.
	 * @param weight 1 to 10000
	 * @param reason reason for the log
	 * @throws RpcConfigurationException if the weight is out of range
	 * @throws IllegalStateException if this server does not register itself or is closed
	 */
	public void weight(int weight, String reason) {
		this.registration.weight(weight, reason);
	}

	/**
	 * Changes the maximum of threads that run calls, and the share of each service. Does
	 * not interrupt a call: surplus threads end after theirs.
	 * @param threads 1 or more
	 * @param reason reason for the log
	 * @throws RpcConfigurationException if the number is out of range
	 */
	public synchronized void maxThreads(int threads, String reason) {
		int before = pool().maxThreads();
		this.resources.queue.resize(threads,
				() -> this.resources.services.share(this.options.share(ServerOptions.threads(threads))));
		logger.info("RPC server runs calls on at most {} threads now, {} before: {}", threads, before, reason);
	}

	/**
	 * Changes TLS at run time, for example because certificates were replaced. Handshakes
	 * use the new options at once; the clients of older connections are asked to replace
	 * them, within a minute, so that no call fails.
	 * @param options the new options
	 * @throws RpcConfigurationException if TLS cannot be used with these options, or
	 * their certificate is not valid now; nothing has changed then
	 * @throws IllegalStateException if the server speaks clear text or is closed
	 */
	public synchronized void renewTls(TlsOptions options) {
		if (this.tls == null || this.closed) {
			throw new IllegalStateException("the server has no TLS, or is closed");
		}
		this.tls.renew(options);
		long now = System.nanoTime();
		if (this.transport != null) {
			this.transport.anyLoop()
				.schedule(
						() -> this.resources.connections
							.forEach((each) -> each.renewTls(System.nanoTime() - now, TlsContext.renewalPause())),
						Options.nanos(this.options.handshakeTimeout), TimeUnit.NANOSECONDS);
		}
	}

	/**
	 * Returns TLS of the port.
	 * @return null for clear text
	 */
	public @Nullable TlsInfo tls() {
		return (this.tls != null) ? this.tls.describe(this.clearText.counts()) : null;
	}

	/**
	 * Returns the mode and weight.
	 * @return a snapshot
	 */
	public RegistrationInfo presence() {
		return this.registration.info();
	}

	/**
	 * Sends GO_AWAY to connected clients: they complete their calls and open new
	 * connections.
	 * @return completes when GO_AWAY is written to every client; not on an event loop, so
	 * dependent stages may block; at once before {@link #bind()}
	 */
	public CompletableFuture<Void> goAway() {
		CompletableFuture<Void> sent = ActiveConnection.goAway(this.resources.connections);
		return sent.isDone() ? sent : sent.thenApplyAsync((done) -> done, this.resources.hookThreads);
	}

	/**
	 * Deregisters the server, sends GO_AWAY to every client, waits for the calls in
	 * flight and closes. Blocks until everything is closed. An interrupt ends the grace
	 * period. During a shutdown a second caller waits for its end, except on an event
	 * loop and in a call of this server, and shortens the grace period if its own is
	 * shorter.
	 * @param gracePeriod longest time for the calls in flight, 0 to cut them
	 * @return the report, without calls for a second caller
	 */
	public ShutdownReport shutdown(Duration gracePeriod) {
		return this.shutdown.run(gracePeriod, this::leave, this::ended);
	}

	private void ended() {
		if (this.operators != null) {
			this.operators.close();
		}
		this.gauges.close();
	}

	/** Deregisters; returns null if the port is not bound. */
	private synchronized GracefulShutdown.@Nullable Sockets leave() {
		this.closed = true;
		if (this.grpc != null) {
			this.grpc.close();
		}
		try {
			this.registration.close();
		}
		catch (RuntimeException | Error ex) { // a registry of the application may throw
			logger.warn("The server could not be deregistered; it closes nevertheless", ex);
		}
		if (this.transport == null || this.listener == null) {
			return null;
		}
		this.resources.setDraining(ServerResources.SHUTS_DOWN);
		return new GracefulShutdown.Sockets(this.transport, this.listener);
	}

	/**
	 * Returns the bound port.
	 * @return 1 to 65535
	 * @throws IllegalStateException before {@link #bind()}
	 */
	public int port() {
		advertisedEndpoint();
		return this.boundPort;
	}

	/**
	 * Returns the advertised address, which is registered.
	 * @return the endpoint
	 * @throws IllegalStateException before {@link #bind()}
	 */
	public synchronized Endpoint advertisedEndpoint() {
		if (this.advertised == null) {
			throw new IllegalStateException("the server is not bound");
		}
		return this.advertised;
	}

	/**
	 * Returns the location in the registry.
	 * @return the location, for ZooKeeper the path of the node; empty if not registered
	 */
	public String registeredLocation() {
		return this.registration.location();
	}

	/**
	 * Returns the transport of the sockets.
	 * @return the transport, never {@code AUTO}; null before {@link #bind()}
	 */
	public synchronized EventLoopOptions.@Nullable Transport transport() {
		return (this.transport != null) ? this.transport.kind() : null;
	}

	/**
	 * Returns the offered services.
	 * @return a snapshot
	 */
	public List<ServiceInfo> services() {
		return this.resources.services.describe((this.grpc != null) ? this.grpc.names() : Map.of());
	}

	/**
	 * Returns the files that declare the services which are offered over gRPC, for
	 * clients in other languages. May take some milliseconds for each service.
	 * @return texts by the name of the file, one for each package; empty without gRPC
	 */
	public SortedMap<String, String> protoFiles() {
		return (this.grpc != null) ? this.grpc.files() : new TreeMap<>();
	}

	/**
	 * Calls a method of this server in the name of an operator. Rules, limits,
	 * interceptors and meters treat the call as any other over HTTP, from a client with
	 * no proof except the credentials of the request; limits of the port, such as TLS and
	 * address filters, do not apply. At most four are in flight at a time. The first call
	 * takes some milliseconds, later ones do not block.
	 * @param request the call
	 * @return the result, also of a call that failed, at the latest a second after the
	 * deadline; not on an event loop, so dependent stages may block
	 * @throws java.util.NoSuchElementException if the method is not offered; the message
	 * has the nearest
	 * @throws IllegalArgumentException if the method has a stream, or the attachments are
	 * too long
	 * @throws IllegalStateException if the server is not bound, is closed, or does not
	 * speak {@link Protocol#CONNECT}
	 */
	public CompletableFuture<InvokeResult> invoke(InvokeRequest request) {
		return operators().call(request);
	}

	/**
	 * Returns arguments for {@link #invoke}, with a value for each field of the
	 * parameters. May take some milliseconds for each service.
	 * @param service the service
	 * @param method signature or name of the method
	 * @return an object of JSON
	 * @throws java.util.NoSuchElementException as for {@link #invoke}
	 * @throws IllegalArgumentException as for {@link #invoke}
	 * @throws IllegalStateException as for {@link #invoke}
	 */
	public String argumentsOf(ServiceId service, String method) {
		return operators().exampleOf(service, method);
	}

	private synchronized OperatorCalls operators() {
		if (this.operators == null) {
			throw new IllegalStateException(
					"rpc.server.protocols: %s (expected: connect among them, for calls of operators). %s"
						.formatted(this.options.protocols, ServerLibraries.missing())
						.strip());
		}
		if (this.listener == null || this.closed) {
			throw new IllegalStateException("the server is not started, or is closed");
		}
		return this.operators;
	}

	/**
	 * Returns the OpenAPI 3.1 document of the services whose calls may be JSON, for
	 * clients of HTTP. Equal services have equal texts. Streams are left out, which the
	 * description of their service says. Constraints of Jakarta Validation on parameters
	 * and fields are keywords of the schemas. May take some milliseconds for each
	 * service.
	 * @return JSON
	 * @throws IllegalStateException if the server has no JSON: because its protocols have
	 * no {@code connect}, because jackson-core is missing, or because the file of a
	 * service names a type that no file has
	 */
	public String openApi() {
		if (this.grpc == null || !this.options.protocols.contains(Protocol.CONNECT)) {
			throw new IllegalStateException(
					"no OpenAPI, because protocols is %s (expected: with connect, whose calls may be JSON)"
						.formatted(Protocol.format(this.options.protocols)));
		}
		if (!ServerLibraries.hasJson()) {
			throw new IllegalStateException("no OpenAPI: " + ServerLibraries.missing());
		}
		try {
			return this.grpc.openApi(this.options.applicationName);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalStateException("no OpenAPI: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Returns the health that clients ask for over gRPC.
	 * @return null if the server does not offer {@code grpc.health.v1.Health}
	 */
	public @Nullable ServerHealth health() {
		return (this.grpc != null) ? this.grpc.health() : null;
	}

	/**
	 * Returns the state of the worker pool.
	 * @return a snapshot
	 */
	public PoolInfo pool() {
		return this.poolMonitor.describe();
	}

	/**
	 * Returns the limits that adapt to the load: of the threads of each service, and of
	 * each method with threads of its own, that the pool runs.
	 * @return snapshots in the order of {@link #services}
	 */
	public List<LimitInfo> limits() {
		return this.resources.services.limits(this.resources.queue);
	}

	/**
	 * Returns the calls in flight: waiting for a thread, running or being answered.
	 * @return the number
	 */
	public int inFlightCalls() {
		return this.resources.inFlight.get();
	}

	/**
	 * Returns the open connections, also those before the handshake.
	 * @return a snapshot, sorted by remote address
	 */
	public List<ConnectionInfo> connections() {
		return this.resources.connections.stream()
			.map(ActiveConnection::describe)
			.sorted(Comparator.comparing(ConnectionInfo::remote))
			.toList();
	}

	/**
	 * Returns the number of open streams: calls in flight with several requests or
	 * results.
	 * @return the number
	 */
	public int openStreams() {
		return this.resources.openStreams();
	}

	/**
	 * Returns the oldest open streams. Costs some microseconds for each.
	 * @param atMost most streams, 0 or more
	 * @return a snapshot, the oldest first
	 */
	public List<StreamInfo> streams(int atMost) {
		return this.resources.oldestStreams(atMost);
	}

	/**
	 * Returns the first fatal failure: a thread or the port of this server has ended
	 * although it was not closed. Only a restart repairs that.
	 * @return text for operators, empty without a failure
	 */
	public synchronized String failure() {
		return (this.transport != null) ? this.transport.health().failure() : "";
	}

	/**
	 * Registers a listener for a fatal failure.
	 * @param listener called once with {@link #failure()}, on the failing thread; at once
	 * if there is a failure already
	 */
	public synchronized void onFailure(Consumer<String> listener) {
		if (this.transport == null) {
			this.failureListeners.add(listener);
		}
		else {
			this.transport.health().onFailure(listener);
		}
	}

	/** Shuts down without a grace period. Does nothing if the server is closed. */
	@Override
	public void close() {
		shutdown(Duration.ZERO);
	}

}
