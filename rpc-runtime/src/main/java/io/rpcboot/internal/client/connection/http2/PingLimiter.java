package io.rpcboot.internal.client.connection.http2;

import java.util.concurrent.TimeUnit;

/**
 * Limits PING of a client. Servers of gRPC count one that comes too soon as an attack,
 * but forget earlier ones when they send a frame of a stream. Any thread.
 */
final class PingLimiter {

	/** Interval of PING while no frame of a stream arrives. */
	private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(5);

	/** True if PING was sent since the last frame of a stream. */
	private volatile boolean isSpent;

	private volatile boolean isUnanswered;

	private volatile long sentNanos;

	/** Returns true if PING may be sent, and counts it as sent. */
	boolean tryAcquire(long nowNanos) {
		if (this.isSpent && nowNanos - this.sentNanos < INTERVAL_NANOS) {
			return false;
		}
		this.sentNanos = nowNanos;
		this.isSpent = true;
		this.isUnanswered = true;
		return true;
	}

	/** Returns true while the server owes the answer to a PING. */
	boolean isUnanswered() {
		return this.isUnanswered;
	}

	void onAck() {
		this.isUnanswered = false;
	}

	void onStreamFrame() {
		if (this.isSpent) { // a volatile write for each frame would be dear
			this.isSpent = false;
		}
	}

}
