package io.rpcboot.internal.client.retry;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import io.rpcboot.internal.limit.TokenBucket;

/**
 * The retry budget of a reference, a bucket into which successful calls deposit a share
 * of a retry each, as in Finagle. {@value #FREE} retries are free for references with few
 * calls; without successes nothing is earned.
 *
 * <pre>
 * left = min(most, left + share * successes - retries)
 * most = 5 + earnings, which fade by 1/e in five seconds
 * </pre>
 *
 * Example: a share of 0.1 and 200 successful calls a second earn 20 retries a second, and
 * at most 105 are left. Any thread.
 */
public final class RetryBudget {

	/** Retries that need not be earned. */
	private static final double FREE = 5;

	/** Time whose earnings fit; an instance that hangs for half of it is covered. */
	private static final double WINDOW_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final double share;

	private final LongSupplier nanoTime;

	private final LongAdder calls = new LongAdder();

	private final double free;

	private final TokenBucket bucket;

	private long countedCalls;

	private long countedNanos;

	/** Fading sum of what was earned until {@code countedNanos}. */
	private double earnings;

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
		this.bucket = new TokenBucket(0, this.free);
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
		long now = this.nanoTime.getAsLong();
		long sum = this.calls.sum();
		this.earnings = earnings(now, sum);
		this.bucket.burst(this.free + this.earnings);
		this.bucket.deposit(this.share * (sum - this.countedCalls));
		this.countedCalls = sum;
		this.countedNanos = now;
		return this.bucket.tryTake(1, now);
	}

	/** Returns a retry that was not needed. */
	public synchronized void refund() {
		this.bucket.deposit(1);
	}

	/**
	 * Returns the fading sum, with the calls since the last count: those of one window.
	 */
	private double earnings(long now, long sum) {
		double windows = (now - this.countedNanos) / WINDOW_NANOS;
		return this.earnings * Math.exp(-windows) + this.share * (sum - this.countedCalls) / Math.max(1, windows);
	}

	/**
	 * Returns the number of retries left, without changing anything.
	 * @return 0 or more
	 */
	public synchronized double left() {
		long now = this.nanoTime.getAsLong();
		return Math.min(most(), this.bucket.tokens(now) + this.share * (this.calls.sum() - this.countedCalls));
	}

	/**
	 * Returns the largest budget at the current rate of calls.
	 * @return at least {@link #left()}
	 */
	public synchronized double most() {
		return this.free + earnings(this.nanoTime.getAsLong(), this.calls.sum());
	}

}
