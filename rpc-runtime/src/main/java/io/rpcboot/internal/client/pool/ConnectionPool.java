package io.rpcboot.internal.client.pool;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.internal.client.call.FailureMessages;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.ConnectionStats;
import io.rpcboot.internal.client.connection.PendingCallQueue;
import io.rpcboot.internal.client.contract.BindRejection;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.transport.BatchingOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The connections to one endpoint under one batching: opened before the first call,
 * replaced when they end, with exponential backoff and jitter. Confined to the control
 * thread but for what event loops report, which it passes on to there.
 */
public final class ConnectionPool {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	/** A connection that lived this long had nothing wrong with it at its beginning. */
	private static final long HEALTHY_NANOS = TimeUnit.SECONDS.toNanos(5);

	/** Between two looks at connections whose reconnect could not be scheduled. */
	private static final long LOOK_SECONDS = 30;

	/** One without a call that lives no longer than this is an attempt that failed. */
	private static final long NO_LIFE_NANOS = ReconnectBackoff.LEAST_NANOS;

	/** Stands for the methods that are not refused by themselves. */
	public static final int ANY_METHOD = -1;

	private final Endpoint endpoint;

	private final BatchingOptions batching;

	private final ClientResources client;

	private final Set<User> users = new LinkedHashSet<>();

	/** Read by event loops when a connection opens. */
	private final Collection<ServiceBinding> bindings = new ConcurrentLinkedQueue<>();

	private final ReadyConnections connections = new ReadyConnections();

	private final Set<PooledConnection> ready = this.connections.all;

	/** Connections that have taken calls and only finish what is under way. */
	private final Set<PooledConnection> draining = new HashSet<>();

	private final FrozenConnectionMonitor silent;

	private final ReconnectBackoff reconnects;

	private final WaitForReady outlook = new WaitForReady();

	/** Of the latest connection that was lost and has no successor yet. */
	private @Nullable ConnectionStats lost;

	/** Connections that are to be opened again and for which nothing is scheduled yet. */
	private int pendingConnects;

	/** Looks after those; null until the pool is used. */
	private @Nullable Future<?> looks;

	private boolean warned;

	private boolean retired;

	private State state = State.CONNECTING;

	private String problem = "";

	public ConnectionPool(Endpoint endpoint, BatchingOptions batching, ClientResources client) {
		this.endpoint = endpoint;
		this.batching = batching;
		this.client = client;
		this.silent = new FrozenConnectionMonitor(endpoint, this.ready);
		this.reconnects = new ReconnectBackoff(client, () -> runSafely(this::connect));
	}

	/** A reference that has its calls sent through the pool. Control thread. */
	public interface User {

		/** The service that it calls. */
		ServiceBinding binding();

		/** Its calls that wait for a connection. */
		List<PendingCallQueue> queues();

		/** The state of the pool has changed. */
		void refresh();

	}

	Endpoint endpoint() {
		return this.endpoint;
	}

	BatchingOptions batching() {
		return this.batching;
	}

	Collection<ServiceBinding> bindings() {
		return this.bindings;
	}

	public void use(User user) {
		boolean first = this.users.isEmpty();
		this.users.add(user);
		if (!this.bindings.contains(user.binding())) {
			this.bindings.add(user.binding());
			this.ready.forEach((each) -> each.connection.bind(user.binding()));
		}
		this.connections.chooseSources(this.users);
		if (first) {
			this.looks = this.client.control()
				.scheduleWithFixedDelay(() -> runSafely(this::reconnectOwed), LOOK_SECONDS, LOOK_SECONDS,
						TimeUnit.SECONDS);
			for (int i = 0; i < this.client.options().connectionsPerEndpoint; i++) {
				connect();
			}
		}
	}

	/** What could not be scheduled when its connection was lost is done now. */
	private void reconnectOwed() {
		for (int i = this.pendingConnects; i > 0; i--) {
			this.pendingConnects--;
			connect();
		}
	}

	/** Control thread, now and then. */
	void lookForSilence() {
		runSafely(() -> this.silent.check(now(), this::tellUsers));
	}

	/** Returns true when nobody uses it any more: it is of no more use then. */
	boolean leave(User user) {
		this.users.remove(user);
		if (!this.users.isEmpty()) {
			this.connections.chooseSources(this.users);
			return false;
		}
		this.retired = true;
		if (this.looks != null) {
			this.looks.cancel(false);
		}
		this.ready.forEach((each) -> each.connection.drain.drain());
		this.ready.clear();
		return true;
	}

	private void connect() {
		if (this.retired) {
			return;
		}
		this.pendingConnects++;
		this.reconnects.begins();
		this.client.transport()
			.connect(this.endpoint, this.client.options().connectTimeout, this.batching,
					(opened) -> new PooledConnection(opened, this, this.client).connection, (failure) -> control(
							() -> retryLater(State.BACKING_OFF, "cannot connect: " + ConnectFailureText.of(failure))));
		this.pendingConnects--; // from here on one of the callbacks follows
	}

