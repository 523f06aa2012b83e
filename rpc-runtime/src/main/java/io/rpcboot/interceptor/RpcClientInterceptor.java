package io.rpcboot.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * Intercepts the calls of a client. It may change attachments, arguments and timeout,
 * answer the call itself, and proceed again after a failure. Thread-safe. <pre>{@code
 * RpcClientInterceptor tenant = (invocation) -> {
 *     invocation.attachments().put("tenant", currentTenant());
 *     return invocation.proceed();
 * };
 * }</pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RpcClientInterceptor {

	/**
	 * Intercepts a call.
	 * @param invocation the call
	 * @return the result for the caller: a value of the return type, a future if the
	 * method returns one, null for {@code void}; usually the result of
	 * {@link RpcInvocation#proceed()}
	 * @throws Throwable the exception for the caller: a declared or an unchecked one
	 */
	@Nullable Object intercept(ClientInvocation invocation) throws Throwable;

}
