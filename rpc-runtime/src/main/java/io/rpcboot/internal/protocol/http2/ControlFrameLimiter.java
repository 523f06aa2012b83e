package io.rpcboot.internal.protocol.http2;

import java.util.function.LongSupplier;

/**
 * Rate limit for frames that cause work and carry none: SETTINGS, PING, GOAWAY, PRIORITY,
 * RST_STREAM, WINDOW_UPDATE, DATA without data, unknown types. The clock is read once for
 * a full bucket.
 */
final class ControlFrameLimiter {

	/** Size of the bucket, which is emptied when it is full and older than a second. */
	static final int MAX_PER_SECOND = 20_000;

	private static final long SECOND = 1_000_000_000;

	private final LongSupplier nanoTime;

	private int count;

	/** Time at which the bucket was empty. */
	private long since;

	/**
	 * Creates a limiter.
	 * @param nanoTime clock as {@link System#nanoTime()}
	 */
	ControlFrameLimiter(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.since = nanoTime.getAsLong();
	}

	/**
	 * Counts a frame.
	 * @throws Http2Exception if there are too many; in scope of the connection
	 */
	void count() {
		count(1);
	}

	/**
	 * Counts the work of frames.
	 * @param frames number of usual frames that cause the same work, at most
	 * {@link #MAX_PER_SECOND}
	 * @throws Http2Exception if there are too many; in scope of the connection
	 */
	void count(int frames) {
		if (this.count + frames > MAX_PER_SECOND) {
			long now = this.nanoTime.getAsLong();
			if (now - this.since < SECOND) {
				throw Http2Exception.connection(Http2Error.ENHANCE_YOUR_CALM,
						"control frames: over 20,000 in a second, or as much work (expected: fewer)");
			}
			this.since = now;
			this.count = 0;
		}
		this.count += frames;
	}

}
