package io.rpcboot.internal.server.connection.http2.limits;

import io.rpcboot.internal.limit.TokenBucket;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;

/**
 * Bounds PING of a client without calls between them: three at once and one each 10
 * seconds from then on, as gRPC allows with its keep-alive and two strikes. Event loop
 * only.
 */
public final class PingLimiter {

	private static final int BURST = 3;

	private final TokenBucket pings = new TokenBucket(0.1, BURST);

	private long lastProgress;

	/**
	 * Counts a PING.
	 * @param progress stream ids and bytes of DATA
	 * @throws Http2Exception if the client sends too many
	 */
	public void onPing(long now, long progress) {
		if (progress != this.lastProgress) {
			this.lastProgress = progress;
			this.pings.deposit(BURST);
		}
		if (!this.pings.tryTake(1, now)) {
			throw Http2Exception.connection(Http2Error.ENHANCE_YOUR_CALM, "too_many_pings");
		}
	}

}
