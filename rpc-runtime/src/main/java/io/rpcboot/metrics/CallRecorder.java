package io.rpcboot.metrics;

import io.rpcboot.RpcStatus;

/**
 * Records the calls of one method. Any thread.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CallRecorder {

	/** Direction of a conversion between objects and bytes. */
	enum Serialization {

		/** Objects to bytes: arguments on the client, results on the server. */
		WRITE,
		/** Bytes to objects: results on the client, arguments on the server. */
		READ

	}

	/**
	 * Records the end of a call.
	 * @param status the status
	 * @param nanos the duration, in nanoseconds. On the client from the start until the
	 * caller continues or, for a future, its reply was read; on the server from decoding
	 * to the reply
	 * @param peer address and port of the peer, empty if no connection took the call
	 */
	void record(RpcStatus status, long nanos, String peer);

	/**
	 * Records the end of a call whose details are known.
	 * @param status as for {@link #record(RpcStatus, long, String)}
	 * @param nanos as for {@link #record(RpcStatus, long, String)}
	 * @param peer as for {@link #record(RpcStatus, long, String)}
	 * @param details how long it waited, why it failed, its trace
	 */
	default void record(RpcStatus status, long nanos, String peer, CallDetails details) {
		record(status, nanos, peer);
	}

	/**
	 * Records the ends of several calls of one connection with the same status.
	 * @param status the status
	 * @param nanos the duration of each call, in nanoseconds, from index 0; the caller
	 * reuses the array
	 * @param waited the part of each duration as of {@link CallDetails#waitedNanos()};
	 * the caller reuses the array
	 * @param calls number of calls in the arrays, 1 or more
	 * @param peer address and port of the peer
	 */
	default void record(RpcStatus status, long[] nanos, long[] waited, int calls, String peer) {
		for (int i = 0; i < calls; i++) {
			record(status, nanos[i], peer);
		}
	}

	/**
	 * Records an undeclared exception of an implementation, in addition to the end of its
	 * call. Server only.
	 * @param type name of its class
	 */
	default void threw(String type) {
	}

	/**
	 * Records the bytes of calls, in addition to their ends: bodies of frames as they
	 * count against grants. The bytes of several calls may be added up.
	 * @param argumentBytes bytes of their arguments
	 * @param resultBytes bytes of their results, 0 for one-way calls
	 */
	default void carried(long argumentBytes, long resultBytes) {
	}

	/**
	 * Records elements of open streams that have passed, in addition to the ends of their
	 * calls. Their bytes are in {@link #carried}.
	 * @param arguments elements that the client has sent
	 * @param results elements that the server has sent
	 */
	default void elements(long arguments, long results) {
	}

	/**
	 * Records the first element of a result that is a stream.
	 * @param nanos the time since the start of the call, in nanoseconds
	 */
	default void firstElement(long nanos) {
	}

	/**
	 * Records the end of a call with streams, in addition to the end of the call.
	 * @param end what has passed, and how it ended
	 */
	default void streamEnded(StreamEnd end) {
	}

	/**
	 * Records a failed conversion between objects and bytes, in addition to the end of
	 * the call.
	 * @param way the direction
	 */
	default void failed(Serialization way) {
	}

}
