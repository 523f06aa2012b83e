package io.rpcboot.metrics;

/** Records what connections do. Called from event loops. */
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

	/** A connection is established, its handshake done. */
	void connectionOpened();

	/** An established connection has ended. */
	void connectionClosed();

	/**
	 * A batch was flushed.
	 * @param reason why
	 * @param messages how many frames it held
	 * @param bytes how many bytes it held
	 */
	void flushed(FlushReason reason, int messages, int bytes);

	/** After a flush the socket took no more: frames are held until it does. */
	default void stalled() {
	}

}
