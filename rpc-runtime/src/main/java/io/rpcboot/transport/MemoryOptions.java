package io.rpcboot.transport;

/**
 * Options of the memory of a client or server for bodies of frames. Immutable.
 * <pre>{@code
 * RpcServer.builder().memory(MemoryOptions.defaults().withLimit(256L * 1024 * 1024))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class MemoryOptions extends Options {

	private static final MemoryOptions DEFAULTS = new MemoryOptions();

	private long limit;

	private long leastRate = 1024 * 1024;

	private MemoryOptions() {
	}

	/**
	 * Returns the defaults: a quarter of the heap, 1 MiB per second.
	 * @return the defaults
	 */
	public static MemoryOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns a copy with another limit of bytes of bodies that arrive, wait, are used by
	 * calls or are created, on the heap and outside of it.
	 * @param bytes at least three times the largest frame; 0 for a quarter of the maximum
	 * heap, but at least three times the largest frame
	 * @return a copy
	 * @throws InvalidOptionException if it is negative
	 */
	public MemoryOptions withLimit(long bytes) {
		require(bytes >= 0, "memory.limit", bytes, "0 (a quarter of the heap) or more bytes");
		return copy((changed) -> changed.limit = bytes);
	}

	/**
	 * Returns a copy with another minimum rate of an incoming body over 4 KiB. It applies
	 * after the first second, while others need the memory.
	 * @param bytes bytes per second, 0 for any rate
	 * @return a copy
	 * @throws InvalidOptionException if it is negative
	 */
	public MemoryOptions withLeastRate(long bytes) {
		require(bytes >= 0, "memory.least-rate", bytes, "0 (any rate) or more bytes in a second");
		return copy((changed) -> changed.leastRate = bytes);
	}

	/**
	 * Returns the limit of bytes of bodies.
	 * @return 0 for a quarter of the maximum heap
	 */
	public long limit() {
		return this.limit;
	}

	/**
	 * Returns the minimum rate of an incoming body.
	 * @return bytes per second, 0 for any rate
	 */
	public long leastRate() {
		return this.leastRate;
	}

}
