package io.rpcboot.interceptor;

import io.rpcboot.context.RpcContext;

/** A call at the server. */
public interface ServerInvocation extends RpcInvocation {

	/**
	 * The call as its implementation will see it: where it comes from, what goes back
	 * with the answer.
	 * @return the same for all interceptors and the implementation
	 */
	RpcContext context();

}
