package io.rpcboot.internal.context;

/** A task that is a call at the server. */
public interface ServedCall {

	/**
	 * Returns the {@code RpcContext} of the call, the same each time. Only for the thread
	 * that runs the call.
	 */
	Object context();

}
