package io.rpcboot.interceptor;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcContext;
import org.jspecify.annotations.Nullable;

/**
 * A call at the server, as an {@link RpcServerInterceptor} sees it.
 *
 * @since 0.1.0
 */
public interface ServerInvocation extends RpcInvocation {

	/**
	 * Returns the context of the call as the implementation sees it: the caller, and the
	 * attachments of the reply.
	 * @return the same object for all interceptors and the implementation
	 */
	RpcContext context();

	/**
	 * Returns the elements of the streams of the call so far; all of them in a listener
	 * of {@link #onEnd}. Any thread.
	 * @return null for a method without streams
	 */
	default @Nullable StreamCounts streamed() {
		return null;
	}

	/**
	 * Returns the answer to a call whose caller may not make it, for the interceptor to
	 * throw or to complete its future with. The server counts and logs it among its
	 * refusals.
	 * @param status {@link RpcStatus#PERMISSION_DENIED} or
	 * {@link RpcStatus#UNAUTHENTICATED}
	 * @param message text for the caller
	 * @param mayHaveExecuted false only if the implementation certainly has not begun,
	 * although {@link #proceed()} was called: a proxy in front of it has refused the call
	 * @param cause the local cause, null for none
	 * @return the answer
	 */
	RpcException refusal(RpcStatus status, String message, boolean mayHaveExecuted, @Nullable Throwable cause);

}
