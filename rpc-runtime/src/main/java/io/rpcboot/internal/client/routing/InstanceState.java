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
import io.rpcboot.internal.client.pool.ConnectionPool;
import io.rpcboot.internal.cluster.InstanceOutlierStats;
import io.rpcboot.internal.cluster.MethodOutcomes;
import io.rpcboot.internal.cluster.MethodOutcomes.Tally;
import io.rpcboot.internal.cluster.OutlierDetector;
import io.rpcboot.internal.cluster.SlowStart;
import io.rpcboot.registry.ServiceInstance;
import org.jspecify.annotations.Nullable;

/**
 * An instance of a reference: its connections, and how the calls of the reference's
 * service went there. Confined to the control thread.
 */
public final class InstanceState {

	private static final long NANOS_PER_MILLI = 1_000_000;

	/** Long enough for one look at what its share is at last. */
	private static final long LAST_NANOS = 2 * OutlierDetector.LOOK_NANOS;

	private static final int VALUES = 4;

	private final ServiceBinding binding;

	public final ConnectionPool pool;

	/** Another one when there was nobody to compare with. */
	InstanceOutlierStats health;

	private ServiceInstance instance;

	private long seenNanos;

	/** What was read of the tallies of each connection. */
	private final Map<MethodOutcomes, long[]> read = new HashMap<>();

	/** Open while one call may see how the instance is. */
	@Nullable HalfOpenProbe probe;

	InstanceState(ServiceBinding binding, ServiceInstance instance, ConnectionPool pool, long nowNanos) {
		this.binding = binding;
		this.instance = instance;
		this.pool = pool;
		this.seenNanos = nowNanos;
		this.health = new InstanceOutlierStats(binding.service().methods().size());
	}

	ServiceInstance instance() {
		return this.instance;
	}

	/** What the registry says of it now. */
	void is(ServiceInstance now, long nowNanos) {
		if (!now.id().equals(this.instance.id())) {
			this.seenNanos = nowNanos; // it was started again
		}
		this.instance = now;
	}

	/** Connections that take a method; ANY_METHOD for all. */
	ClientConnection[] connections(int method, boolean frozen) {
		return this.pool.connectionsFor(this.binding, method, frozen);
	}

	/** Connections, whatever they take. */
	boolean isConnected() {
		return connections(ConnectionPool.ANY_METHOD, false).length > 0;
	}

	/** Whether a call may go there to see how it is. */
	boolean wantsProbe() {
		return this.health.wantsProbe() && isConnected();
	}

	/** Connections of which none is heard. */
	boolean standsStill() {
		return !isConnected() && connections(ConnectionPool.ANY_METHOD, true).length > 0;
	}

	/**
	 * Share of its weight that it gets now, 0 to 1.
	 * @param wallMillis the time of day
	 * @param slowStartNanos after which it has all of it
	 */
	double share(long nowNanos, long wallMillis, long slowStartNanos) {
		double share = this.health.share(nowNanos);
		boolean known = this.instance.startedAtMillis() != 0;
		return known ? share * SlowStart.share(ageNanos(nowNanos, wallMillis), slowStartNanos) : share;
	}

	/** Whether its share grows with its age. */
	boolean isStarting(long nowNanos, long wallMillis, long slowStartNanos) {
		return this.instance.startedAtMillis() != 0 && ageNanos(nowNanos, wallMillis) < slowStartNanos + LAST_NANOS;
	}

	/** Of two clocks that differ the one counts by which it is older. */
	private long ageNanos(long nowNanos, long wallMillis) {
		return Math.max((wallMillis - this.instance.startedAtMillis()) * NANOS_PER_MILLI, nowNanos - this.seenNanos);
	}

	/** Nobody has looked for a while: when its calls have ended is not known. */
	void countsFromNow() {
		this.read.clear();
	}

	/** There is nobody to compare it with any more: it takes its calls. */
	void isAlone() {
		this.health = new InstanceOutlierStats(this.health.methods());
		this.probe = null;
	}

	/** Count the calls that have ended since the last time. */
	void count(double kept) {
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
					add(method, tally, marks);
				}
			}
		});
		// one that has ended was read once more
		this.read.keySet().removeIf((tallies) -> Arrays.stream(all).noneMatch((each) -> each.load.outcomes == tallies));
	}

	/** What load balancers know of its latency is of a time when it was sick. */
	void forget() {
		for (ClientConnection each : connections(ConnectionPool.ANY_METHOD, true)) {
			each.connection.execute(each.load::forget);
		}
	}

	/** It is out: overdue calls that may be made once more go to others, too. */
	void leaveOverdue() {
		if (this.health.isOut() && this.health.overdue() > 0) {
			Set<Integer> methods = IntStream.range(0, this.health.methods())
				.filter(this.health::isOverdue)
				.mapToObj((method) -> this.binding.firstNumber() + method)
				.collect(Collectors.toSet());
			for (ClientConnection each : connections(ConnectionPool.ANY_METHOD, true)) {
				each.stuckCalls.hedgeOverdue(methods);
			}
		}
	}

	/** Others may have had it count for long. */
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

	private void add(int method, Tally tally, long[] marks) {
		int at = method * VALUES;
		long[] now = values(tally);
		this.health.add(method, now[0] - marks[at], now[1] - marks[at + 1], now[2] - marks[at + 2],
				now[3] - marks[at + 3], tally.inARow());
		this.health.addOverdue(method, tally.overdue(), tally.overdueLogarithms());
		System.arraycopy(now, 0, marks, at, now.length);
	}

	ReferenceInfo.Instance describe() {
		ReferenceInfo.Instance known = this.pool.describe(this.binding, this.instance.application(),
				this.instance.id());
		if (!this.health.isOut() || known.state() != State.READY) {
			return known;
		}
		return new ReferenceInfo.Instance(known.endpoint(), known.application(), known.id(), State.EJECTED,
				known.connections(), known.pendingCalls(), this.health.why());
	}

}
