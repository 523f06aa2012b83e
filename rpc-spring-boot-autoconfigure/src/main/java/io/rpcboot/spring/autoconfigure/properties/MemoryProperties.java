package io.rpcboot.spring.autoconfigure.properties;

import io.rpcboot.transport.MemoryOptions;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Memory for arguments and results.
 *
 * @param limit Most bytes of arguments and results that arrive, wait, are in use or are
 * being made, at least three times max-frame-size; 0 for a quarter of the largest heap.
 * @param leastRate Bytes in a second with which the other side has to send a body over
 * 4KB after its first second, else the connection is closed if others need the memory; 0
 * for any rate.
 */
public record MemoryProperties(@DefaultValue("0B") DataSize limit, @DefaultValue("1MB") DataSize leastRate) {

	public MemoryOptions toOptions() {
		return MemoryOptions.defaults().withLimit(this.limit.toBytes()).withLeastRate(this.leastRate.toBytes());
	}

}
