package io.rpcboot.internal.client.routing;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.outlier.InstanceOutlierStats;
import io.rpcboot.internal.client.outlier.LatencyTrend;
import io.rpcboot.internal.client.outlier.MethodOutcomes;
import io.rpcboot.internal.client.outlier.MethodOutcomes.Tally;
import io.rpcboot.internal.client.outlier.OutlierDetector;
import io.rpcboot.internal.client.outlier.InstanceOutlierStats.Phase;
import io.rpcboot.internal.client.outlier.SlowStart;
import io.rpcboot.internal.client.pool.ConnectionPool;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Instance of a reference: its connections, and the outcomes of the calls there.
 * References with the same address and batching share connections; the outcomes are those
 * of all calls of references with the same service and serializer. Control thread.
 */
public final class InstanceState {

	private static final long NANOS_PER_MILLI = 1_000_000;

	/** Two comparisons, so that the last one sees the full share. */
	private static final long LAST_NANOS = 2 * OutlierDetector.LOOK_NANOS;

	/** Values of a tally that {@link #values} returns. */
	private static final int VALUES = 4;

	private final ServiceBinding binding;

	public final ConnectionPool pool;

	/** Replaced when there is no other instance to compare with. */
	InstanceOutlierStats health;

	private ServiceInstance instance;

	/** Time of the first snapshot with this id. */
	private long seenNanos;

	/** Values already counted, by the tallies of each connection. */
	private final Map<MethodOutcomes, long[]> read = new HashMap<>();

	/** Typical latencies, to report a slow instance that is not ejected. */
	LatencyTrend trend;

	/** Calls for operators; null until they are asked for. */
	private @Nullable RecentCalls calls;

	/** Open trial of the ejected instance; null if there is none. */
	@Nullable HalfOpenProbe probe;

	/**
	 * The instance as the other part of its reference sees it, whose calls another
	 * protocol carries; null without one.
	 */
	@Nullable InstanceState twin;

	InstanceState(ServiceBinding binding, ServiceInstance instance, ConnectionPool pool, long nowNanos) {
		this.binding = binding;
		this.instance = instance;
		this.pool = pool;
		this.seenNanos = nowNanos;
		this.health = new InstanceOutlierStats(binding.service().methods().size());
		this.trend = new LatencyTrend(binding.service().methods().size());
	}

	ServiceInstance instance() {
		return this.instance;
	}

	/** Takes the data of a new snapshot. */
	void update(ServiceInstance now, long nowNanos) {
		if (!now.id().equals(this.instance.id())) {
			this.seenNanos = nowNanos; // the instance was restarted
		}
		this.instance = now;
		this.pool.registered(now.tls());
	}

	/**
	 * Returns the connections that take a method.
	 * @param method method number on the wire; ANY_METHOD for connections that take the
	 * service
	 * @param frozen true to include frozen connections
	 */
	ClientConnection[] connections(int method, boolean frozen) {
		return this.pool.connectionsFor(this.binding, method, frozen);
	}

	/** Returns true if a connection is not frozen. */
	boolean isConnected() {
		return connections(ConnectionPool.ANY_METHOD, false).length > 0;
	}

	/** Returns true if a trial call may go there. */
	boolean wantsProbe() {
		return this.health.wantsProbe() && isConnected();
	}

	/** Returns true if all of its connections are frozen. */
	boolean isFrozen() {
		return !isConnected() && connections(ConnectionPool.ANY_METHOD, true).length > 0;
	}

	/**
	 * Returns true if calls go elsewhere as far as possible: it is ejected or probed, or
	 * its calls over the other protocol have found it ejected or frozen.
	 */
	boolean isLeftOut() {
		return this.health.isOut() || isTwinAway();
	}

	/** While the other part probes, calls of this one find out, too. */
	private boolean isTwinAway() {
		InstanceState other = this.twin;
		return other != null && (other.health.phase() == Phase.OUT || other.isFrozen());
	}

	/**
	 * Returns the effective share of its weight, 0 to 1.
	 * @param wallMillis current time in milliseconds since the epoch
	 * @param slowStartNanos age at which the share is 1
	 */
	double share(long nowNanos, long wallMillis, long slowStartNanos) {
		double share = this.health.share(nowNanos);
		InstanceState other = this.twin;
		if (other != null && other.health.phase() == Phase.RETURNING) {
			share = Math.min(share, other.health.share(nowNanos));
		}
		boolean known = this.instance.startedAtMillis() != 0;
		return known ? share * SlowStart.share(ageNanos(nowNanos, wallMillis), slowStartNanos) : share;
	}

	/** Returns true while its share grows with its age. */
	boolean isStarting(long nowNanos, long wallMillis, long slowStartNanos) {
		return this.instance.startedAtMillis() != 0 && ageNanos(nowNanos, wallMillis) < slowStartNanos + LAST_NANOS;
	}

	/** Returns the larger of its ages by the wall clock and by this process. */
	private long ageNanos(long nowNanos, long wallMillis) {
		return Math.max((wallMillis - this.instance.startedAtMillis()) * NANOS_PER_MILLI, nowNanos - this.seenNanos);
	}

