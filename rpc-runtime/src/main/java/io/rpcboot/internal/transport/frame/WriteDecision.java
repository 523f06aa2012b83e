package io.rpcboot.internal.transport.frame;

/** Decision of a frame right before it is written. */
public enum WriteDecision {

	/** The frame is written now. */
	WRITE,
	/** The frame is not needed any more and is dropped. */
	SKIP,
	/** The socket takes no more; the frame waits until the write queue resumes. */
	BLOCKED_BY_SOCKET,
	/**
	 * The window of the connection is too small. When the write queue resumes, waiting
	 * frames are tried in their order until one has to wait again.
	 */
	BLOCKED_BY_WINDOW,
	/**
	 * The frame waits for bytes of its own: the window of its stream, or, over the native
	 * protocol, the memory that a long frame has asked for. Frames that are
	 * {@link #BLOCKED_BY_WINDOW} overtake it.
	 */
	BLOCKED_BY_STREAM

}
