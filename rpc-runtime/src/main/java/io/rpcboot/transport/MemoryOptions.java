package io.rpcboot.transport;

/**
 * How much memory a client or a server takes for bodies, and how long a peer may keep it.
 *
 * @param limit most bytes of bodies that arrive, wait, are used by calls or are being
 * made, on the heap and beside it; 0 for a quarter of the largest heap, but at least
 * three times the largest frame
 * @param leastRate bytes in a second with which a body over 4 KiB has to come after its
 * first second while others need the memory; 0 for any rate
 */
public record MemoryOptions(long limit, long leastRate) {

	private static final MemoryOptions DEFAULTS = new MemoryOptions(0, 1024 * 1024);

	/**
	 * Check the values.
	 * @throws io.rpcboot.RpcConfigurationException if one is negative
	 */
	public MemoryOptions {
		Options.require(limit >= 0, "memory.limit", limit, "0 (a quarter of the heap) or more bytes");
		Options.require(leastRate >= 0, "memory.least-rate", leastRate, "0 (any rate) or more bytes in a second");
	}

	/**
	 * What holds when nothing is set.
	 * @return a quarter of the heap, 1 MiB in a second
	 */
	public static MemoryOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Change the limit.
	 * @param bytes at least three times the largest frame, 0 for a quarter of the largest
	 * heap
	 * @return a copy
	 */
	public MemoryOptions withLimit(long bytes) {
		return new MemoryOptions(bytes, this.leastRate);
	}

	/**
	 * Change the least rate.
	 * @param bytes in a second, 0 for any rate
	 * @return a copy
	 */
	public MemoryOptions withLeastRate(long bytes) {
		return new MemoryOptions(this.limit, bytes);
	}

}
