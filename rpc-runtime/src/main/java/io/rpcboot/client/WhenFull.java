package io.rpcboot.client;

/**
 * What an asynchronous call does when its connection has no grant left, or when as many
 * calls are under way as the client may have. A blocking call always waits until its
 * deadline.
 */
public enum WhenFull {

	/**
	 * The call fails at once with {@link io.rpcboot.RpcStatus#RESOURCE_EXHAUSTED}; it did
	 * not run.
	 */
	FAIL,

	/**
	 * The call waits in a bounded queue until its deadline; when the queue is full, it
	 * fails as with {@link #FAIL}.
	 */
	QUEUE,

	/**
	 * The calling thread waits until there is room, at most until the call's deadline. On
	 * an event loop, which must not wait, it acts as {@link #QUEUE}.
	 */
	BLOCK

}
