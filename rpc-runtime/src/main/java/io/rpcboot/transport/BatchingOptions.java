package io.rpcboot.transport;

import java.time.Duration;

/**
 * When a connection flushes what it has to write.
 *
 * @param mode the rule
 * @param maxMessages most frames in one flush, 1 or more
 * @param maxBytes most bytes in one flush, 1024 or more; a larger frame goes alone
 * @param maxDelay longest time that {@link Mode#ALWAYS} holds a frame back, more than 0
 * and at most 100 ms; {@link Mode#AUTO} lets no more pass either
 */
public record BatchingOptions(Mode mode, int maxMessages, int maxBytes, Duration maxDelay) {

	/** The rule of flushing. */
	public enum Mode {

		/**
		 * Flush when nothing is queued; before that let the event loop go round where
		 * this has brought more frames lately, for 50 microseconds at most.
		 */
		AUTO,

		/** Wait until a batch is full or its first frame is {@code maxDelay} old. */
		ALWAYS,

		/** Flush each frame. */
		NEVER

	}

	public BatchingOptions {
		Options.require(maxMessages >= 1, "batching.max-messages", maxMessages, "1 or more");
		Options.require(maxBytes >= 1024, "batching.max-bytes", maxBytes, "1024 (1KB) or more");
		Options.require(maxDelay.compareTo(Duration.ZERO) > 0 && maxDelay.compareTo(Duration.ofMillis(100)) <= 0,
				"batching.max-delay", maxDelay, "more than 0 and at most 100ms");
	}

	/**
	 * 512 messages and 128 KiB: a tenth more asynchronous calls than with 128 messages
	 * and 64 KiB where both sides run on their event loops, nothing lost elsewhere.
	 * @return the defaults
	 */
	public static BatchingOptions defaults() {
		return new BatchingOptions(Mode.AUTO, 512, 128 * 1024, Duration.ofMillis(1));
	}

}
