package io.rpcboot.metrics;

/**
 * Records events of connections. Event loops call it, except where a method says
 * otherwise. Each method does nothing unless it is overridden.
 *
 * @since 0.1.0
 */
public interface TransportRecorder {

	/** Reason of a flush. */
	enum FlushReason {

		/** The write queue was empty. */
		DRAINED,
		/** The batch had the maximum of messages. */
		MESSAGES,
		/** The batch had the maximum of bytes. */
		BYTES,
		/** The first frame had the maximum delay. */
		DELAY,
		/** The socket was full. */
		UNWRITABLE,
		/** The connection was closing. */
		CLOSE

	}

	/**
	 * Records a connection that is established, with its handshake done.
	 * @param remote the peer, as {@code host:port}
	 * @param application application name that the peer reported, empty for none
	 * @param nanos time since the start of the connect or since the acceptance
	 */
	default void connectionOpened(String remote, String application, long nanos) {
	}

	/**
	 * Records that the client of a connection has proved a name, or another one. Server
	 * only.
	 * @param caller the name
	 */
	default void connectionIdentified(String caller) {
	}

	/**
	 * Records a failed connect or handshake of a client. Any thread.
	 * @param remote the endpoint, as {@code host:port}
	 * @param why the reason, as text
	 * @param nanos duration of the attempt
	 */
	default void connectFailed(String remote, String why, long nanos) {
	}

	/**
	 * Records the end of an established connection.
	 * @param remote the peer, as {@code host:port}
	 * @param application application name that the peer reported, empty for none
	 * @param why the reason, as text
	 * @param nanos lifetime of the connection
	 */
	default void connectionClosed(String remote, String application, String why, long nanos) {
	}

	/**
	 * Records a flush.
	 * @param reason the reason
	 * @param messages number of frames
	 * @param bytes number of bytes
	 */
	default void flushed(FlushReason reason, int messages, int bytes) {
	}

	/** Records a full socket after a flush: frames wait until it is writable. */
	default void stalled() {
	}

	/**
	 * Records the write of a sampled frame by the socket: on a client the oldest of a
	 * batch, for one frame in 64; on a server one reply in 64.
	 * @param nanos time since the start of the call; on a server since its result
	 */
	default void written(long nanos) {
	}

	/**
	 * Records the wait of a call for a thread: one call in 64 when it starts, and ten
	 * times per second the call that has waited longest. Server only; not for calls on an
	 * event loop. Any thread.
	 * @param nanos time since the call was decoded
	 */
	default void started(long nanos) {
	}

}
