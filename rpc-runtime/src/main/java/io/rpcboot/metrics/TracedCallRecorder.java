package io.rpcboot.metrics;

import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Records one call that belongs to a trace, for those who know only how to record calls.
 *
 * @param recorder where it is recorded
 * @param traceId the trace
 */
public record TracedCallRecorder(CallRecorder recorder, String traceId) implements CallRecorder {

	/**
	 * What records a call.
	 * @param recorder what records all of its method, null for nothing
	 * @param traceId its trace, null for none
	 * @return null for nothing
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
