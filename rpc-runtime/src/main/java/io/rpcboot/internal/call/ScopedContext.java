package io.rpcboot.internal.call;

import io.rpcboot.context.RpcContext;

/** Context of a served call to which interceptors may have added scopes. */
public interface ScopedContext extends RpcContext {

	/** Runs a task in the scopes of the call. Any thread. */
	void inScopes(Runnable task);

}
