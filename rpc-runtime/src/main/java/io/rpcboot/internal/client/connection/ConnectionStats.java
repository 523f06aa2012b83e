package io.rpcboot.internal.client.connection;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.outlier.CallCounts;
import io.rpcboot.internal.client.outlier.MethodOutcomes;
import io.rpcboot.internal.transport.frame.CallTable;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a connection for load balancers and outlier detection: pending calls,
 * smoothed latency, fading counts of successes and failures, outcomes by method. The
 * event loop writes, any thread reads. Measures only what was asked for.
 */
public final class ConnectionStats {

	/**
	 * Outcomes that are counted: by ordinal of {@link RpcStatus}, and the last for codes
	 * that this version does not know.
	 */
	public static final int STATUSES = RpcStatus.values().length + 1;

	/** Time in which the weight of a call falls to 1/e. */
	private static final double FADE_NANOS = TimeUnit.SECONDS.toNanos(5);

	/** Age at which a latency is dropped. */
	private static final long LATENCY_NANOS = TimeUnit.SECONDS.toNanos(30);

	/**
	 * Time in which a latency halves while no reply arrives, so that a balancer that
	 * avoids a slow instance tries it again soon.
	 */
	private static final long HALF_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final int LATENCY = 0;

	private static final int LATENCY_AT = 1;

	private static final int SUCCESSES = 2;

	private static final int FAILURES = 3;

	private static final int COUNTED_AT = 4;

	private final CallTable<?> pending;

	/** Published values by the indexes above; the counts are bits of a double. */
	private final AtomicLongArray shown = new AtomicLongArray(5);

	/** Outcomes by method, for outlier detection. */
	public final MethodOutcomes outcomes = new MethodOutcomes();

	/**
	 * True if the outcomes are compared with other connections; never false again.
	 * Written by the control thread.
	 */
	public volatile boolean compared;

	/** True if latency or counts were asked for; never false again. */
	public volatile boolean measures;

	/**
	 * True if calls are counted by reference, for operators; never false again. Written
	 * by the control thread together with {@link #compared}.
	 */
	public volatile boolean countsCalls;

	/** Counts by number of the reference. Grown by the event loop. */
	private volatile @Nullable CallCounts[] byReference = new CallCounts[0];

	private double successes;

	private double failures;

	private long countedAtNanos;

	/** Time of the latest batch, which has the latencies of one read. */
	private long latencyAtNanos;

	/** Weight of this batch. */
	private double batchWeight;

	private long batchNanos;

	private int batchCalls;

	/** Sum of the weights before this batch. */
	private double weightBefore;

	/** Sum of the weighted latencies before this batch. */
	private double nanosBefore;

	/** Sum of all weights. */
	private double weight;

	/** Sum of all weighted latencies. */
	private double nanos;

	public ConnectionStats(CallTable<?> pending) {
		this.pending = pending;
	}

	/**
	 * Copies the counts, but not the latency, of the connection that this one replaces.
	 * Called before the first call.
	 */
	public void inherit(ConnectionStats lost) {
		if (!lost.measures) {
			return;
		}
		this.successes = Double.longBitsToDouble(lost.shown.getAcquire(SUCCESSES));
		this.failures = Double.longBitsToDouble(lost.shown.getAcquire(FAILURES));
		this.countedAtNanos = lost.shown.getAcquire(COUNTED_AT);
		showCounts();
		this.measures = true;
	}

	/**
	 * Adds a call whose reply has arrived, if outcomes are compared or measured. Event
	 * loop only.
	 * @param status of the reply, null for a code that this version does not know;
	 * DECLARED if it is no result and does not speak against the instance: a declared
	 * exception, or the failure of a call that the method made
	 * @param nowNanos time of the read
	 */
	public void answered(ClientCall call, @Nullable RpcStatus status, long nowNanos) {
		long took = (call.attempts == null) ? nowNanos - call.startNanos : 0;
		if (this.measures) {
			ended(status, took, nowNanos);
		}
		if (this.countsCalls) {
			grownCountsOf(call.reference.resources().index).ended((status != null) ? status.ordinal() : STATUSES - 1,
					took);
		}
		if (status != RpcStatus.CANCELLED) {
			boolean failed = speaksAgainst(status);
			boolean timed = !failed || status == RpcStatus.DEADLINE_EXCEEDED;
			this.outcomes.ended(call.method.number, failed, timed ? took : 0);
		}
	}

	/**
	 * Returns the counts of a reference, new ones before its first call. Event loop only.
	 */
	public CallCounts grownCountsOf(int reference) {
		@Nullable CallCounts[] all = this.byReference;
		if (reference >= all.length) {
			all = Arrays.copyOf(all, Math.max(reference + 1, 2 * all.length));
		}
		CallCounts own = all[reference];
		if (own == null) {
			own = new CallCounts(STATUSES);
			all[reference] = own;
			this.byReference = all; // publishes the counts
		}
		return own;
	}

	/** Returns the counts of a reference, null without calls. Any thread. */
	public @Nullable CallCounts countsOf(int reference) {
		@Nullable CallCounts[] all = this.byReference;
		return (reference < all.length) ? all[reference] : null;
	}

	/** Adds a call that was sent and ended without a reply. Event loop only. */
	void unanswered(ClientCall call) {
		if (this.compared || this.measures) {
			long now = System.nanoTime();
			RpcException failure = call.failure;
			// most lose against another instance, which shows that this one took longer
			boolean cancelled = failure != null && failure.status() == RpcStatus.CANCELLED;
			if (cancelled && call.method.isHedged && call.attempts == null) {
				this.outcomes.answeredElsewhere(call.method.number, now - call.startNanos);
			}
			RpcStatus otherwise = call.isAbandoned() ? RpcStatus.CANCELLED : RpcStatus.UNAVAILABLE;
			answered(call, (failure != null) ? failure.status() : otherwise, now);
		}
	}

