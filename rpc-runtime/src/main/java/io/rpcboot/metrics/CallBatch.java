package io.rpcboot.metrics;

import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the calls of a batch before they are recorded: calls of one method that ended
 * in the same way are recorded together, and their bytes are added. One for each
 * connection; for one thread.
 */
public final class CallBatch {

	/** A quarter of a kilobyte for each connection. */
	private static final int MOST_CALLS = 32;

	private final String peer;

	private final long[] nanos = new long[MOST_CALLS];

	private @Nullable CallRecorder recorder;

	private RpcStatus status = RpcStatus.OK;

	private int calls;

	private @Nullable CallRecorder carrier;

	private long argumentBytes;

	private long resultBytes;

	/**
	 * Gather the calls of a connection.
	 * @param peer address and port of the other side
	 */
	public CallBatch(String peer) {
		this.peer = peer;
	}

	/**
	 * Add a call that ended.
	 * @param recorder where it is recorded, null for nowhere
	 * @param status how it ended
	 * @param nanos how long it took, in nanoseconds
	 */
	public void add(@Nullable CallRecorder recorder, RpcStatus status, long nanos) {
		if (recorder != this.recorder || status != this.status || this.calls == MOST_CALLS) {
			publishCalls();
			this.recorder = recorder;
			this.status = status;
		}
		this.nanos[this.calls++] = nanos;
	}

	/**
	 * Add what a call carried.
	 * @param recorder where it is recorded, null for nowhere
	 * @param argumentBytes size of its arguments' body
	 * @param resultBytes size of its result's body
	 */
	public void carried(@Nullable CallRecorder recorder, int argumentBytes, int resultBytes) {
		if (recorder != this.carrier) {
			publishBytes();
			this.carrier = recorder;
		}
		this.argumentBytes += argumentBytes;
		this.resultBytes += resultBytes;
	}

	/** Record what was gathered: the end of a batch. */
	public void publish() {
		publishCalls();
		publishBytes();
	}

	private void publishCalls() {
		int gathered = this.calls;
		this.calls = 0;
		if (this.recorder != null && gathered > 0) {
			this.recorder.record(this.status, this.nanos, gathered, this.peer);
		}
	}

	private void publishBytes() {
		long arguments = this.argumentBytes;
		long results = this.resultBytes;
		this.argumentBytes = 0;
		this.resultBytes = 0;
		if (this.carrier != null && arguments + results > 0) {
			this.carrier.carried(arguments, results);
		}
	}

}
