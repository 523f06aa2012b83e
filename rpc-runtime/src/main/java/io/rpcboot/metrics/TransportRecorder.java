package io.rpcboot.metrics;

/**
 * Records what connections do. Called from event loops, but for what says otherwise. What
 * is not overridden is not recorded.
 */
public interface TransportRecorder {

	/** Why a batch was flushed. */
	enum FlushReason {

		/** The write queue was empty. */
		DRAINED,
		/** The batch had the largest number of messages. */
		MESSAGES,
		/** The batch had the largest number of bytes. */
		BYTES,
		/** The longest delay was over. */
		DELAY,
		/** The socket took no more. */
		UNWRITABLE,
		/** The connection was closing. */
		CLOSE

	}

	/**
	 * A connection is established, its handshake done.
	 * @param remote the other side, as {@code host:port}
	 * @param application the name that the other side gave itself, empty for none
	 * @param nanos time since its socket began to be connected, or was accepted
	 */
	default void connectionOpened(String remote, String application, long nanos) {
	}

	/**
	 * A client could not connect, or had no handshake. Called from any thread.
	 * @param remote the endpoint, as {@code host:port}
	 * @param why for people
	 * @param nanos how long it took
	 */
	default void connectFailed(String remote, String why, long nanos) {
	}

	/**
	 * An established connection has ended.
	 * @param remote the other side, as {@code host:port}
	 * @param application the name that the other side gave itself, empty for none
	 * @param why for people
	 * @param nanos how long it was there
	 */
	default void connectionClosed(String remote, String application, String why, long nanos) {
	}

	/**
	 * A batch was flushed.
	 * @param reason why
	 * @param messages how many frames it held
	 * @param bytes how many bytes it held
	 */
	default void flushed(FlushReason reason, int messages, int bytes) {
	}

	/** After a flush the socket took no more: frames are held until it does. */
	default void stalled() {
	}

	/**
	 * The socket has taken a frame that was chosen to be measured: on a client the oldest
	 * of a batch, for one frame in 64; on a server one answer in 64.
	 * @param nanos time from the start of the call, on a server from when its result was
	 * there
	 */
	default void written(long nanos) {
	}

	/**
	 * A thread has begun a call, or a call still waits for one: one call in 64, and ten
	 * times in a second the one that waits for longest, while one does. Only on the
	 * server; not of calls that run on the event loop. Called from any thread.
	 * @param nanos how long it has waited, from its decoding, in nanoseconds
	 */
	default void started(long nanos) {
	}

}
