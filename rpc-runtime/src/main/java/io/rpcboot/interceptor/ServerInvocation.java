package io.rpcboot.interceptor;

import io.rpcboot.context.RpcContext;

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

}
