package io.rpcboot.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * Stands around the calls of a client. It may change the attachments, the arguments and
 * the time allowed, answer by itself, and go on again after a failure. Thread-safe.
 */
@FunctionalInterface
public interface RpcClientInterceptor {

	/**
	 * A call is made.
	 * @param invocation the call
	 * @return what the caller gets: a value of the type that the method returns, a future
	 * if it returns one, null for {@code void}; most often what
	 * {@link RpcInvocation#proceed()} has returned
	 * @throws Throwable what the caller gets: what the method declares, or an unchecked
	 * exception
	 */
	@Nullable Object intercept(ClientInvocation invocation) throws Throwable;

}
