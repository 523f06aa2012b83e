package io.rpcboot.metrics;

import io.rpcboot.RpcStatus;

/** Records the calls of one method. Called from any thread. */
@FunctionalInterface
public interface CallRecorder {

	/** Between objects and bytes. */
	enum Serialization {

		/** Objects to bytes: arguments on the client, results on the server. */
		WRITE,
		/** Bytes to objects: results on the client, arguments on the server. */
		READ

	}

	/**
	 * A call ended.
	 * @param status how
	 * @param nanos how long it took, in nanoseconds; on the client from its start until
	 * its caller goes on or, for a future, its reply was read; on the server from its
	 * decoding to its answer
	 * @param peer address and port of the other side, empty if no connection took the
	 * call
	 */
	void record(RpcStatus status, long nanos, String peer);

	/**
	 * A call ended that belongs to a trace.
	 * @param status as for {@link #record(RpcStatus, long, String)}
	 * @param nanos as there
	 * @param peer as there
	 * @param traceId the trace
	 */
	default void record(RpcStatus status, long nanos, String peer, String traceId) {
		record(status, nanos, peer);
	}

	/**
	 * Calls of one connection ended in the same way.
	 * @param status how
	 * @param nanos how long each took, in nanoseconds, from index 0; it belongs to the
	 * caller, and is used again when this returns
	 * @param calls how many of the array are meant, 1 or more
	 * @param peer address and port of the other side
	 */
	default void record(RpcStatus status, long[] nanos, int calls, String peer) {
		for (int i = 0; i < calls; i++) {
			record(status, nanos[i], peer);
		}
	}

	/**
	 * The implementation threw what its interface does not declare. Only on the server,
	 * beside the end of its call.
	 * @param type name of the class
	 */
	default void threw(String type) {
	}

	/**
	 * Calls carried bytes, beside their ends: bodies of frames as they count against
	 * grants, those of several calls added.
	 * @param argumentBytes what their arguments took
	 * @param resultBytes what their results took, 0 for one-way calls
	 */
	default void carried(long argumentBytes, long resultBytes) {
	}

	/**
	 * Objects did not become bytes, or bytes no objects, beside the end of their call.
	 * @param way which
	 */
	default void failed(Serialization way) {
	}

}
