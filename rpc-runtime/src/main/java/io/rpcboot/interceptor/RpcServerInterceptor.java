package io.rpcboot.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * Intercepts the calls of a server, on the thread that runs the implementation. An
 * {@link io.rpcboot.RpcException} that it throws becomes the reply, with its status and
 * message; another exception is handled like one of the implementation. Thread-safe.
 * <pre>{@code
 * RpcServerInterceptor authorization = (invocation) -> {
 *     if (!isKnown(invocation.attachments().get("token"))) {
 *         throw new RpcException(RpcStatus.UNAUTHENTICATED, "unknown token");
 *     }
 *     return invocation.proceed();
 * };
 * }</pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RpcServerInterceptor {

	/** Position of an interceptor in the execution of a call. */
	enum Position {

		/** Before the arguments are deserialized, for example for authorization. */
		BEFORE_ARGUMENTS,

		/** Around the implementation, with its arguments. */
		AROUND_IMPLEMENTATION

	}

	/**
	 * Intercepts a call.
	 * @param invocation the call
	 * @return the result to send: a value of the return type, a future if the method
	 * returns one, null for {@code void}; usually the result of
	 * {@link RpcInvocation#proceed()}
	 * @throws Throwable the exception to send
	 */
	@Nullable Object intercept(ServerInvocation invocation) throws Throwable;

	/**
	 * Returns the position. Called once for each service.
	 * @return around the implementation by default
	 */
	default Position position() {
		return Position.AROUND_IMPLEMENTATION;
	}

}
