package io.rpcboot.spring.autoconfigure.properties;

import io.rpcboot.transport.MemoryOptions;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Memory for arguments and results.
 *
 * @param limit Most bytes of arguments and results that are received, queued, in use or
 * serialized, at least three times max-frame-size; 0 for a quarter of the maximum heap.
 * @param leastRate Least bytes per second with which a peer must send a body over 4KB
 * after its first second; otherwise the connection is closed if other calls need the
 * memory. 0 for any rate.
 * @since 0.1.0
 */
public record MemoryProperties(@DefaultValue("0B") DataSize limit, @DefaultValue("1MB") DataSize leastRate) {

	public MemoryOptions toOptions() {
		return MemoryOptions.defaults().withLimit(this.limit.toBytes()).withLeastRate(this.leastRate.toBytes());
	}

}
