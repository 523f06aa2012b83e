package io.rpcboot.internal.client.pool;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.internal.client.call.FailureMessages;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.ClientProtocol;
import io.rpcboot.internal.client.connection.ConnectionStats;
import io.rpcboot.internal.client.connection.UnsentCallQueue;
import io.rpcboot.internal.client.contract.BindRejection;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.client.runtime.InstanceWait;
import io.rpcboot.internal.client.security.CachedCredentials;
import io.rpcboot.internal.transport.tls.TlsContext;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections to one endpoint with one flush policy. Opens them before the first call and
 * replaces lost ones with exponential backoff and jitter. Control thread only; events of
 * connections, which come from event loops, are passed on to it.
 */
public final class ConnectionPool {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	/** Lifetime of a connection after which the backoff starts anew. */
	private static final long HEALTHY_NANOS = TimeUnit.SECONDS.toNanos(5);

	/**
	 * Lifetime up to which the end of a connection without a call is no loss for waiting
	 * calls.
	 */
	private static final long MIN_LIFE_NANOS = ReconnectBackoff.MIN_INTERVAL_NANOS;

	/** Number that stands for all methods of a service. */
	public static final int ANY_METHOD = -1;

	private final Endpoint endpoint;

	private final InstanceTls tls;

	private final PoolKey key;

	private final ClientResources client;

	private final ClientProtocol protocol;

	private final Set<User> users = new LinkedHashSet<>();

	/** Bound services. Event loops read them when a connection opens. */
	private final Collection<ServiceBinding> bindings = new ConcurrentLinkedQueue<>();

	private final ReadyConnections connections = new ReadyConnections();

	private final Set<PooledConnection> ready = this.connections.all;

	/** Connections that have taken calls and only finish the pending ones. */
	private final Set<PooledConnection> draining = new HashSet<>();

	private final FrozenConnectionMonitor frozen;

	private final ReconnectBackoff reconnects;

	private final WaitForReady outlook = new WaitForReady();

	/** Statistics of the last lost connection that has no successor yet. */
	private @Nullable ConnectionStats lost;

	/**
	 * Connections that must be opened and for which no attempt is scheduled. Raised
	 * before a step and lowered after it, so that a step that throws leaves the debt.
	 */
	private int owedConnects;

	/** True if the loss of the instance was logged and its return was not. */
	private boolean warned;

	/** True if no reference uses the pool any more. */
	private boolean retired;

	private State state = State.CONNECTING;

	private String problem = "";

	/** Refusal of this client in the latest handshake, null for none. */
	private @Nullable BindRejection unauthenticated;

	public ConnectionPool(PoolKey key, ClientResources client, ClientProtocol protocol) {
		this.key = key;
		this.endpoint = key.endpoint();
		this.client = client;
		this.protocol = protocol;
		this.tls = new InstanceTls(protocol.security().tls(), key);
		this.frozen = new FrozenConnectionMonitor(this.endpoint, this.ready);
		this.reconnects = new ReconnectBackoff(client, () -> runSafely(this::connect));
	}

	/** Reference that uses the pool. Control thread. */
	public interface User {

		/** Returns the service of the reference. */
		ServiceBinding binding();

		/** Returns the queues of its calls that wait for a connection. */
		List<UnsentCallQueue> queues();

		/** Called when the state of the pool has changed. */
		void refresh();

	}

	Endpoint endpoint() {
		return this.endpoint;
	}

	PoolKey key() {
		return this.key;
	}

	ClientProtocol protocol() {
		return this.protocol;
	}

	Collection<ServiceBinding> bindings() {
		return this.bindings;
	}

	/**
	 * Adds a reference. The first one opens the connections; those whose step throws stay
	 * owed.
	 */
	public void use(User user) {
		boolean first = this.users.isEmpty();
		this.users.add(user);
		if (first) {
			this.owedConnects = this.client.options().connectionsPerEndpoint;
		}
		if (!this.bindings.contains(user.binding())) {
			this.bindings.add(user.binding());
			this.ready.forEach((each) -> each.connection.bind(user.binding()));
		}
		this.connections.chooseSources(this.users);
		runSafely(this::connectOwed);
	}

	/** Opens the connections for which no attempt is scheduled. */
	private void connectOwed() {
		for (int i = this.owedConnects; i > 0; i--) {
			this.owedConnects--;
			connect();
		}
	}

	/**
	 * Checks for owed connections and for frozen ones. Called every 250 ms.
	 */
	void check() {
		if (this.ready.isEmpty()) {
			this.outlook.onCheck(FrozenDetector.CHECK_NANOS);
		}
		runSafely(this::connectOwed);
		runSafely(() -> this.frozen.check(now(), this::notifyUsers));
	}

