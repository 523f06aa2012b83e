package io.rpcboot.client;

/**
 * Which thread completes the future of an asynchronous call, and so runs what follows.
 */
public enum CallbackThread {

	/** A thread of the client's callback pool; what follows may block. */
	POOL,

	/**
	 * The event loop of the connection, with no change of thread. What follows must not
	 * block and take a few microseconds: while it runs, every connection on its loop
	 * waits. A blocking call made there is refused.
	 */
	EVENT_LOOP

}
