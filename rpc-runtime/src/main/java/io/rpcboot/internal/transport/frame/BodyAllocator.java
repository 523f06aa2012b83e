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
 * The memory of one side: its account and where it comes from. Each call that it allows
 * has a small part set apart, so that small calls enter nothing. Thread-safe.
 *
 * @param account where bodies are entered
 * @param allocator gives the chunks of large ones
 * @param freeBytes what a call may take without being entered
 */
public record BodyAllocator(MemoryBudget account, ByteBufAllocator allocator, int freeBytes) {

	/** A call and a small body. */
	private static final int MOST_FREE_BYTES = 1024;

	/** Share by which results may overdraw the account before no call starts. */
	private static final int OVERDRAWN = 9;

	/**
	 * Of the longest body: room for tables and numbers of methods, which stay for long.
	 */
	private static final int STAYS = 4;

	/**
	 * Set the memory of a side up.
	 * @param options how much
	 * @param socket which allocator
	 * @param maxFrameSize the longest body, of which each direction has room for one
	 * @param calls most calls at the same time
	 * @return the memory
	 * @throws io.rpcboot.transport.Options.InvalidOptionException if the limit is too
	 * small
	 */
	public static BodyAllocator of(MemoryOptions options, SocketOptions socket, int maxFrameSize, int calls) {
		long least = 3L * maxFrameSize;
		Options.require(options.limit() == 0 || options.limit() >= least, "memory.limit", options.limit(),
				"0 (a quarter of the heap) or at least %d bytes, three times max-frame-size".formatted(least));
		long limit = (options.limit() > 0) ? options.limit() : Math.max(Runtime.getRuntime().maxMemory() / 4, least);
		long largest = (long) maxFrameSize + maxFrameSize / STAYS;
		long bothLargest = 2 * largest * OVERDRAWN / (OVERDRAWN - 1) + 1;
		int freeBytes = (int) Math.max(0, Math.min(MOST_FREE_BYTES, Math.min(limit / 4, limit - bothLargest) / calls));
		// one body may be completed over the limit; a small account has no room to set
		// all of that apart
		long overdraft = Math.min(maxFrameSize, Math.max(0, limit - (long) freeBytes * calls - bothLargest));
		long rest = limit - (long) freeBytes * calls - overdraft;
		return new BodyAllocator(new MemoryBudget(rest - rest / OVERDRAWN, largest, limit),
				allocator(socket.allocator()), freeBytes);
	}

	public static ByteBufAllocator allocator(SocketOptions.Allocator kind) {
		return switch (kind) {
			case POOLED -> PooledByteBufAllocator.DEFAULT;
			case ADAPTIVE -> new AdaptiveByteBufAllocator();
			case UNPOOLED -> UnpooledByteBufAllocator.DEFAULT;
		};
	}

}
