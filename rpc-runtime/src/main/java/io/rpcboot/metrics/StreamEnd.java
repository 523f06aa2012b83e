package io.rpcboot.metrics;

import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * End of the streams of a call.
 *
 * @param status the status of the call
 * @param nanos the duration of the call, in nanoseconds
 * @param peer address and port of the peer, empty if no connection took the call
 * @param arguments elements that the client has sent
 * @param argumentBytes their bytes
 * @param results elements that the server has sent
 * @param resultBytes bytes of the result
 * @param firstNanos time from the start of the call to the first element of the result,
 * in nanoseconds; -1 without one
 * @param traceId trace of the call, null for none
 * @since 0.1.0
 */
public record StreamEnd(RpcStatus status, long nanos, String peer, long arguments, long argumentBytes, long results,
		long resultBytes, long firstNanos, @Nullable String traceId) {

	StreamEnd withTrace(@Nullable String id) {
		return new StreamEnd(this.status, this.nanos, this.peer, this.arguments, this.argumentBytes, this.results,
				this.resultBytes, this.firstNanos, id);
	}

}