	/**
	 * Removes a reference. Returns true if it was the last one; then the pool is retired.
	 */
	boolean leave(User user) {
		this.users.remove(user);
		if (!this.users.isEmpty()) {
			this.connections.chooseSources(this.users);
			return false;
		}
		this.retired = true;
		this.ready.forEach((each) -> each.connection.drain.drain());
		this.ready.clear();
		return true;
	}

	private void connect() {
		if (this.retired) {
			return;
		}
		this.owedConnects++;
		this.reconnects.begins();
		Duration timeout = this.client.options().connectTimeout;
		CachedCredentials credentials = this.protocol.security().credentials();
		if (credentials != null && !credentials.areValid()) {
			credentials.await(timeout, (failed) -> control(() -> {
				if (failed.isEmpty()) {
					connect();
				}
				else {
					onFailed("cannot connect: " + failed);
				}
			}));
		}
		else {
			this.client.transport()
				.connect(this.endpoint, timeout, this.tls.target(), this.key.batching(),
						(opened) -> new PooledConnection(opened, this, this.client).connection.handler(),
						(failure) -> control(() -> onFailed("cannot connect: " + ConnectFailureText.of(failure))));
		}
		this.owedConnects--; // one of the callbacks follows
	}

	/**
	 * Takes whether the instance is registered with TLS. Connections in clear text to an
	 * instance that speaks TLS from now on are replaced.
	 */
	public void registered(boolean speaksTls) {
		if (this.tls.registered(speaksTls)) {
			renew();
		}
	}

	private void onFailed(String problem) {
		this.unauthenticated = null;
		retryLater(State.BACKING_OFF, problem);
	}

	/** Schedules a new attempt. If scheduling throws, the attempt stays owed. */
	private void retryLater(State state, String problem) {
		this.outlook.onFirstOutcome();
		this.owedConnects++;
		long pause = this.reconnects.later();
		this.owedConnects--;
		this.problem = problem;
		if (this.ready.isEmpty()) {
			this.state = state;
		}
		if (!this.warned && !this.retired) {
			this.warned = true;
			if (state == State.DRAINING) {
				logger.info("Instance {}: {}; it takes no more calls", this.endpoint, problem);
			}
			else {
				logger.warn("Instance {}: {}; reconnecting in {}, then less often", this.endpoint, problem,
						FailureMessages.text(Duration.ofNanos(pause)));
			}
		}
		notifyUsers();
	}

	/** Replaces the connections, each after a random time. */
	void renew() {
		for (PooledConnection each : this.ready) {
			this.client.control().schedule(() -> onOld(each, false), TlsContext.renewalPause(), TimeUnit.NANOSECONDS);
		}
	}

	/**
	 * Uses credentials that were renewed: connections send them, or are replaced if their
	 * server has rejected a service because of the former ones.
	 */
	void renewCredentials() {
		for (PooledConnection each : this.ready) {
			if (each.isForbidden()) {
				onOld(each, false);
			}
			else {
				each.connection.renewCredentials();
			}
		}
		this.client.control() // after the attempt that may have failed right now
			.schedule(() -> runSafely(this::connectSoon), ReconnectBackoff.MIN_INTERVAL_NANOS, TimeUnit.NANOSECONDS);
	}

	/** Tries to connect now if calls wait and no connection is ready. */
	public void connectSoon() {
		if (this.ready.isEmpty()) {
			this.reconnects.now();
		}
	}

	/**
	 * Returns true if a call may go on waiting for a connection.
	 * @param sinceNanos start of the wait
	 * @param wait longest wait of the reference
	 */
	public boolean mayBecomeReady(long sinceNanos, InstanceWait wait) {
		return this.ready.isEmpty() && (this.outlook.mayWait(sinceNanos, wait.nanos(), now()) || (wait.isDefault()
				&& this.outlook.isFirstAttempt(Options.nanos(this.client.options().connectTimeout))));
	}

	public WaitForReady outlook() {
		return this.outlook;
	}

	private long now() {
		return this.client.nanoTime().getAsLong();
	}

	void onReady(PooledConnection pooled) {
		control(() -> {
			if (this.retired) {
				pooled.connection.drain.drain();
				return;
			}
			PooledConnection old = this.connections.takeOld();
			if (old != null) {
				this.lost = old.connection.load;
			}
			if (this.lost != null) {
				pooled.connection.load.inherit(this.lost);
				this.lost = null;
			}
			this.owedConnects++;
			pooled.becomesReady();
			this.ready.add(pooled);
			this.owedConnects--;
			this.outlook.onFirstOutcome();
			this.state = State.READY;
			this.problem = "";
			this.unauthenticated = null;
			this.bindings.forEach(pooled.connection::bind);
			pooled.connection.renewCredentials();
			notifyUsers();
			if (old != null) {
				old.connection.drain.drainReplaced();
			}
			if (this.warned) {
				this.client.control()
					.schedule(() -> runSafely(() -> announce(pooled)), MIN_LIFE_NANOS, TimeUnit.NANOSECONDS);
			}
		});
	}