	/** Open a connection again. Whatever fails on the way, it is not forgotten. */
	private void retryLater(State state, String problem) {
		this.outlook.onFirstOutcome();
		this.pendingConnects++;
		long pause = this.reconnects.later();
		this.pendingConnects--;
		this.problem = problem;
		if (this.ready.isEmpty()) {
			this.state = state;
		}
		if (!this.warned && !this.retired) {
			this.warned = true;
			logger.atLevel((state == State.DRAINING) ? Level.INFO : Level.WARN)
				.log("Instance {}: {}; trying again in {}, then with growing pauses", this.endpoint, problem,
						FailureMessages.text(Duration.ofNanos(pause)));
		}
		tellUsers();
	}

	/**
	 * Calls want a connection: if there is none, try again soon, not at the next time.
	 */
	public void connectSoon() {
		if (this.ready.isEmpty()) {
			this.reconnects.now();
		}
	}

	/**
	 * Whether a call that finds no connection here may go on waiting for one.
	 * @param sinceNanos since when it waits
	 * @param waitNanos how long calls wait
	 */
	public boolean mayBecomeReady(long sinceNanos, long waitNanos) {
		return this.ready.isEmpty() && this.outlook.mayWait(sinceNanos, waitNanos, now());
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
			this.pendingConnects++;
			pooled.becomesReady();
			this.ready.add(pooled);
			this.pendingConnects--;
			this.outlook.onFirstOutcome();
			this.state = State.READY;
			this.problem = "";
			this.bindings.forEach(pooled.connection::bind);
			tellUsers();
			if (old != null) {
				old.connection.drain.drainReplaced();
			}
			if (this.warned) {
				this.client.control()
					.schedule(() -> runSafely(() -> announce(pooled)), NO_LIFE_NANOS, TimeUnit.NANOSECONDS);
			}
		});
	}

	/** Not at once, or a server that drains would have a line for each attempt. */
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
	 * The server wants another connection in place of this one, which goes when the other
	 * is there.
	 * @param ends whether it has gone now
	 */
	void onOld(PooledConnection pooled, boolean ends) {
		control(() -> {
			if (this.ready.contains(pooled) && !pooled.isOld) {
				pooled.isOld = true;
				this.pendingConnects++;
				if (pooled.readyNanos() > NO_LIFE_NANOS) {
					reconnectOwed();
				}
				else {
					this.reconnects.later();
					this.pendingConnects--;
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
				this.outlook.onLost(now()); // what follows on its port can only start now
			}
			else if (pooled.wasReady) {
				replace(pooled, State.BACKING_OFF, why, pooled.connection.totals().usedCalls() > 0);
			}
			else if (!this.retired) {
				retryLater(State.BACKING_OFF, why);
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
		if (served || life > NO_LIFE_NANOS) {
			this.outlook.onLost(now());
			if (state != State.BACKING_OFF) {
				this.draining.add(pooled);
			}
		}
		if (!pooled.isOld) {
			retryLater(state, why);
			return;
		}
		if (this.ready.isEmpty()) { // the other is on its way
			this.state = state;
			this.problem = why;
		}
		tellUsers();
	}

	/**
	 * The server of a connection refuses something.
	 * @param entry enters it, and says for people what is refused
	 */
	void onRefused(PooledConnection pooled, ServiceBinding binding, Supplier<String> entry) {
		control(() -> {
			if (this.ready.contains(pooled)) {
				this.connections.warnRefused(this.endpoint, binding, entry.get());
				tellUsers();
			}
		});
	}

	/** Those that take a method; ANY_METHOD for all. Frozen ones count if asked for. */
	public ClientConnection[] connectionsFor(ServiceBinding binding, int number, boolean frozen) {
		return this.connections.takers(binding, number, frozen);
	}

	/** The methods of a service that some connection refuses, by number. */
	public Set<Integer> refusedMethods(ServiceBinding binding) {
		return this.connections.refusedMethods(binding);
	}

	/** Why no connected server serves a method; null if one does or none is there. */
	public @Nullable BindRejection refusal(ServiceBinding binding, int number) {
		return this.connections.refusal(binding, number);
	}

	public ReferenceInfo.Instance describe(ServiceBinding binding, String application, String id) {
		BindRejection refusal = refusal(binding, ANY_METHOD);
		boolean frozen = this.silent.isAny();
		String refused = this.connections.describeRefused(binding, frozen ? FrozenConnectionMonitor.WHY : this.problem);
		return new ReferenceInfo.Instance(this.endpoint, application, id,
				(refusal != null) ? State.INCOMPATIBLE : frozen ? State.FROZEN : this.state, this.ready.size(),
				this.connections.pendingCalls(), (refusal != null) ? refusal.why() : refused);
	}

	/** One that fails does not keep the others from learning it. */
	private void tellUsers() {
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

	/** After the client's end nobody is interested any more. */
	private void control(Runnable task) {
		try {
			this.client.control().execute(() -> runSafely(task));
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The client is closed", ex);
		}
	}

}
