package io.rpcboot.internal.server.connection.http2.limits;

import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;

/** Bounds PING of a client that come without calls between them. Event loop only. */
public final class PingLimiter {

	/**
	 * Shortest interval between PING of a client: as {@code keepalive} of gRPC allows.
	 */
	private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** PING in excess that a client may send, as in gRPC. */
	private static final int MAX_STRIKES = 2;

	private long lastNanos;

	private long lastProgress;

	private int strikes;

	/**
	 * Counts a PING.
	 * @param progress stream ids and bytes of DATA
	 * @throws Http2Exception if the client sends too many
	 */
	public void onPing(long now, long progress) {
		boolean isEarly = this.lastNanos != 0 && now - this.lastNanos < PING_NANOS;
		if (progress != this.lastProgress || !isEarly) {
			this.strikes = 0;
		}
		else if (++this.strikes > MAX_STRIKES) {
			throw Http2Exception.connection(Http2Error.ENHANCE_YOUR_CALM, "too_many_pings");
		}
		this.lastNanos = now;
		this.lastProgress = progress;
	}

}
