package io.rpcboot.server;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.Side;
import io.rpcboot.internal.concurrent.WorkerPoolStats;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.server.connection.ServerConnection;
import io.rpcboot.internal.server.lifecycle.AdvertisedAddress;
import io.rpcboot.internal.server.lifecycle.GracefulShutdown;
import io.rpcboot.internal.server.lifecycle.PoolExhaustionMonitor;
import io.rpcboot.internal.server.lifecycle.ServerGauges;
import io.rpcboot.internal.server.lifecycle.ServerRegistration;
import io.rpcboot.internal.server.runtime.ActiveConnection;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.QueueSweeper;
import io.rpcboot.internal.server.services.ServiceTable;
import io.rpcboot.internal.transport.PerAddressLimit;
import io.rpcboot.internal.transport.Transport;
import io.rpcboot.internal.transport.frame.BodyAllocator;
import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.RegistrationInfo.Mode;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.EventLoopOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers services. Thread-safe.
 */
public final class RpcServer implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger("rpc.server");

	private final ServerOptions options;

	private final ServerResources runtime;

	private final PoolExhaustionMonitor poolWatch;

	private final QueueSweeper queueBeat;

	private final List<Consumer<String>> failureListeners = new ArrayList<>();

	private final GaugeRegistrations levels;

	private final ServerRegistration presence;

	private final GracefulShutdown end;

	private @Nullable Transport transport;

	private Transport.@Nullable Listener listener;

	private @Nullable Endpoint advertised;

	/** On which it listens, which need not be the one that is advertised. */
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
		this.runtime = new ServerResources(options, services, memory, log);
		this.presence = new ServerRegistration(options, services.ids(), InstantSource.system());
		this.end = new GracefulShutdown(this.runtime);
		WorkerPoolStats pool = new WorkerPoolStats(this.runtime.workers);
		this.poolWatch = new PoolExhaustionMonitor(pool, this.runtime.queue::waitsForLimits, System::nanoTime);
		this.queueBeat = new QueueSweeper(pool, this.runtime.queue, services.times(), this.runtime.recorder);
		this.levels = ServerGauges.of(this.runtime, memory.account(), pool, this.presence);
	}

	/**
	 * Set up a server.
	 * @return a builder with defaults for everything but the services
	 */
	public static RpcServerBuilder builder() {
		return new RpcServerBuilder();
	}

	/**
	 * Bind and register.
	 * @return this
	 * @throws RpcConfigurationException if the port is in use, or the address cannot be
	 * reached by those who see the registry
	 */
	public RpcServer start() {
		bind();
		register();
		return this;
	}

	/**
	 * Listen and serve whoever connects, without being registered. Twice does nothing.
	 * @throws RpcConfigurationException if the port is in use, or the address cannot be
	 * reached by those who see the registry
	 */
	public synchronized void bind() {
		if (this.closed) {
			throw new IllegalStateException("the server is closed");
		}
		if (this.listener != null) {
			return;
		}
		AdvertisedAddress chosen = AdvertisedAddress.choose(this.options);
		Transport sockets = new Transport("rpc-server", this.options.eventLoop, this.options.socket,
				this.options.idleTimeout, this.options.maxFrameSize,
				Transport.recorder(this.options.metrics, Side.SERVER));
		try {
			Transport.Listener bound = sockets.listen(this.options.bindAddress, this.options.port,
					this.options.batching, new PerAddressLimit(this.options.connectionsPerAddress()),
					(connection) -> new ServerConnection(connection, this.runtime));
			this.transport = sockets;
			sockets.offer(this.options.metrics, Side.SERVER, this.runtime.memory.bodies());
			this.runtime.memory.start(sockets.anyLoop());
			this.poolWatch.start(sockets.anyLoop());
			this.queueBeat.start(sockets.anyLoop());
			this.failureListeners.forEach(sockets.health()::onFailure);
			this.listener = bound;
			this.boundPort = bound.port();
			int port = this.options.instance.advertisedPort();
			this.advertised = new Endpoint(chosen.host(), (port > 0) ? port : this.boundPort);
			logger.debug("RPC server listens on port {}", this.boundPort);
			this.presence.bound(chosen, advertisedEndpoint());
		}
		catch (IOException ex) {
			sockets.close();
			throw this.options.cannotBind(ex);
		}
	}

	/**
	 * Let clients find this server, unless an operator has taken it out. Does not wait
	 * for the registry. Twice does nothing.
	 */
	public void register() {
		this.presence.register();
	}

	/** Let clients no longer find this server. It goes on serving. Twice does nothing. */
	public void deregister() {
		this.presence.deregister();
	}

	/**
	 * Take this server out of the registry until {@link #online}, whatever its
	 * application says of itself. Connections stay and are accepted; calls that come are
	 * served. Any thread; waits some seconds for a registry that is away. Twice does
	 * nothing.
	 * @param reason who asks, or why, for the log and {@link #presence()}
	 * @throws IllegalStateException if it is not this server that registers, or it is
	 * closed
	 */
	public void offline(String reason) {
		this.presence.change(Mode.OFFLINE, reason, () -> this.runtime.setDraining(null));
	}

	/**
	 * The same as {@link #offline}, also without a registry, and every client is told to
	 * go away, those that connect from now on, too. Calls under way are finished. The
	 * server stays as it is until {@link #online}.
	 * @param reason who asks, or why, for the log and {@link #presence()}
	 * @return completes when every client was told, never on an event loop: what depends
	 * on it may block; later calls are not served
	 * @throws IllegalStateException if it is closed
	 */
	public CompletableFuture<Void> drain(String reason) {
		this.presence.change(Mode.DRAINED, reason,
				() -> this.runtime.setDraining("the server is drained by an operator"));
		return goAway();
	}

	/**
	 * Take this server back: clients may connect, and it is registered if its application
	 * takes traffic. Any thread; waits for nothing. Twice does nothing.
	 * @param reason who asks, or why, for the log and {@link #presence()}
	 * @throws IllegalStateException if it is closed
	 */
	public void online(String reason) {
		this.presence.change(Mode.ONLINE, reason, () -> this.runtime.setDraining(null));
	}

	/**
	 * Change the share of the calls in relation to other instances. The registry is told,
	 * and clients hear of it from there. Any thread; does not wait for the registry.
	 * @param weight 1 to 10000
	 * @param reason who asks, or why, for the log
	 * @throws RpcConfigurationException if the weight is out of range
	 * @throws IllegalStateException if it is not this server that registers, or it is
	 * closed
	 */
	public void weight(int weight, String reason) {
		this.presence.weight(weight, reason);
	}

	/**
	 * What an operator has made of this server.
	 * @return as it is now
	 */
	public RegistrationInfo presence() {
		return this.presence.info();
	}

	/**
	 * Tell connected clients to leave: they finish their calls and open new connections.
	 * @return completes when every client was told, never on an event loop: what depends
	 * on it may block; at once before {@link #bind()}
	 */
	public CompletableFuture<Void> goAway() {
		CompletableFuture<Void> told = ActiveConnection.goAway(this.runtime.connections);
		return told.isDone() ? told : told.thenApplyAsync((done) -> done, this.runtime.hookThreads);
	}

	/**
	 * Deregister, tell every client to go away, finish the calls in flight, close. Blocks
	 * until all is closed; a thread that is interrupted cuts the calls. While it runs,
	 * another one waits for its end, but on an event loop and in a call of this server,
	 * and shortens the grace period if it gives less.
	 * @param gracePeriod longest time for the calls in flight, 0 to cut them
	 * @return how it went; of no calls for those who come second
	 */
	public ShutdownReport shutdown(Duration gracePeriod) {
		return this.end.run(gracePeriod, this::leave, this.levels::close);
	}

	/** Returns null if it does not listen. */
	private synchronized GracefulShutdown.@Nullable Sockets leave() {
		this.closed = true;
		try {
			this.presence.close();
		}
		catch (RuntimeException | Error ex) { // a registry of one's own, or no memory
			logger.warn("The server could not be deregistered; it closes all the same", ex);
		}
		if (this.transport == null || this.listener == null) {
			return null;
		}
		this.runtime.setDraining(ServerResources.SHUTS_DOWN);
		return new GracefulShutdown.Sockets(this.transport, this.listener);
	}

	/**
	 * The port that is bound.
	 * @return 1 to 65535
	 * @throws IllegalStateException before {@link #bind()}
	 */
	public int port() {
		advertisedEndpoint();
		return this.boundPort;
	}

	/**
	 * The address that is registered.
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
	 * Where the registry holds this server.
	 * @return the location, for ZooKeeper the path of the node; empty when not registered
	 */
	public String registeredLocation() {
		return this.presence.location();
	}

	/**
	 * How sockets are served.
	 * @return null before {@link #bind()}; never {@code AUTO}
	 */
	public synchronized EventLoopOptions.@Nullable Transport transport() {
		return (this.transport != null) ? this.transport.kind() : null;
	}

	/**
	 * The services offered.
	 * @return a snapshot
	 */
	public List<ServiceInfo> services() {
		return this.runtime.services.describe();
	}

	/**
	 * The threads that run calls.
	 * @return a snapshot
	 */
	public PoolInfo pool() {
		return this.poolWatch.describe();
	}

	/**
	 * Calls being executed, waiting for a thread, or being answered.
	 * @return the number
	 */
	public int inFlightCalls() {
		return this.runtime.inFlight.get();
	}

	/**
	 * The open connections, with those that have not introduced themselves yet.
	 * @return a snapshot, by remote address
	 */
	public List<ConnectionInfo> connections() {
		return this.runtime.connections.stream()
			.map(ActiveConnection::describe)
			.sorted(Comparator.comparing(ConnectionInfo::remote))
			.toList();
	}

	/**
	 * What has broken this server: a thread of it, or its port, has ended although nobody
	 * closed it. Nothing mends that but a restart.
	 * @return the first failure, for people; empty while there is none
	 */
	public synchronized String failure() {
		return (this.transport != null) ? this.transport.health().failure() : "";
	}

	/**
	 * Tell someone when this server is broken.
	 * @param listener told once with {@link #failure()}, on a thread that ends; at once
	 * if it is broken already
	 */
	public synchronized void onFailure(Consumer<String> listener) {
		if (this.transport == null) {
			this.failureListeners.add(listener);
		}
		else {
			this.transport.health().onFailure(listener);
		}
	}

	/** The same as a shutdown with no grace period. Twice does nothing. */
	@Override
	public void close() {
		shutdown(Duration.ZERO);
	}

}
