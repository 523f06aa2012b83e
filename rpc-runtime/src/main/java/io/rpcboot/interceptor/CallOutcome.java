package io.rpcboot.interceptor;

import java.time.Duration;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import org.jspecify.annotations.Nullable;

/**
 * How a call has ended.
 *
 * @param status the status, as meters have it
 * @param duration from its start to its end
 * @param failure what the caller gets in place of a result; at the server what was
 * thrown; null if nothing
 * @param attachments what has come back with the answer, or goes back with it
 */
public record CallOutcome(RpcStatus status, Duration duration, @Nullable Throwable failure, Attachments attachments) {

	/**
	 * Whether the call has returned what its method returns.
	 * @return false if it has thrown
	 */
	public boolean isSuccess() {
		return this.status == RpcStatus.OK;
	}

}
