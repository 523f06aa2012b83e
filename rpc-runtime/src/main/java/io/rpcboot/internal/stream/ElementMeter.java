package io.rpcboot.internal.stream;

import io.rpcboot.metrics.CallRecorder;

/**
 * Reports the elements of one stream to the recorder of its method: those that pass
 * together at once. Event loop only.
 */
public final class ElementMeter {

	private final CallRecorder recorder;

	/** Start of the call, as {@link System#nanoTime()}. */
	private final long startNanos;

	/** Elements and bytes of the caller that were reported. */
	private long arguments;

	private long argumentBytes;

	/** Elements and bytes of the result that were reported. */
	private long results;

	private long resultBytes;

	/**
	 * Creates a meter of a stream.
	 * @param startNanos start of the call, as {@link System#nanoTime()}
	 */
	public ElementMeter(CallRecorder recorder, long startNanos) {
		this.recorder = recorder;
		this.startNanos = startNanos;
	}

	/**
	 * Reports the elements of the caller that have passed since the last time.
	 * @param elements number of all so far, 0 if the caller sends no stream
	 * @param bytes bytes of all messages so far, behind the first one of a call
	 */
	public void arguments(long elements, long bytes) {
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
		if (elements > this.results) {
			if (this.results == 0) {
				this.recorder.firstElement(System.nanoTime() - this.startNanos);
			}
			this.recorder.elements(0, elements - this.results);
			this.results = elements;
		}
		if (bytes > this.resultBytes) {
			this.recorder.carried(0, bytes - this.resultBytes);
			this.resultBytes = bytes;
		}
	}

}
