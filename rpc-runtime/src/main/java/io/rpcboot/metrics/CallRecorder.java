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
	 * Records the end of a call that belongs to a trace.
	 * @param status as for {@link #record(RpcStatus, long, String)}
	 * @param nanos as for {@link #record(RpcStatus, long, String)}
	 * @param peer as for {@link #record(RpcStatus, long, String)}
	 * @param traceId the trace
	 */
	default void record(RpcStatus status, long nanos, String peer, String traceId) {
		record(status, nanos, peer);
	}

	/**
	 * Records the ends of several calls of one connection with the same status.
	 * @param status the status
	 * @param nanos the duration of each call, in nanoseconds, from index 0; the caller
	 * reuses the array
	 * @param calls number of calls in the array, 1 or more
	 * @param peer address and port of the peer
	 */
	default void record(RpcStatus status, long[] nanos, int calls, String peer) {
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
	 * Records a failed conversion between objects and bytes, in addition to the end of
	 * the call.
	 * @param way the direction
	 */
	default void failed(Serialization way) {
	}

}
