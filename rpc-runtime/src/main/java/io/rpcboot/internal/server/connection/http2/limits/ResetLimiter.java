package io.rpcboot.internal.server.connection.http2.limits;

import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.limit.TokenBucket;

/**
 * Limit for streams that are reset before their response: by the client (rapid reset,
 * CVE-2023-44487), or by this side for an error of the client (CVE-2025-8671).
 *
 * <pre>
 * resets - responses &lt;= most at once, and most / 30 a second from then on
 * most = max(200, 2 * limit of streams)
 * </pre>
 *
 * A client that cancels some of its calls has more responses than resets. Event loop
 * only.
 */
public final class ResetLimiter {

	private static final int MIN_RESETS = 200;

	/** Time that refills the bucket, whatever its size: its tokens are microseconds. */
	private static final long INTERVAL_MICROS = TimeUnit.SECONDS.toMicros(30);

	private final TokenBucket micros = new TokenBucket(TimeUnit.SECONDS.toMicros(1), INTERVAL_MICROS);

	/** Cost of the last reset. */
	private long cost;

	/** Counts a response. */
	public void onResponse() {
		this.micros.deposit(this.cost);
	}

	/**
	 * Counts a reset.
	 * @param now as {@link System#nanoTime()}
	 * @param streams limit of concurrent streams
	 * @return false if there are too many
	 */
	public boolean onReset(long now, long streams) {
		this.cost = INTERVAL_MICROS / Math.max(MIN_RESETS, 2 * streams);
		return this.micros.tryTake(this.cost, now);
	}

}
