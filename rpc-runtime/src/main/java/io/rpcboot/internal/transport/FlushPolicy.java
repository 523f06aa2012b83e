package io.rpcboot.internal.transport;

import io.rpcboot.metrics.TransportRecorder.FlushReason;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.BatchingOptions.Mode;
import org.jspecify.annotations.Nullable;

/**
 * When to flush: pure arithmetic, no clock of its own. Stop before: write queue; stop
 * after: write queue.
 */
final class FlushPolicy {

	private final int maxMessages;

	private final int maxBytes;

	private final long holdNanos;

	FlushPolicy(BatchingOptions options) {
		this.maxMessages = (options.mode() == Mode.NEVER) ? 1 : options.maxMessages();
		this.maxBytes = options.maxBytes();
		this.holdNanos = (options.mode() == Mode.ALWAYS) ? options.maxDelay().toNanos() : 0;
	}

	/**
	 * Decide after a frame was added.
	 * @param messages frames in the batch
	 * @param bytes bytes in the batch
	 * @return why to flush now, or null to go on
	 */
	@Nullable FlushReason afterFrame(int messages, int bytes) {
		if (messages >= this.maxMessages) {
			return FlushReason.MESSAGES;
		}
		return (bytes >= this.maxBytes) ? FlushReason.BYTES : null;
	}

	/**
	 * Decide when the queue is empty and the batch is not.
	 * @param ageNanos how long ago the batch got its first frame
	 * @return nanoseconds to wait for more frames, 0 to flush now
	 */
	long whenDrained(long ageNanos) {
		return Math.max(0, this.holdNanos - ageNanos);
	}

	/**
	 * Whether a batch is ever held back, so that its age matters.
	 * @return true in mode ALWAYS
	 */
	boolean holdsBack() {
		return this.holdNanos > 0;
	}

}
