package io.rpcboot.metrics;

import io.rpcboot.RpcStatus;

/** Records the calls of one method. Called from any thread. */
@FunctionalInterface
public interface CallRecorder {

	/**
	 * A call ended.
	 * @param status how
	 * @param nanos how long it took, in nanoseconds; on the server from its decoding to
	 * its answer
	 */
	void record(RpcStatus status, long nanos);

}