	/** Ignores calls that ended before, because their times are unknown. */
	void countsFromNow() {
		this.read.clear();
	}

	/** Forgets its health, because no other instance is left to compare with. */
	void isAlone() {
		this.health = new InstanceOutlierStats(this.health.methods());
		this.trend = new LatencyTrend(this.health.methods());
		this.probe = null;
	}

	/**
	 * Counts the calls that have ended since the last comparison.
	 * @param kept factor of older counts, 0 to 1
	 */
	void count(double kept, long nowNanos) {
		this.health.fade(kept);
		ClientConnection[] all = connections(ConnectionPool.ANY_METHOD, true);
		for (ClientConnection each : all) {
			each.load.compared = true;
			this.read.computeIfAbsent(each.load.outcomes, this::marks);
		}
		int first = this.binding.firstNumber();
		this.read.forEach((tallies, marks) -> {
			for (int method = 0; method < this.health.methods(); method++) {
				Tally tally = tallies.of(first + method);
				if (tally != null) {
					add(method, tally, marks, nowNanos);
				}
			}
		});
		// a closed connection was counted for the last time
		this.read.keySet().removeIf((tallies) -> Arrays.stream(all).noneMatch((each) -> each.load.outcomes == tallies));
	}

	/**
	 * Forgets the latencies of its connections, which were measured while it was sick.
	 */
	void forget() {
		for (ClientConnection each : connections(ConnectionPool.ANY_METHOD, true)) {
			each.connection.execute(each.load::forget);
		}
	}

	/** Moves its overdue calls that may be retried, if it is ejected. */
	void leaveOverdue() {
		if (this.health.isOut() && this.health.overdue() > 0) {
			Set<Integer> methods = IntStream.range(0, this.health.methods())
				.filter(this.health::isOverdue)
				.mapToObj((method) -> this.binding.firstNumber() + method)
				.collect(Collectors.toSet());
			for (ClientConnection each : connections(ConnectionPool.ANY_METHOD, true)) {
				each.stuckCalls.leaveOverdue(methods);
			}
		}
	}

	/** Returns the current values, because other references may have counted before. */
	private long[] marks(MethodOutcomes tallies) {
		long[] marks = new long[this.health.methods() * VALUES];
		for (int method = 0; method < this.health.methods(); method++) {
			Tally tally = tallies.of(this.binding.firstNumber() + method);
			if (tally != null) {
				System.arraycopy(values(tally), 0, marks, method * VALUES, VALUES);
			}
		}
		return marks;
	}

	private static long[] values(Tally tally) {
		return new long[] { tally.calls(), tally.failures(), tally.timed(), tally.logarithms() };
	}

	private void add(int method, Tally tally, long[] marks, long nowNanos) {
		int at = method * VALUES;
		long[] now = values(tally);
		this.health.add(method, now[0] - marks[at], now[1] - marks[at + 1], now[2] - marks[at + 2],
				now[3] - marks[at + 3], tally.inARow());
		this.trend.add(method, now[2] - marks[at + 2], now[3] - marks[at + 3], nowNanos);
		this.health.addOverdue(method, tally.overdue(), tally.overdueLogarithms());
		System.arraycopy(now, 0, marks, at, now.length);
	}

	/**
	 * Counts its calls from now on, and adds those since the last time.
	 * @param reference number of the reference
	 */
	void countCalls(int reference, long nowNanos) {
		RecentCalls counted = this.calls;
		if (counted == null) {
			counted = new RecentCalls(nowNanos);
			this.calls = counted;
		}
		counted.read(connections(ConnectionPool.ANY_METHOD, true), reference, nowNanos);
	}

	ReferenceInfo.Instance describe(long nowNanos) {
		ReferenceInfo.Instance known = this.pool.describe(this.binding, this.instance.application(),
				this.instance.id());
		boolean isReady = known.state() == State.READY;
		State state = (isReady && isLeftOut()) ? State.EJECTED : known.state();
		String problem = (isReady && this.health.isOut()) ? this.health.why() : known.problem();
		InstanceState other = this.twin;
		if (isReady && !this.health.isOut() && other != null && isTwinAway()) {
			boolean isFrozen = other.isFrozen();
			state = isFrozen ? State.FROZEN : State.EJECTED;
			problem = "found by its calls over protocol %s: %s".formatted(
					Protocol.format(Set.of(other.binding.protocol())),
					isFrozen ? "it owes answers and sends nothing" : other.health.why());
		}
		RecentCalls counted = this.calls;
		return new ReferenceInfo.Instance(known.endpoint(), known.application(), known.id(), state, known.connections(),
				known.pendingCalls(), problem, (state == State.EJECTED) ? "" : this.trend.slowness(),
				this.instance.weight(), this.instance.zone(), this.instance.tag(), this.instance.startedAtMillis(),
				(counted != null) ? counted.describe(nowNanos) : null);
	}

}
