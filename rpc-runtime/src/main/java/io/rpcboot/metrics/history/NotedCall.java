package io.rpcboot.metrics.history;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import org.jspecify.annotations.Nullable;

/**
 * A slow or failed call.
 *
 * @param atEpochMillis time of its end, in milliseconds since 1970
 * @param side side of this process
 * @param service the service
 * @param method the method, as {@code getUser(long)}
 * @param peer address and port of the peer, empty if no connection took the call
 * @param status the status
 * @param nanos the duration, in nanoseconds
 * @param waitedNanos the part of the duration before a thread of the server started the
 * call, or the client wrote it
 * @param oneWay true if no caller waits for its end
 * @param traceId the trace, null for none
 * @param message message of a failed call, 300 characters at most; null for none
 * @param exceptionType class of the exception that the implementation has thrown, null
 * for none or if the server does not expose it
 * @param caller server: name that the caller has proved; null if it has proved none, or
 * the call was recorded without details
 * @since 0.1.0
 */
public record NotedCall(long atEpochMillis, Side side, String service, String method, String peer, RpcStatus status,
		long nanos, long waitedNanos, boolean oneWay, @Nullable String traceId, @Nullable String message,
		@Nullable String exceptionType, @Nullable String caller) {
}
