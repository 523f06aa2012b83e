package io.rpcboot.internal.stream;

import io.rpcboot.RpcStatus;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.StreamEnd;
import org.jspecify.annotations.Nullable;

/**
 * Reports the elements of one stream to the recorder of its method: those that pass
 * together at once. Event loop only, except {@link #ended}.
 */
public final class ElementMeter {

	/** Null without metrics. */
	private final @Nullable CallRecorder recorder;

	/** Start of the call, as {@link System#nanoTime()}. */
	private final long startNanos;

	/** Elements and bytes of the caller that were reported. */
	private long arguments;

	private long argumentBytes;

	/** Elements and bytes of the result that were reported. */
	private long results;

	private long resultBytes;

	/** Time from the start of the call to the first result, -1 without one. */
	private long firstNanos = -1;

	/**
	 * Creates a meter of a stream.
	 * @param recorder recorder of its method, null without metrics
	 * @param startNanos start of the call, as {@link System#nanoTime()}
	 */
	public ElementMeter(@Nullable CallRecorder recorder, long startNanos) {
		this.recorder = recorder;
		this.startNanos = startNanos;
	}

	/**
	 * Reports the elements of the caller that have passed since the last time.
	 * @param elements number of all so far, 0 if the caller sends no stream
	 * @param bytes bytes of all messages so far, behind the first one of a call
	 */
	public void arguments(long elements, long bytes) {
		if (this.recorder == null) {
			return;
		}
		if (elements > this.arguments) {
			this.recorder.elements(elements - this.arguments, 0);
			this.arguments = elements;
		}
		if (bytes > this.argumentBytes) {
			this.recorder.carried(bytes - this.argumentBytes, 0);
			this.argumentBytes = bytes;
		}
	}

	/**
	 * Reports the elements of the result that have passed since the last time.
	 * @param elements number of all so far, 0 if the result is no stream
	 * @param bytes bytes of all messages so far
	 */
	public void results(long elements, long bytes) {
		if (this.recorder == null) {
			return;
		}
		if (elements > this.results) {
			if (this.results == 0) {
				this.firstNanos = System.nanoTime() - this.startNanos;
				this.recorder.firstElement(this.firstNanos);
			}
			this.recorder.elements(0, elements - this.results);
			this.results = elements;
		}
		if (bytes > this.resultBytes) {
			this.recorder.carried(0, bytes - this.resultBytes);
			this.resultBytes = bytes;
		}
	}

	/**
	 * Reports the end of the call. Any thread, once no element follows.
	 * @param peer address and port of the peer, empty if no connection took the call
	 */
	public void ended(RpcStatus status, String peer) {
		if (this.recorder != null) {
			this.recorder.streamEnded(new StreamEnd(status, System.nanoTime() - this.startNanos, peer, this.arguments,
					this.argumentBytes, this.results, this.resultBytes, this.firstNanos, null));
		}
	}

}
