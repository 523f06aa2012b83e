package io.rpcboot.metrics;

import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Adds the trace and the caller to the record of one call.
 *
 * @param recorder recorder of the method
 * @param traceId the trace, null for none
 * @param caller name that the caller has proved to the server, null for none
 * @since 0.1.0
 */
public record TracedCallRecorder(CallRecorder recorder, @Nullable String traceId,
		@Nullable String caller) implements CallRecorder {

	/**
	 * Returns the recorder for a call.
	 * @param recorder recorder of its method, null for none
	 * @param traceId its trace, null for none
	 * @param caller name that its caller has proved to the server, null for none
	 * @return null without a recorder
	 */
	public static @Nullable CallRecorder of(@Nullable CallRecorder recorder, @Nullable String traceId,
			@Nullable String caller) {
		return (recorder != null && (traceId != null || caller != null))
				? new TracedCallRecorder(recorder, traceId, caller) : recorder;
	}

	@Override
	public void record(RpcStatus status, long nanos, String peer) {
		this.recorder.record(status, nanos, peer, new Traced(0, null, null, this.traceId, this.caller));
	}

	@Override
	public void record(RpcStatus status, long nanos, String peer, CallDetails details) {
		this.recorder.record(status, nanos, peer, new Traced(details.waitedNanos(), details.message(),
				details.exceptionType(), this.traceId, this.caller));
	}

	@Override
	public void record(RpcStatus status, long[] nanos, long[] waited, int calls, String peer) {
		for (int i = 0; i < calls; i++) {
			this.recorder.record(status, nanos[i], peer, new Traced(waited[i], null, null, this.traceId, this.caller));
		}
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
	public void elements(long arguments, long results) {
		this.recorder.elements(arguments, results);
	}

	@Override
	public void firstElement(long nanos) {
		this.recorder.firstElement(nanos);
	}

	@Override
	public void streamEnded(StreamEnd end) {
		this.recorder.streamEnded(end.withTrace(this.traceId));
	}

	@Override
	public void failed(Serialization way) {
		this.recorder.failed(way);
	}

	private record Traced(long waitedNanos, @Nullable String message, @Nullable String exceptionType,
			@Nullable String traceId, @Nullable String caller) implements CallDetails {
	}

}
