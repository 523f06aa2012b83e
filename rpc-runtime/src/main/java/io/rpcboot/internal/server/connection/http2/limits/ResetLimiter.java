package io.rpcboot.internal.server.connection.http2.limits;

import java.util.concurrent.TimeUnit;

/**
 * Limit for streams that are reset before their response: by the client (rapid reset,
 * CVE-2023-44487), or by this side for an error of the client (CVE-2025-8671).
 *
 * <pre>
 * resets - responses &lt;= max(200, 2 * limit of streams), in 30 seconds
 * </pre>
 *
 * A client that cancels some of its calls has more responses than resets. Event loop
 * only.
 */
public final class ResetLimiter {

	private static final int MIN_RESETS = 200;

	private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(30);

	private int resets;

	private long sinceNanos;

	/** Counts a response. */
	public void onResponse() {
		if (this.resets > 0) {
			this.resets--;
		}
	}

	/**
	 * Counts a reset.
	 * @param now as {@link System#nanoTime()}
	 * @param streams limit of concurrent streams
	 * @return false if there are too many
	 */
	public boolean onReset(long now, long streams) {
		if (this.resets == 0 || now - this.sinceNanos > INTERVAL_NANOS) {
			this.resets = 0;
			this.sinceNanos = now;
		}
		this.resets++;
		return this.resets <= Math.max(MIN_RESETS, 2 * streams);
	}

}
