package io.rpcboot.metrics;

import io.rpcboot.RpcStatus;

/** Records the calls of one method. Called from any thread. */
@FunctionalInterface
public interface CallRecorder {

	/**
	 * Calls ended.
	 * @param status how
	 * @param calls how many, 1 or more
	 * @param totalNanos how long they took together, in nanoseconds; on the client from
	 * the start of a call until its caller goes on or, for a future, its reply was read;
	 * on the server from its decoding to its answer
	 * @param maxNanos how long the longest took
	 */
	void record(RpcStatus status, int calls, long totalNanos, long maxNanos);

	/**
	 * Whether the time of each call matters, as it does for a histogram.
	 * @return false if it may be told of many calls at once
	 */
	default boolean needsEach() {
		return false;
	}

	/**
	 * The implementation threw what its interface does not declare. Only on the server,
	 * beside the end of its call.
	 * @param type name of the class
	 */
	default void threw(String type) {
	}

	/**
	 * A call ended.
	 * @param status how
	 * @param nanos how long it took, in nanoseconds
	 */
	default void record(RpcStatus status, long nanos) {
		record(status, 1, nanos, nanos);
	}

}
