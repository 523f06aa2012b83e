package io.rpcboot.internal.client.retry;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The retry budget of a reference: successful calls earn a share of a retry each, up to
 * the earnings of five seconds, and {@value #FREE} retries are free for references with
 * few calls. Without successes nothing is earned. Example: a share of 0.1 and 200
 * successful calls per second earn 20 retries per second, at most 100. Any thread.
 */
public final class RetryBudget {

	/** Retries that need not be earned. */
	private static final double FREE = 5;

	/** Time whose earnings fit; an instance that hangs for half of it is covered. */
	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(5);

	/** Shortest time for a rate. */
	private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final double share;

	private final LongSupplier nanoTime;

	private final LongAdder calls = new LongAdder();

	private long countedCalls;

	private long countedNanos;

	private final double free;

	/** Retries earned since {@code countedNanos}. */
	private double earned;

	/** Largest budget: earnings of five seconds; decays exponentially. */
	private double most;

	private double left;

	/**
	 * Creates a budget with the free retries.
	 * @param share retries per successful call
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

	/** Counts a successful call. */
	public void succeeded() {
		this.calls.increment();
	}

	/**
	 * Takes a retry.
	 * @return false if the budget is used up
	 */
	public synchronized boolean take() {
		earn();
		if (this.left < 1) {
			return false;
		}
		this.left--;
		return true;
	}

	/** Returns a retry that was not needed. */
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
	 * Returns the number of retries left, without changing anything.
	 * @return 0 or more
	 */
	public synchronized double left() {
		long nanos = this.nanoTime.getAsLong() - this.countedNanos;
		double now = this.left + earnedSince();
		return (nanos < LEAST_NANOS) ? now : Math.min(now, mostAfter(nanos, this.earned + earnedSince()));
	}

	/**
	 * Returns the largest budget at the current rate of calls.
	 * @return at least {@link #left()}
	 */
	public synchronized double most() {
		long nanos = this.nanoTime.getAsLong() - this.countedNanos;
		double most = (nanos < LEAST_NANOS) ? this.most : mostAfter(nanos, this.earned + earnedSince());
		return Math.max(most, left());
	}

}
