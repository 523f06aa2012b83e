package io.rpcboot.client;

/**
 * What an asynchronous call does when as many calls are under way as the client may have,
 * those that wait for a grant of their server included. A blocking call always waits
 * until its deadline, but on a callback thread it fails at once: what it waits for may be
 * queued behind it.
 */
public enum OverflowPolicy {

	/**
	 * The call fails at once with {@link io.rpcboot.RpcStatus#RESOURCE_EXHAUSTED}; it did
	 * not run.
	 */
	FAIL,

	/**
	 * The call waits until its deadline in a queue that holds as many calls as may be
	 * under way; when the queue is full, it fails as with {@link #FAIL}.
	 */
	QUEUE,

	/**
	 * The calling thread waits until there is room, at most until the call's deadline. On
	 * an event loop and on a callback thread, for which other calls wait, it acts as
	 * {@link #QUEUE}.
	 */
	BLOCK

}
