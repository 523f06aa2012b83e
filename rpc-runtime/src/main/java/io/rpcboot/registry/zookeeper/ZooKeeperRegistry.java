package io.rpcboot.registry.zookeeper;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.rpcboot.ServiceId;
import io.rpcboot.internal.registry.zookeeper.directory.DirectorySession;
import io.rpcboot.internal.registry.zookeeper.directory.Discovery;
import io.rpcboot.internal.registry.zookeeper.directory.ZooKeeperRegistration;
import io.rpcboot.internal.registry.zookeeper.node.ConnectString;
import io.rpcboot.internal.registry.zookeeper.node.Nodes;
import io.rpcboot.internal.registry.zookeeper.node.RegistryPaths;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Registry in ZooKeeper 3.6 or later. Thread-safe. No method waits for ZooKeeper: the
 * registry connects until {@link #close()}, and writes its registrations again in each
 * new session and whenever they are missing.
 * <p>
 * Nodes under the root path: {@code services/<service>/<application>} is an empty node
 * for each service of each application; {@code apps/<application>/revisions/<revision>}
 * lists the services of instances with that revision; {@code
 * apps/<application>/instances/<id>} is the ephemeral node of an instance. The first two
 * stay when their instances are gone.
 * <p>
 * Lists protect clients from transient states: an instance that vanishes stays for the
 * grace time, and after an outage for the session timeout, so that other processes can
 * reconnect; an older instance with the endpoint of a newer one is dropped; a list that
 * was not empty never becomes empty: the last one is kept, and connections find out which
 * endpoints are dead. That also holds if the only instance shuts down, which sends
 * GO_AWAY to its clients.
 * <p>
 * All work, including listeners, runs on one daemon thread ({@code
 * rpc-registry-zookeeper}). A listener that blocks delays this registry only. <pre>{@code
 * Registry registry = new ZooKeeperRegistry(ZooKeeperRegistryOptions.defaults("zk1:2181,zk2:2181"));
 * RpcClient client = RpcClient.builder().registry(registry).build();
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ZooKeeperRegistry implements Registry {

	private static final Logger log = LoggerFactory.getLogger("rpc.registry.zookeeper");

	private static final int BACKOFF_LIMIT = 30;

	private static final String TLS_HINT = " with TLS (expected: a secure port, and a certificate that names its host "
			+ "and that registry.zookeeper.ssl.bundle trusts; the logger org.apache.zookeeper.ClientCnxnSocketNetty says more)";

	private final ZooKeeperRegistryOptions options;

	private final Supplier<CuratorFramework> clients;

	private final ConnectString connectString;

	private final RegistryPaths paths;

	private final RegistryThread thread = new RegistryThread(this::description, this::unexpected);

	private final DirectorySession session = new Session();

	private final Set<ZooKeeperRegistration> registrations = ConcurrentHashMap.newKeySet();

	private final Discovery discovery;

	private final Reachability reachability = new Reachability(InstantSource.system());

	private final HostLookup hosts;

	/** Repeated start of the client. */
	private volatile @Nullable ScheduledFuture<?> starts;

	/** Client whose events count; replaced after a failed login. */
	private volatile @Nullable CuratorFramework current;

	// fields below: registry thread only

	private @Nullable CuratorFramework client;

	private @Nullable Nodes nodes;

	private boolean reachedBefore;

	/** True while a look-up of the hosts is scheduled or runs. */
	private boolean looksUpHosts;

	/** True once the log said that the first connection takes long. */
	private boolean reportedUnreachable;

	private @Nullable ScheduledFuture<?> retry;

	private int failuresInARow;

	private int failedStarts;

	/**
	 * Creates a registry, which connects in the background.
	 * @param options connect string, timeouts and security
	 */
	public ZooKeeperRegistry(ZooKeeperRegistryOptions options) {
		this(options, new CuratorClients(options, ConnectString.parse(options.connectString()),
				(task) -> RegistryThread.daemon(task, "rpc-registry-curator")));
	}

	ZooKeeperRegistry(ZooKeeperRegistryOptions options, Supplier<CuratorFramework> clients) {
		this.options = options;
		this.connectString = ConnectString.parse(options.connectString());
		this.hosts = new HostLookup(this.connectString.servers());
		this.clients = clients;
		this.paths = new RegistryPaths(this.connectString.path() + options.rootPath());
		this.discovery = new Discovery(this.session, this.paths, options);
		this.starts = this.thread.repeat(this::start, options.retryBackoff().toNanos());
	}

	@Override
	public Registration register(ServiceInstance instance) {
		requireOpen();
		ZooKeeperRegistration registration = new ZooKeeperRegistration(this.session, this.paths, instance);
		this.registrations.add(registration);
		this.session.publishAgain(registration);
		return registration;
	}

	@Override
	public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
		requireOpen();
		return this.discovery.subscribe(service, listener);
	}

	@Override
	public RegistryState state() {
		return this.reachability.state();
	}

	@Override
	public Instant stateSince() {
		return this.reachability.since();
	}

	@Override
	public long outages() {
		return this.reachability.outages();
	}

	@Override
	public String problem() {
		return this.reachability.problem();
	}

	@Override
	public String adviceWithoutInstance(ServiceId service) {
		String problem = problem();
		return problem.isEmpty() ? "" : "it " + problem;
	}

	@Override
	public boolean isLocal() {
		return this.connectString.isLoopback();
	}

	@Override
	public String description() {
		return "zookeeper at " + this.connectString;
	}

	@Override
	public String kind() {
		return "zookeeper";
	}

	@Override
	public void close() {
		if (!this.reachability.close()) {
			return;
		}
		this.registrations.forEach(ZooKeeperRegistration::unwant);
		this.discovery.close();
		this.thread.run(this::stop);
		this.thread.shutdown();
	}

	private void requireOpen() {
		if (this.reachability.isClosed()) {
			throw new IllegalStateException("registry: CLOSED (expected: a registry that is open)");
		}
	}

	/** Returns the nodes, null without a connection. */
	@Nullable Nodes connected() {
		return this.reachability.isConnected() ? this.nodes : null;
	}

	/** Starts the client; repeated until it succeeds. */
	private void start() {
		if (this.client != null) {
			Objects.requireNonNull(this.starts).cancel(false);
			return;
		}
		this.client = newClient();
		if (this.client != null) {
			lookUpHostsLater();
		}
	}

	/** Starts a new client. Returns null if that failed. Never throws. */
	private @Nullable CuratorFramework newClient() {
		CuratorFramework started = null;
		try {
			started = this.clients.get();
			prepare(started);
			started.start();
			return started;
		}
		catch (Throwable ex) {
			startFailed(ex, started);
			return null;
		}
	}

	private void startFailed(Throwable failure, @Nullable CuratorFramework failed) {
		try {
			log.atLevel((this.failedStarts++ == 0) ? Level.WARN : Level.DEBUG)
				.setCause(failure)
				.log("Registry {} cannot be started; trying again", description());
			if (failed != null) {
				failed.close();
			}
		}
		catch (Throwable ex) {
			// the next attempt creates another client
		}
	}

	/** Looks the hosts up after the connection timeout, unless there is a connection. */
	private void lookUpHostsLater() {
		if (!this.looksUpHosts) {
			this.looksUpHosts = true;
			this.thread.schedule(this::lookUpHosts, this.options.connectionTimeout().toNanos());
		}
	}

	private void lookUpHosts() {
		this.looksUpHosts = !this.reachability.isConnected();
		if (this.looksUpHosts) {
			this.hosts.start((problem) -> this.session.execute(() -> unreachable(problem)));
		}
	}

	private void prepare(CuratorFramework framework) {
		this.nodes = new Nodes(framework, this.options.sessionTimeout().toMillis(), this.paths.root(),
				this.options.security().nodeAcl());
		this.current = framework;
		framework.getConnectionStateListenable().addListener((client, change) -> changed(client, change));
		framework.getCuratorListenable().addListener((client, event) -> {
			WatchedEvent watched = event.getWatchedEvent();
			if (watched != null && watched.getState() == Watcher.Event.KeeperState.AuthFailed) {
				this.session.execute(() -> loginFailed(client));
			}
		});
	}

	/** Replaces the client, which stops after a failed login. */
	private void loginFailed(@Nullable CuratorFramework client) {
		if (client != null && client == this.current && !this.reachability.isClosed()) {
			refused(AccessDenied.ofLogin(this.options.security()));
			this.current = null;
			this.thread.schedule(() -> startAnew(client), this.options.retryBackoff().toNanos() * BACKOFF_LIMIT);
		}
	}

	private void startAnew(CuratorFramework failed) {
		this.reachability.lost();
		this.registrations.forEach(ZooKeeperRegistration::lost);
		cancelRetry();
		this.client = null;
		failed.close();
		this.starts = this.thread.repeat(this::start, this.options.retryBackoff().toNanos());
	}

	private void refused(String refusal) {
		if (this.reachability.refused(refusal)) {
			log.warn("Registry {} {}; trying again", description(), refusal);
		}
	}

	/** Follows a look-up of the hosts: reports the first one, and looks again later. */
	private void unreachable(String problem) {
		this.looksUpHosts = false;
		if (this.reachability.isConnected() || this.reachability.isClosed()) {
			return;
		}
		this.reachability.unreachable(problem);
		if (!this.reportedUnreachable && !this.reachedBefore && this.reachability.refusal().isEmpty()) {
			this.reportedUnreachable = true;
			boolean tls = this.options.security().tls() != null;
			log.warn(
					"Registry {} cannot be reached yet{}; trying again. Until then clients do not find this server, and references find no new instance",
					description(), problem.isEmpty() ? (tls ? TLS_HINT : "") : ": it " + problem);
		}
		lookUpHostsLater();
	}

	/** Records the change on Curator's thread; the registry thread handles it. */
	private void changed(CuratorFramework client, ConnectionState change) {
		if (client != this.current) {
			return;
		}
		if (change.isConnected()) {
			this.reachability.reached();
		}
		else {
			this.reachability.lost();
		}
		this.session.execute(() -> follow(change));
	}

	private void follow(ConnectionState change) {
		switch (change) {
			case SUSPENDED -> {
				if (this.reachedBefore) {
					log.warn("Registry {} is lost; calls go on to the instances known so far, trying to reach it again",
							description());
					lookUpHostsLater();
				}
			}
			case LOST -> this.registrations.forEach(ZooKeeperRegistration::lost);
			case CONNECTED, RECONNECTED -> {
				log.info("Registry {} is {}", description(), this.reachedBefore ? "back" : "connected");
				if (this.reachedBefore) {
					this.discovery.holdUntil(System.nanoTime() + this.options.sessionTimeout().toNanos());
				}
				this.reachedBefore = true;
				synchronize();
			}
			default -> log.debug("Registry {}: {}", description(), change);
		}
	}

	/** Writes all registrations and reads all subscribed services. */
	private void synchronize() {
		cancelRetry();
		Nodes asked = connected();
		reconcileAll();
		this.discovery.synchronize();
		// without a connection no operation has failed
		if (this.retry == null && asked != null && asked == connected()) {
			this.failuresInARow = 0;
			if (this.reachability.accepted()) {
				log.info("Registry {} lets this process in", description());
			}
		}
	}

	private void reconcileAll() {
		this.registrations.forEach((registration) -> this.session.attempt((now) -> reconcile(now, registration)));
	}

	private void reconcile(Nodes now, ZooKeeperRegistration registration) throws Exception {
		if (registration.isWanted()) {
			registration.publish(now);
			return;
		}
		boolean replaced = this.registrations.stream()
			.anyMatch((other) -> other.isWanted() && other.location().equals(registration.location()));
		if (!replaced) {
			registration.remove(now);
		}
		this.registrations.remove(registration);
	}

	private void retryLater(Throwable failure) {
		String refusal = AccessDenied.of(failure, this.options.security());
		if (failure instanceof KeeperException.AuthFailedException) {
			loginFailed(this.current);
		}
		else if (!refusal.isEmpty()) {
			refused(refusal);
		}
		if (!this.reachability.isConnected() || this.retry != null) {
			log.debug("Registry {}: failed, to be tried again", description(), failure);
			return;
		}
		boolean reported = !refusal.isEmpty() || failure instanceof KeeperException.ConnectionLossException
				|| failure instanceof KeeperException.SessionExpiredException;
		if (this.failuresInARow == 0 && !reported) {
			log.warn("Registry {}: {}; trying again", description(), failure.toString());
		}
		int factor = Math.min(1 << Math.min(this.failuresInARow++, 5), BACKOFF_LIMIT);
		this.retry = this.thread.schedule(this::synchronize, this.options.retryBackoff().toNanos() * factor);
	}

	private void cancelRetry() {
		if (this.retry != null) {
			this.retry.cancel(false);
			this.retry = null;
		}
	}

	private void stop() {
		cancelRetry();
		reconcileAll();
		if (this.client != null) {
			this.client.close();
		}
	}

	private void unexpected(Throwable failure) {
		retryLater(failure); // it writes and reads everything
		log.error("Registry {}: unexpected failure", description(), failure);
	}

	/** Access of the directory to this registry. */
	private final class Session implements DirectorySession {

		@Override
		public void execute(Runnable task) {
			ZooKeeperRegistry.this.thread.execute(task);
		}

		@Override
		public void schedule(Runnable task, long delayNanos) {
			ZooKeeperRegistry.this.thread.schedule(task, delayNanos);
		}

		@Override
		public void attempt(Work work) {
			Nodes now = connected();
			if (now == null) {
				return;
			}
			try {
				work.with(now);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			catch (Throwable ex) {
				retryLater(ex);
			}
		}

		@Override
		public void publishAgain(ZooKeeperRegistration registration) {
			execute(() -> attempt((now) -> reconcile(now, registration)));
		}

		@Override
		public void takeOut(ZooKeeperRegistration registration) {
			if (!ZooKeeperRegistry.this.reachability.isClosed()) {
				ZooKeeperRegistry.this.thread.run(() -> attempt((now) -> reconcile(now, registration)));
			}
		}

	}

}
