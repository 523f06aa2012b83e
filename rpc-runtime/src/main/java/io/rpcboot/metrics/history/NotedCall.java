package io.rpcboot.metrics.history;

import io.rpcboot.RpcStatus;
import io.rpcboot.metrics.RpcMetrics.Side;
import org.jspecify.annotations.Nullable;

/**
 * One call that was slow or failed.
 *
 * @param atEpochMillis when it ended
 * @param side which side of it this process is
 * @param service the service
 * @param method its method, as {@code getUser(long)}
 * @param peer address and port of the other side, empty if no connection took the call
 * @param status how it ended
 * @param nanos how long it took, in nanoseconds
 * @param oneWay whether nobody waits for its end
 * @param traceId to which trace it belongs, null for none
 */
public record NotedCall(long atEpochMillis, Side side, String service, String method, String peer, RpcStatus status,
		long nanos, boolean oneWay, @Nullable String traceId) {
}