	/**
	 * Adds the outcome of a call that was sent. Event loop only.
	 * @param status its outcome, null for a code that this version does not know
	 * @param tookNanos its latency, 0 if that does not describe the instance
	 * @param nowNanos the same for all calls of one read
	 */
	public void ended(@Nullable RpcStatus status, long tookNanos, long nowNanos) {
		if (status == RpcStatus.CANCELLED) {
			return;
		}
		boolean failed = speaksAgainst(status);
		count(failed, nowNanos);
		if (tookNanos > 0 && (!failed || status == RpcStatus.DEADLINE_EXCEEDED)) {
			addLatency(tookNanos, nowNanos);
		}
	}

	/** Resets latency and counts. Event loop only. */
	public void forget() {
		this.weight = 0;
		this.nanos = 0;
		this.successes = 0;
		this.failures = 0;
		this.shown.setRelease(LATENCY_AT, this.latencyAtNanos - LATENCY_NANOS);
		this.shown.setRelease(LATENCY, 0);
		showCounts();
	}

	/**
	 * Returns true if a status, or an unknown one (null), indicates a faulty instance.
	 */
	public static boolean speaksAgainst(@Nullable RpcStatus status) {
		return status == null || status == RpcStatus.UNAVAILABLE || status == RpcStatus.DEADLINE_EXCEEDED
				|| status == RpcStatus.RESOURCE_EXHAUSTED || status == RpcStatus.INTERNAL
				|| status == RpcStatus.APPLICATION || status == RpcStatus.UNKNOWN || status == RpcStatus.DATA_LOSS;
	}

	private void count(boolean failed, long nowNanos) {
		if (this.successes + this.failures == 0) {
			this.countedAtNanos = nowNanos;
		}
		else if (nowNanos - this.countedAtNanos > 0) {
			double kept = kept(nowNanos - this.countedAtNanos);
			this.successes *= kept;
			this.failures *= kept;
			this.countedAtNanos = nowNanos;
		}
		if (failed) {
			this.failures++;
		}
		else {
			this.successes++;
		}
		showCounts();
	}

	private void showCounts() {
		this.shown.setRelease(SUCCESSES, Double.doubleToRawLongBits(this.successes));
		this.shown.setRelease(FAILURES, Double.doubleToRawLongBits(this.failures));
		this.shown.setRelease(COUNTED_AT, this.countedAtNanos);
	}

	/**
	 * Adds a latency to the time-weighted mean nanos / weight. The batch of one read has
	 * the weight 1 - e^(-t / FADE_NANOS), where t is the time since the batch before. The
	 * first batch has a small weight, because the first call is the slowest.
	 */
	private void addLatency(long tookNanos, long nowNanos) {
		boolean first = this.weight == 0;
		if (first || nowNanos - this.latencyAtNanos > 0) {
			double kept = kept(first ? tookNanos : nowNanos - this.latencyAtNanos);
			this.batchWeight = 1 - kept;
			this.weightBefore = this.weight * kept;
			this.nanosBefore = this.nanos * kept / halved(first ? 0 : nowNanos - this.latencyAtNanos);
			this.batchNanos = 0;
			this.batchCalls = 0;
			this.latencyAtNanos = nowNanos;
		}
		this.batchNanos += tookNanos;
		this.batchCalls++;
		this.weight = this.weightBefore + this.batchWeight;
		this.nanos = this.nanosBefore + this.batchWeight * this.batchNanos / this.batchCalls;
		this.shown.setRelease(LATENCY, Math.max(1, Math.round(this.nanos / this.weight)));
		this.shown.setRelease(LATENCY_AT, this.latencyAtNanos);
	}

	private static double kept(long nanos) {
		return Math.exp(-nanos / FADE_NANOS);
	}

	/** Returns the calls without a reply. Any thread. */
	public int pendingCalls() {
		return this.pending.size();
	}

	/** Returns the smoothed latency, 0 if unknown, and begins to measure. Any thread. */
	public long latencyNanos(long nowNanos) {
		beginToMeasure();
		long latency = this.shown.getAcquire(LATENCY);
		long age = nowNanos - this.shown.getAcquire(LATENCY_AT);
		return (age >= LATENCY_NANOS || latency == 0) ? 0 : Math.max(1, latency / halved(age));
	}

	/** Returns the divisor of a latency of some age. */
	private static long halved(long ageNanos) {
		return 1L << Math.max(0, Math.min(LATENCY_NANOS, ageNanos) / HALF_NANOS);
	}

	/** Returns the faded count of successes and begins to measure. Any thread. */
	public double recentSuccesses(long nowNanos) {
		return recent(SUCCESSES, nowNanos);
	}

	/** Returns the faded count of failures and begins to measure. Any thread. */
	public double recentFailures(long nowNanos) {
		return recent(FAILURES, nowNanos);
	}

	private double recent(int which, long nowNanos) {
		beginToMeasure();
		double counted = Double.longBitsToDouble(this.shown.getAcquire(which));
		return (counted > 0) ? counted * kept(Math.max(0, nowNanos - this.shown.getAcquire(COUNTED_AT))) : 0;
	}

	/** Writes the flag once, because many threads read it. */
	private void beginToMeasure() {
		if (!this.measures) {
			this.measures = true;
		}
	}

}
