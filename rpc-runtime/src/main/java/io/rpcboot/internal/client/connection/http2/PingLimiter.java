package io.rpcboot.internal.client.connection.http2;

import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.limit.TokenBucket;

/**
 * Limits PING of a client. Servers of gRPC count one that comes too soon as an attack,
 * but forget earlier ones when they send a frame of a stream. Any thread.
 */
final class PingLimiter {

	/** Interval of PING while no frame of a stream arrives. */
	private static final long INTERVAL_SECONDS = TimeUnit.MINUTES.toSeconds(5);

	/** Its tokens are seconds. Guarded by this. */
	private final TokenBucket seconds = new TokenBucket(1, INTERVAL_SECONDS);

	/** True if PING was sent since the last frame of a stream. */
	private volatile boolean isSpent;

	private volatile boolean isUnanswered;

	/** Returns true if PING may be sent, and counts it as sent. */
	synchronized boolean tryAcquire(long nowNanos) {
		this.seconds.deposit(this.isSpent ? 0 : INTERVAL_SECONDS);
		if (!this.seconds.tryTake(INTERVAL_SECONDS, nowNanos)) {
			return false;
		}
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
