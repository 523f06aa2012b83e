package io.rpcboot.transport;

/**
 * How much memory a client or a server takes for bodies, and how long a peer may keep it.
 * Immutable.
 */
public final class MemoryOptions extends Options {

	private static final MemoryOptions DEFAULTS = new MemoryOptions();

	private long limit;

	private long leastRate = 1024 * 1024;

	private MemoryOptions() {
	}

	/**
	 * What holds when nothing is set.
	 * @return a quarter of the heap, 1 MiB in a second
	 */
	public static MemoryOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Change the most bytes of bodies that arrive, wait, are used by calls or are being
	 * made, on the heap and beside it.
	 * @param bytes at least three times the largest frame, 0 for a quarter of the largest
	 * heap, but at least three times the largest frame
	 * @return a copy
	 */
	public MemoryOptions withLimit(long bytes) {
		require(bytes >= 0, "memory.limit", bytes, "0 (a quarter of the heap) or more bytes");
		return copy((changed) -> changed.limit = bytes);
	}

	/**
	 * Change the rate with which a body over 4 KiB has to come after its first second
	 * while others need the memory.
	 * @param bytes in a second, 0 for any rate
	 * @return a copy
	 */
	public MemoryOptions withLeastRate(long bytes) {
		require(bytes >= 0, "memory.least-rate", bytes, "0 (any rate) or more bytes in a second");
		return copy((changed) -> changed.leastRate = bytes);
	}

	/**
	 * The most bytes of bodies.
	 * @return 0 for a quarter of the largest heap
	 */
	public long limit() {
		return this.limit;
	}

	/**
	 * The least rate of a body.
	 * @return bytes in a second, 0 for any rate
	 */
	public long leastRate() {
		return this.leastRate;
	}

}
