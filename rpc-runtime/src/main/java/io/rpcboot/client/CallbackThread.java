package io.rpcboot.client;

/**
 * Kind of thread that completes the future of an asynchronous call and runs its dependent
 * stages.
 *
 * @since 0.1.0
 */
public enum CallbackThread {

	/** A thread of the client's callback pool. Dependent stages may block. */
	POOL,

	/**
	 * The event loop of the connection, without a change of thread. Dependent stages must
	 * not block and should take microseconds, because all connections of the loop wait
	 * meanwhile. A blocking call on an event loop is refused.
	 */
	EVENT_LOOP

}
