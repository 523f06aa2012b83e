package io.rpcboot.client;

/**
 * What an asynchronous call does when as many calls are under way as the client may have
 * ({@link RpcClientBuilder#maxPendingCalls}). A call that finds room but no grant of its
 * server waits in its connection until its deadline, except with {@link #FAIL}. A
 * blocking call always waits until its deadline.
 */
public enum WhenFull {

	/**
	 * The call fails at once with {@link io.rpcboot.RpcStatus#RESOURCE_EXHAUSTED}, also
	 * when the grant of its connection is used up; it did not run.
	 */
	FAIL,

	/**
	 * The call waits in a queue until its deadline. The queue holds as many calls as may
	 * be under way; when it is full, the call fails as with {@link #FAIL}.
	 */
	QUEUE,

	/**
	 * The calling thread waits until there is room, at most until the call's deadline. On
	 * an event loop and on a callback thread, for which others wait, it acts as
	 * {@link #QUEUE}.
	 */
	BLOCK

}
