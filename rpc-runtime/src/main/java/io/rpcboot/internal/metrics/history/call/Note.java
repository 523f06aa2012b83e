package io.rpcboot.internal.metrics.history.call;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.history.NotedCall;
import org.jspecify.annotations.Nullable;

/**
 * A {@link NotedCall} as it is kept; names are built when it is read.
 *
 * @param number sequence number, later notes have greater ones
 * @param atEpochMillis time of the end of the call
 * @param side side of this process
 * @param method the method
 * @param peer address of the peer
 * @param status the status
 * @param nanos the duration
 * @param waitedNanos the part of the duration before the call was started or written
 * @param traceId the trace, null for none
 * @param message message of a failure, null for none
 * @param exceptionType class of the exception, null for none
 * @param caller name of the caller, null for none
 */
record Note(long number, long atEpochMillis, Side side, MethodDescriptor method, String peer, RpcStatus status,
		long nanos, long waitedNanos, @Nullable String traceId, @Nullable String message,
		@Nullable String exceptionType, @Nullable String caller) {

	NotedCall toCall() {
		return new NotedCall(this.atEpochMillis, this.side, this.method.service().toString(), this.method.signature(),
				this.peer, this.status, this.nanos, this.waitedNanos, this.method.style() == Style.ONE_WAY,
				this.traceId, this.message, this.exceptionType, this.caller);
	}

}
