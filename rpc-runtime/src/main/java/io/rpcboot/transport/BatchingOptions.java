package io.rpcboot.transport;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Options of batching: the rule by which a connection flushes. Immutable, and equal to
 * options with the same values. <pre>{@code
 * RpcServer.builder().batching(BatchingOptions.defaults().withMode(BatchingOptions.Mode.NEVER))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class BatchingOptions extends Options {

	private static final BatchingOptions DEFAULTS = new BatchingOptions();

	private Mode mode = Mode.AUTO;

	private int maxMessages = 512;

	private int maxBytes = 128 * 1024;

	private Duration maxDelay = Duration.ofMillis(1);

	private BatchingOptions() {
	}

	/** Rule of flushing. */
	public enum Mode {

		/**
		 * Flushes when the write queue is empty. Before that the event loop runs another
		 * round if rounds have brought more frames recently, for at most 50 microseconds.
		 */
		AUTO,

		/**
		 * Waits until the batch is full or its first frame is {@code maxDelay} old.
		 * Control frames of the protocol, for example grants, do not wait, and neither do
		 * frames before them.
		 */
		ALWAYS,

		/** Flushes each frame. */
		NEVER

	}

	/**
	 * Returns the defaults: AUTO, 512 messages and 128 KiB. Measured with both sides on
	 * their event loops, this is a tenth more asynchronous calls than with 128 messages
	 * and 64 KiB; other loads do not differ.
	 * @return the defaults
	 */
	public static BatchingOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns a copy with another rule.
	 * @param mode the rule
	 * @return a copy
	 */
	public BatchingOptions withMode(Mode mode) {
		return copy((changed) -> changed.mode = mode);
	}

	/**
	 * Returns a copy with another maximum of frames in a flush.
	 * @param messages 1 or more
	 * @return a copy
	 * @throws InvalidOptionException if it is less
	 */
	public BatchingOptions withMaxMessages(int messages) {
		require(messages >= 1, "batching.max-messages", messages, "1 or more");
		return copy((changed) -> changed.maxMessages = messages);
	}

	/**
	 * Returns a copy with another maximum of bytes in a flush.
	 * @param bytes 1024 or more; a larger frame is flushed alone
	 * @return a copy
	 * @throws InvalidOptionException if it is less
	 */
	public BatchingOptions withMaxBytes(int bytes) {
		require(bytes >= 1024, "batching.max-bytes", bytes, "1024 (1KB) or more");
		return copy((changed) -> changed.maxBytes = bytes);
	}

	/**
	 * Returns a copy with another maximum delay of a frame with {@link Mode#ALWAYS}.
	 * {@link Mode#AUTO} does not exceed it either.
	 * @param delay more than 0, at most 100 ms
	 * @return a copy
	 * @throws InvalidOptionException if it is out of range
	 */
	public BatchingOptions withMaxDelay(Duration delay) {
		require(delay.compareTo(Duration.ZERO) > 0 && delay.compareTo(Duration.ofMillis(100)) <= 0,
				"batching.max-delay", delay, "more than 0 and at most 100ms");
		return copy((changed) -> changed.maxDelay = delay);
	}

	/**
	 * Returns the rule.
	 * @return the rule
	 */
	public Mode mode() {
		return this.mode;
	}

	/**
	 * Returns the maximum of frames in a flush.
	 * @return 1 or more
	 */
	public int maxMessages() {
		return this.maxMessages;
	}

	/**
	 * Returns the maximum of bytes in a flush.
	 * @return 1024 or more
	 */
	public int maxBytes() {
		return this.maxBytes;
	}

	/**
	 * Returns the maximum delay of a frame.
	 * @return more than 0, at most 100 ms
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
