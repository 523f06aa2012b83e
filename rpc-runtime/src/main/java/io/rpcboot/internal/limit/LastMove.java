package io.rpcboot.internal.limit;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Reason and time of the last move of a limit. One thread at a time records; any thread
 * reads, and may see the time of the move before.
 */
public final class LastMove {

	private volatile String reason = "";

	private volatile long nanos;

	/**
	 * Records a move.
	 * @param why its reason; a constant, because some limits move with each call
	 * @param now as {@link System#nanoTime()}
	 */
	public void record(String why, long now) {
		this.nanos = now;
		this.reason = why;
	}

	/** Returns the reason, empty before the first move. */
	public String reason() {
		return this.reason;
	}

	/**
	 * Returns the time of the move; null before the first.
	 * @param now as {@link System#nanoTime()}
	 */
	public @Nullable Instant at(long now) {
		return this.reason.isEmpty() ? null : Instant.now().minusNanos(now - this.nanos);
	}

}
