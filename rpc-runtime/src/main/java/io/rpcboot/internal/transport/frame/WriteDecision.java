package io.rpcboot.internal.transport.frame;

/** What a frame decides right before it is written. */
public enum WriteDecision {

	/** Write it now. */
	WRITE,
	/** It is no longer wanted. */
	SKIP,
	/** The socket takes no more; ask again when the queue of the connection resumes. */
	HOLD,
	/**
	 * It has no grant; when the queue of the connection resumes, those that wait are
	 * asked in their order, until one has to wait again.
	 */
	WAIT,
	/**
	 * The same for a long frame, which waits until the other side has memory for it.
	 * Those that {@link #WAIT} pass it.
	 */
	WAIT_FOR_MEMORY

}
