package io.rpcboot.internal.client.connection;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.transport.frame.CallTable;
import org.jspecify.annotations.Nullable;

/**
 * What load balancers see of a connection: its pending calls, and how calls on it have
 * gone. The event loop writes, any thread reads, without synchronization. Nothing is
 * measured until somebody asks.
 */
public final class ConnectionStats {

	/** Time after which a call counts 1/e. Long enough for a few calls in a second. */
	private static final double FADE_NANOS = TimeUnit.SECONDS.toNanos(5);

	/** A latency that is older says nothing. */
	private static final long LATENCY_NANOS = TimeUnit.SECONDS.toNanos(30);

	/**
	 * While no call is answered a latency halves in this time: a balancer that spares an
	 * instance for it tries it again soon, however slow it was.
	 */
	private static final long HALF_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final int LATENCY = 0;

	private static final int LATENCY_AT = 1;

	private static final int SUCCESSES = 2;

	private static final int FAILURES = 3;

	private static final int COUNTED_AT = 4;

	private final CallTable<?> pending;

	/** What readers see, by the numbers above; counts are bits of a double. */
	private final AtomicLongArray shown = new AtomicLongArray(5);

	/** Whether somebody has asked for latency or outcomes; true for ever. */
	public volatile boolean measures;

	private double successes;

	private double failures;

	private long countedAtNanos;

	/** When the latest latencies were added; those of one read are added together. */
	private long latencyAtNanos;

	/** Weight of those latencies. */
	private double batchWeight;

	private long batchNanos;

	private int batchCalls;

	/** Sum of weights before those latencies, and of weighted latencies. */
	private double weightBefore;

	private double nanosBefore;

	private double weight;

	private double nanos;

	public ConnectionStats(CallTable<?> pending) {
		this.pending = pending;
	}

	/**
	 * The connection that is lost had this one's place. Before it takes calls.
	 * @param lost what is copied: the outcomes, but not the latency
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
	 * A call that was sent is over. Event loop only, while it measures.
	 * @param status how it ended, null if this version does not know it
	 * @param tookNanos its latency, 0 if that says nothing about the instance
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

	/** Latency and outcomes say nothing any more. Event loop. */
	public void forget() {
		this.weight = 0;
		this.nanos = 0;
		this.successes = 0;
		this.failures = 0;
		this.shown.setRelease(LATENCY_AT, this.latencyAtNanos - LATENCY_NANOS);
		this.shown.setRelease(LATENCY, 0);
		showCounts();
	}

	/** Whether an end says that something is wrong with the instance; null is unknown. */
	public static boolean speaksAgainst(@Nullable RpcStatus status) {
		return status == null || status == RpcStatus.UNAVAILABLE || status == RpcStatus.DEADLINE_EXCEEDED
				|| status == RpcStatus.RESOURCE_EXHAUSTED || status == RpcStatus.INTERNAL
				|| status == RpcStatus.APPLICATION;
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
	 * A mean over time: the latencies of one read count together, by the time since those
	 * before them. The sum of weights is kept because it is below 1 at first; otherwise
	 * the first call, which is the slowest, would count most for long.
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

	/** Calls without an answer. Any thread. */
	public int pendingCalls() {
		return this.pending.size();
	}

	/** Smoothed latency in nanoseconds, 0 if unknown. Any thread; begins to measure. */
	public long latencyNanos(long nowNanos) {
		beginToMeasure();
		long latency = this.shown.getAcquire(LATENCY);
		long age = nowNanos - this.shown.getAcquire(LATENCY_AT);
		return (age >= LATENCY_NANOS || latency == 0) ? 0 : Math.max(1, latency / halved(age));
	}

	/** By how much a latency is less. */
	private static long halved(long ageNanos) {
		return 1L << Math.max(0, Math.min(LATENCY_NANOS, ageNanos) / HALF_NANOS);
	}

	/** Calls that went well and fade. Any thread; begins to measure. */
	public double recentSuccesses(long nowNanos) {
		return recent(SUCCESSES, nowNanos);
	}

	/** Calls that speak against the instance and fade. Any thread; begins to measure. */
	public double recentFailures(long nowNanos) {
		return recent(FAILURES, nowNanos);
	}

	private double recent(int which, long nowNanos) {
		beginToMeasure();
		double counted = Double.longBitsToDouble(this.shown.getAcquire(which));
		return (counted > 0) ? counted * kept(Math.max(0, nowNanos - this.shown.getAcquire(COUNTED_AT))) : 0;
	}

	/** From now on the event loop measures. */
	private void beginToMeasure() {
		if (!this.measures) {
			this.measures = true;
		}
	}

}
