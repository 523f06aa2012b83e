package io.rpcboot.internal.cluster;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * How many calls of a reference may be made once more: a share of those that succeed, of
 * at most five seconds, and a few beside it for references with few calls. Where nothing
 * succeeds nothing is earned. Any thread.
 */
public final class RetryBudget {

	/** For the beginning, and for those with few calls. */
	private static final double FREE = 5;

	/** As many as an instance can lose that stands still for two seconds and a half. */
	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(5);

	/** A rate of less time says nothing. */
	private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final double share;

	private final LongSupplier nanoTime;

	private final LongAdder calls = new LongAdder();

	private long countedCalls;

	private long countedNanos;

	private final double free;

	/** Since the time was counted. */
	private double earned;

	/** What five seconds earn; it falls slowly. */
	private double most;

	private double left;

	/**
	 * A budget of which nothing was used.
	 * @param share of the calls
	 * @param nanoTime the clock
	 */
	public RetryBudget(double share, LongSupplier nanoTime) {
		this.share = share;
		this.nanoTime = nanoTime;
		this.countedNanos = nanoTime.getAsLong();
		this.free = (share > 0) ? FREE : 0;
		this.most = this.free;
		this.left = this.free;
	}

	/** A call has succeeded. */
	public void succeeded() {
		this.calls.increment();
	}

	/**
	 * One call wants to be made once more.
	 * @return whether it may
	 */
	public synchronized boolean take() {
		earn();
		if (this.left < 1) {
			return false;
		}
		this.left--;
		return true;
	}

	/** It did not need to. */
	public synchronized void refund() {
		this.left++;
	}

	private void earn() {
		long now = this.nanoTime.getAsLong();
		long sum = this.calls.sum();
		double earned = this.share * (sum - this.countedCalls);
		this.left += earned;
		this.earned += earned;
		this.countedCalls = sum;
		long nanos = now - this.countedNanos;
		if (nanos >= LEAST_NANOS) {
			this.most = mostAfter(nanos, this.earned);
			this.left = Math.min(this.left, this.most);
			this.earned = 0;
			this.countedNanos = now;
		}
	}

	private double earnedSince() {
		return this.share * (this.calls.sum() - this.countedCalls);
	}

	private double mostAfter(long nanos, double earned) {
		double ofWindow = earned * WINDOW_NANOS / nanos;
		return Math.max(Math.max(this.free, ofWindow), this.most * Math.exp(-(double) nanos / WINDOW_NANOS));
	}

	/**
	 * How many more calls may be made once more. Looking changes nothing.
	 * @return 0 or more
	 */
	public synchronized double left() {
		long nanos = this.nanoTime.getAsLong() - this.countedNanos;
		double now = this.left + earnedSince();
		return (nanos < LEAST_NANOS) ? now : Math.min(now, mostAfter(nanos, this.earned + earnedSince()));
	}

	/**
	 * How many that may be at most, as calls go now.
	 * @return not less than what is left
	 */
	public synchronized double most() {
		long nanos = this.nanoTime.getAsLong() - this.countedNanos;
		double most = (nanos < LEAST_NANOS) ? this.most : mostAfter(nanos, this.earned + earnedSince());
		return Math.max(most, left());
	}

}
