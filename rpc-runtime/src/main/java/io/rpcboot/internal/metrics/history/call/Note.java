package io.rpcboot.internal.metrics.history.call;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcStatus;
import io.rpcboot.metrics.RpcMetrics.Side;
import io.rpcboot.metrics.history.NotedCall;
import org.jspecify.annotations.Nullable;

/**
 * A {@link NotedCall} as it is kept: names are made when somebody reads it.
 *
 * @param number of two notes the later one has the greater number
 * @param atEpochMillis when the call ended
 * @param side which side of it this process is
 * @param method its method
 * @param peer the other side
 * @param status how it ended
 * @param nanos how long it took
 * @param traceId to which trace it belongs, null for none
 */
record Note(long number, long atEpochMillis, Side side, MethodDescriptor method, String peer, RpcStatus status,
		long nanos, @Nullable String traceId) {

	NotedCall toCall() {
		return new NotedCall(this.atEpochMillis, this.side, this.method.service().toString(), this.method.signature(),
				this.peer, this.status, this.nanos, this.method.style() == Style.ONE_WAY, this.traceId);
	}

}
