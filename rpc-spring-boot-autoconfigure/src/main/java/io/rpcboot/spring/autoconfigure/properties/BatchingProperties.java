package io.rpcboot.spring.autoconfigure.properties;

import java.time.Duration;

import io.rpcboot.transport.BatchingOptions;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Flushes of connections.
 *
 * @param mode When to flush: when the write queue is empty, after rounds of the event
 * loop if those bring larger batches (auto), when a batch is full or old enough (always),
 * or after each message (never).
 * @param maxMessages Most messages in one flush, 1 or more.
 * @param maxBytes Most bytes in one flush, 1KB or more; a larger message is flushed
 * alone.
 * @param maxDelay Longest time that mode 'always' delays a message, at most 100ms.
 * @since 0.1.0
 */
public record BatchingProperties(@DefaultValue("auto") BatchingOptions.Mode mode, @DefaultValue("512") int maxMessages,
		@DefaultValue("128KB") DataSize maxBytes, @DefaultValue("1ms") Duration maxDelay) {

	public BatchingOptions toOptions() {
		return BatchingOptions.defaults()
			.withMode(this.mode)
			.withMaxMessages(this.maxMessages)
			.withMaxBytes(OptionToPropertyNames.bytes("batching.max-bytes", this.maxBytes))
			.withMaxDelay(this.maxDelay);
	}

}
