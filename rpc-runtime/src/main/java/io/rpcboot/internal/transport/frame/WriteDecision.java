package io.rpcboot.internal.transport.frame;

/** Decision of a frame right before it is written. */
public enum WriteDecision {

	/** The frame is written now. */
	WRITE,
	/** The frame is not needed any more and is dropped. */
	SKIP,
	/** The socket takes no more; the frame waits until the write queue resumes. */
	HOLD,
	/**
	 * The window is too small. When the write queue resumes, waiting frames are tried in
	 * their order until one has to wait again.
	 */
	WAIT,
	/**
	 * As {@link #WAIT}, for a long frame, which waits until the peer has memory for it.
	 * Frames that {@link #WAIT} overtake it.
	 */
	WAIT_FOR_MEMORY

}
