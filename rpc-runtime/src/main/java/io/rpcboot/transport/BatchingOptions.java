package io.rpcboot.transport;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * When a connection flushes what it has to write. Immutable, and equal to options with
 * the same values.
 */
public final class BatchingOptions extends Options {

	private static final BatchingOptions DEFAULTS = new BatchingOptions();

	private Mode mode = Mode.AUTO;

	private int maxMessages = 512;

	private int maxBytes = 128 * 1024;

	private Duration maxDelay = Duration.ofMillis(1);

	private BatchingOptions() {
	}

	/** The rule of flushing. */
	public enum Mode {

		/**
		 * Flush when nothing is queued; before that let the event loop go round where
		 * this has brought more frames lately, for 50 microseconds at most.
		 */
		AUTO,

		/**
		 * Wait until a batch is full or its first frame is {@code maxDelay} old. Frames
		 * of the protocol itself, such as grants, do not wait, nor do those before them.
		 */
		ALWAYS,

		/** Flush each frame. */
		NEVER

	}

	/**
	 * 512 messages and 128 KiB: a tenth more asynchronous calls than with 128 messages
	 * and 64 KiB where both sides run on their event loops, nothing lost elsewhere.
	 * @return the defaults
	 */
	public static BatchingOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Change the rule.
	 * @param mode the rule
	 * @return a copy
	 */
	public BatchingOptions withMode(Mode mode) {
		return copy((changed) -> changed.mode = mode);
	}

	/**
	 * Change the most frames in one flush.
	 * @param messages 1 or more
	 * @return a copy
	 */
	public BatchingOptions withMaxMessages(int messages) {
		require(messages >= 1, "batching.max-messages", messages, "1 or more");
		return copy((changed) -> changed.maxMessages = messages);
	}

	/**
	 * Change the most bytes in one flush.
	 * @param bytes 1024 or more; a larger frame goes alone
	 * @return a copy
	 */
	public BatchingOptions withMaxBytes(int bytes) {
		require(bytes >= 1024, "batching.max-bytes", bytes, "1024 (1KB) or more");
		return copy((changed) -> changed.maxBytes = bytes);
	}

	/**
	 * Change the longest time that {@link Mode#ALWAYS} holds a frame back;
	 * {@link Mode#AUTO} lets no more pass either.
	 * @param delay more than 0 and at most 100 ms
	 * @return a copy
	 */
	public BatchingOptions withMaxDelay(Duration delay) {
		require(delay.compareTo(Duration.ZERO) > 0 && delay.compareTo(Duration.ofMillis(100)) <= 0,
				"batching.max-delay", delay, "more than 0 and at most 100ms");
		return copy((changed) -> changed.maxDelay = delay);
	}

	/**
	 * The rule.
	 * @return the rule
	 */
	public Mode mode() {
		return this.mode;
	}

	/**
	 * Most frames in one flush.
	 * @return their number
	 */
	public int maxMessages() {
		return this.maxMessages;
	}

	/**
	 * Most bytes in one flush.
	 * @return their number
	 */
	public int maxBytes() {
		return this.maxBytes;
	}

	/**
	 * Longest time that a frame is held back.
	 * @return more than 0 and at most 100 ms
	 */
	public Duration maxDelay() {
		return this.maxDelay;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof BatchingOptions options && this.mode == options.mode
				&& this.maxMessages == options.maxMessages && this.maxBytes == options.maxBytes
				&& this.maxDelay.equals(options.maxDelay);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.mode, this.maxMessages, this.maxBytes, this.maxDelay);
	}

	@Override
	public String toString() {
		return "%s, at most %d messages, %d bytes, %s".formatted(this.mode, this.maxMessages, this.maxBytes,
				this.maxDelay);
	}

}
