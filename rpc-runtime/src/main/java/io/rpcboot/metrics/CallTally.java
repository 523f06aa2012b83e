package io.rpcboot.metrics;

import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the calls of a batch before they are recorded: calls of one method that ended
 * in the same way are recorded together. For one thread.
 */
public final class CallTally {

	private @Nullable CallRecorder recorder;

	private RpcStatus status = RpcStatus.OK;

	private int calls;

	private long totalNanos;

	private long maxNanos;

	/**
	 * Add a call that ended.
	 * @param recorder where it is recorded, null for nowhere
	 * @param status how it ended
	 * @param nanos how long it took, in nanoseconds
	 */
	public void add(@Nullable CallRecorder recorder, RpcStatus status, long nanos) {
		if (recorder != null && recorder.needsEach()) {
			recorder.record(status, nanos);
			return;
		}
		if (recorder != this.recorder || status != this.status) {
			publish();
			this.recorder = recorder;
			this.status = status;
		}
		this.calls++;
		this.totalNanos += nanos;
		this.maxNanos = Math.max(this.maxNanos, nanos);
	}

	/** Record what was gathered: the end of a batch. */
	public void publish() {
		int gathered = this.calls;
		long total = this.totalNanos;
		long max = this.maxNanos;
		this.calls = 0;
		this.totalNanos = 0;
		this.maxNanos = 0;
		if (this.recorder != null && gathered > 0) {
			this.recorder.record(this.status, gathered, total, max);
		}
	}

}
