package io.rpcboot.internal.transport.frame;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.SocketOptions;

/**
 * The memory for bodies of one client or server: its budget and its allocator. Every
 * allowed call has a small part of the limit set apart, so that small calls reserve
 * nothing in the budget. Thread-safe.
 *
 * @param account the budget in which bodies are reserved
 * @param allocator allocates the chunks of large bodies
 * @param freeBytes bytes that each call may use without a reservation
 */
public record BodyAllocator(MemoryBudget account, ByteBufAllocator allocator, int freeBytes) {

	/** Bytes of a call with a small body. */
	private static final int MOST_FREE_BYTES = 1024;

	/** One part in nine of the limit is left for results that overdraw the budget. */
	private static final int PARTS = 9;

	/**
	 * A quarter of the longest body is added to it, for tables and method numbers that
	 * live as long as a connection.
	 */
	private static final int LONG_LIVED_PART = 4;

	/**
	 * Divides the limit: {@code limit = freeBytes * calls + overdraft + budget * 9 / 8}.
	 * Example: 512 MB and 20,000 calls set 20 MB apart, and 8 MB for one body that is
	 * completed over the limit.
	 * @param options has the limit
	 * @param socket has the allocator
	 * @param maxFrameSize longest body in bytes; each direction can hold one
	 * @param calls largest number of concurrent calls
	 * @return the memory
	 * @throws io.rpcboot.transport.Options.InvalidOptionException if the limit is too
	 * small
	 */
	public static BodyAllocator of(MemoryOptions options, SocketOptions socket, int maxFrameSize, int calls) {
		long least = 3L * maxFrameSize;
		Options.require(options.limit() == 0 || options.limit() >= least, "memory.limit", options.limit(),
				"0 (a quarter of the heap) or at least %d bytes, three times max-frame-size".formatted(least));
		long limit = (options.limit() > 0) ? options.limit() : Math.max(Runtime.getRuntime().maxMemory() / 4, least);
		long largest = (long) maxFrameSize + maxFrameSize / LONG_LIVED_PART;
		long bothLargest = 2 * largest * PARTS / (PARTS - 1) + 1;
		int freeBytes = (int) Math.max(0, Math.min(MOST_FREE_BYTES, Math.min(limit / 4, limit - bothLargest) / calls));
		// One body may be completed over the limit. A small limit cannot set all of it
		// apart.
		long overdraft = Math.min(maxFrameSize, Math.max(0, limit - (long) freeBytes * calls - bothLargest));
		long rest = limit - (long) freeBytes * calls - overdraft;
		return new BodyAllocator(new MemoryBudget(rest - rest / PARTS, largest, limit), allocator(socket.allocator()),
				freeBytes);
	}

	public static ByteBufAllocator allocator(SocketOptions.Allocator kind) {
		return switch (kind) {
			case POOLED -> PooledByteBufAllocator.DEFAULT;
			case ADAPTIVE -> new AdaptiveByteBufAllocator();
			case UNPOOLED -> UnpooledByteBufAllocator.DEFAULT;
		};
	}

}
