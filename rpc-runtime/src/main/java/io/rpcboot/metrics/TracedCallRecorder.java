package io.rpcboot.metrics;

import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Adds the trace to the record of one call.
 *
 * @param recorder recorder of the method
 * @param traceId the trace
 * @since 0.1.0
 */
public record TracedCallRecorder(CallRecorder recorder, String traceId) implements CallRecorder {

	/**
	 * Returns the recorder for a call.
	 * @param recorder recorder of its method, null for none
	 * @param traceId its trace, null for none
	 * @return null without a recorder
	 */
	public static @Nullable CallRecorder of(@Nullable CallRecorder recorder, @Nullable String traceId) {
		return (recorder != null && traceId != null) ? new TracedCallRecorder(recorder, traceId) : recorder;
	}

	@Override
	public void record(RpcStatus status, long nanos, String peer) {
		this.recorder.record(status, nanos, peer, this.traceId);
	}

	@Override
	public void threw(String type) {
		this.recorder.threw(type);
	}

	@Override
	public void carried(long argumentBytes, long resultBytes) {
		this.recorder.carried(argumentBytes, resultBytes);
	}

	@Override
	public void failed(Serialization way) {
		this.recorder.failed(way);
	}

}
