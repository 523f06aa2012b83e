package io.rpcboot.metrics;

import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Collects the calls of a batch before they are recorded: consecutive calls of one method
 * with one status are recorded together, and their bytes are added up. One for each
 * connection; one thread.
 *
 * @since 0.1.0
 */
public final class CallBatch {

	/** Limits the arrays to 512 bytes per connection. */
	private static final int MOST_CALLS = 32;

	private final String peer;

	private final long[] nanos = new long[MOST_CALLS];

	private final long[] waited = new long[MOST_CALLS];

	private @Nullable CallRecorder recorder;

	private RpcStatus status = RpcStatus.OK;

	private int calls;

	private @Nullable CallRecorder carrier;

	private long argumentBytes;

	private long resultBytes;

	/**
	 * Creates an empty batch for a connection.
	 * @param peer address and port of the peer
	 */
	public CallBatch(String peer) {
		this.peer = peer;
	}

	/**
	 * Adds a call that ended. A failed call is recorded at once, with its details.
	 * @param recorder recorder of its method, null for none
	 * @param status its status
	 * @param nanos its duration, in nanoseconds
	 * @param details how long it waited, why it failed
	 */
	public void add(@Nullable CallRecorder recorder, RpcStatus status, long nanos, CallDetails details) {
		if (recorder != this.recorder || status != this.status || this.calls == MOST_CALLS) {
			publishCalls();
			if (status != RpcStatus.OK && status != RpcStatus.DECLARED) {
				recordFailed(recorder, status, nanos, details);
				return;
			}
			this.recorder = recorder;
			this.status = status;
		}
		this.waited[this.calls] = details.waitedNanos();
		this.nanos[this.calls++] = nanos;
	}

	private void recordFailed(@Nullable CallRecorder recorder, RpcStatus status, long nanos, CallDetails details) {
		if (recorder != null) {
			recorder.record(status, nanos, this.peer, details);
		}
	}

	/**
	 * Adds the bytes of a call.
	 * @param recorder recorder of its method, null for none
	 * @param argumentBytes size of the body of its arguments
	 * @param resultBytes size of the body of its result
	 */
	public void carried(@Nullable CallRecorder recorder, int argumentBytes, int resultBytes) {
		if (recorder != this.carrier) {
			publishBytes();
			this.carrier = recorder;
		}
		this.argumentBytes += argumentBytes;
		this.resultBytes += resultBytes;
	}

	/** Records the collected calls at the end of a batch. */
	public void publish() {
		publishCalls();
		publishBytes();
	}

	private void publishCalls() {
		int gathered = this.calls;
		this.calls = 0;
		if (this.recorder != null && gathered > 0) {
			this.recorder.record(this.status, this.nanos, this.waited, gathered, this.peer);
		}
	}

	private void publishBytes() {
		if (this.carrier != null && this.argumentBytes + this.resultBytes > 0) {
			this.carrier.carried(this.argumentBytes, this.resultBytes);
		}
		this.argumentBytes = 0;
		this.resultBytes = 0;
	}

}
