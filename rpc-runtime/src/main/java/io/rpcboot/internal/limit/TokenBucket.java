package io.rpcboot.internal.limit;

import java.util.concurrent.TimeUnit;

/**
 * Token bucket, full at first. A take of n tokens succeeds if n are there:
 *
 * <pre>
 * tokens = min(burst, tokens + rate * seconds)
 * </pre>
 *
 * So in t seconds at most {@code burst + rate * t} tokens are taken, and deposits beside.
 * Example: a rate of 20,000 and a burst of 20,000 allow 20,000 frames at once, and 20,000
 * a second from then on. Times are those of {@link System#nanoTime()}. One thread at a
 * time: the owner confines the bucket to a thread, or has the lock.
 */
public final class TokenBucket {

	private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

	private final double rate;

	private double burst;

	/** Tokens at {@code sinceNanos}. */
	private double tokens;

	private long sinceNanos;

	/**
	 * Creates a full bucket.
	 * @param rate tokens that the clock adds in a second, 0 for deposits alone
	 * @param burst most tokens
	 */
	public TokenBucket(double rate, double burst) {
		this.rate = rate;
		this.burst = burst;
		this.tokens = burst;
	}

	/** Takes tokens; false, and nothing is taken, if there are fewer. */
	public boolean tryTake(double count, long nowNanos) {
		double left = tokens(nowNanos) - count;
		if (left < 0) {
			return false;
		}
		this.tokens = left;
		this.sinceNanos = nowNanos;
		return true;
	}

	/** Deposits tokens, up to the burst. */
	public void deposit(double count) {
		this.tokens = Math.min(this.burst, this.tokens + count);
	}

	/** Sets the most tokens; those beyond are lost. */
	public void burst(double most) {
		this.burst = most;
		deposit(0);
	}

	/** Returns the tokens, without changing anything. */
	public double tokens(long nowNanos) {
		long passed = Math.max(0, nowNanos - this.sinceNanos); // less before any take
		return Math.min(this.burst, this.tokens + passed * this.rate / NANOS_PER_SECOND);
	}

	/** Returns the time until {@code count} tokens are there, 0 if they are. */
	public long nanosUntil(double count, long nowNanos) {
		double missing = count - tokens(nowNanos);
		return (missing > 0) ? (long) Math.ceil(missing * NANOS_PER_SECOND / this.rate) : 0;
	}

}