	/**
	 * Logs the return of the instance, after a delay in which a draining server leaves.
	 */
	private void announce(PooledConnection pooled) {
		if (this.warned && this.ready.contains(pooled)) {
			this.warned = false;
			logger.info("Instance {}: connected", this.endpoint);
		}
	}

	void onDraining(PooledConnection pooled, String reason, boolean served) {
		control(() -> replace(pooled, State.DRAINING, reason, served));
	}

	/**
	 * Opens a connection that replaces this one because the server asks for it.
	 * @param ends true if this connection takes no more calls from now on
	 */
	void onOld(PooledConnection pooled, boolean ends) {
		control(() -> {
			if (this.ready.contains(pooled) && !pooled.isOld) {
				pooled.isOld = true;
				this.owedConnects++;
				if (pooled.readyNanos() > MIN_LIFE_NANOS) {
					connectOwed();
				}
				else {
					this.reconnects.later();
					this.owedConnects--;
				}
			}
			if (ends) {
				replace(pooled, State.CONNECTING, "", true);
			}
		});
	}

	void onClosed(PooledConnection pooled, String why) {
		control(() -> {
			if (this.draining.remove(pooled)) {
				this.outlook.onLost(now()); // a new process can bind the port only now
			}
			else if (pooled.wasReady) {
				replace(pooled, State.BACKING_OFF, why, pooled.connection.totals().usedCalls() > 0);
			}
			else if (!this.retired) {
				this.unauthenticated = pooled.unauthenticated;
				CachedCredentials credentials = this.protocol.security().credentials();
				if (this.unauthenticated != null && credentials != null) {
					credentials.refused();
				}
				retryLater(pooled.isIncompatible ? State.INCOMPATIBLE : State.BACKING_OFF, why);
			}
		});
	}

	private void replace(PooledConnection pooled, State state, String why, boolean served) {
		if (!this.ready.remove(pooled) || this.retired) {
			return;
		}
		this.lost = pooled.connection.load;
		long life = pooled.readyNanos();
		if (life > HEALTHY_NANOS) {
			this.reconnects.succeeded();
		}
		if (served || life > MIN_LIFE_NANOS) {
			this.outlook.onLost(now());
			if (state != State.BACKING_OFF) {
				this.draining.add(pooled);
			}
		}
		if (!pooled.isOld) {
			retryLater(state, why);
			return;
		}
		if (this.ready.isEmpty()) { // the replacement is being opened
			this.state = state;
			this.problem = why;
		}
		notifyUsers();
	}

	/**
	 * Handles a rejection by the server of a connection.
	 * @param entry stores the rejection and returns its reason
	 */
	void onRefused(PooledConnection pooled, ServiceBinding binding, Supplier<String> entry) {
		control(() -> {
			if (this.ready.contains(pooled)) {
				this.connections.warnRefused(this.endpoint, binding, entry.get());
				notifyUsers();
			}
		});
	}

	/** Returns the connections that take a method; ANY_METHOD stands for all methods. */
	public ClientConnection[] connectionsFor(ServiceBinding binding, int number, boolean frozen) {
		return this.connections.takers(binding, number, frozen);
	}

	/** Returns the numbers of the methods that some connection rejects. */
	public Set<Integer> refusedMethods(ServiceBinding binding) {
		return this.connections.refusedMethods(binding);
	}

	/**
	 * Returns why all connections reject a method, or why the server refuses to have one;
	 * null if a connection takes it or none is ready.
	 */
	public @Nullable BindRejection refusal(ServiceBinding binding, int number) {
		return this.ready.isEmpty() ? this.unauthenticated : this.connections.refusal(binding, number);
	}

	/** Returns the state for display. */
	public ReferenceInfo.Instance describe(ServiceBinding binding, String application, String id) {
		BindRejection refusal = refusal(binding, ANY_METHOD);
		boolean frozen = this.frozen.isAny();
		String refused = this.connections.describeRefused(binding, frozen ? FrozenConnectionMonitor.WHY : this.problem);
		return new ReferenceInfo.Instance(this.endpoint, application, id,
				(refusal != null) ? State.INCOMPATIBLE : frozen ? State.FROZEN : this.state, this.ready.size(),
				this.connections.pendingCalls(), (refusal != null) ? refusal.why() : refused);
	}

	/** Notifies all references, even if one of them throws. */
	private void notifyUsers() {
		this.connections.chooseSources(this.users);
		this.users.forEach((user) -> runSafely(user::refresh));
	}

	private void runSafely(Runnable task) {
		try {
			task.run();
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The client is closed", ex);
		}
		catch (Throwable ex) {
			this.client.transport().health().log().survived("Connections to an instance", ex);
		}
	}

	/** Runs a task on the control thread; drops it if the client is closed. */
	private void control(Runnable task) {
		try {
			this.client.control().execute(() -> runSafely(task));
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The client is closed", ex);
		}
	}

}
