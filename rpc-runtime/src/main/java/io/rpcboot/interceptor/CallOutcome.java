package io.rpcboot.interceptor;

import java.time.Duration;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of a call.
 *
 * @param status the status, as in metrics
 * @param duration time from the start of the call to its end
 * @param failure the exception that the caller gets, at the server the exception that was
 * thrown; null if the call succeeded, and for a stream that its subscriber has cancelled
 * @param attachments attachments of the reply
 * @since 0.1.0
 */
public record CallOutcome(RpcStatus status, Duration duration, @Nullable Throwable failure, Attachments attachments) {

	/**
	 * Returns true if the method returned.
	 * @return false if it threw an exception
	 */
	public boolean isSuccess() {
		return this.status == RpcStatus.OK;
	}

}
