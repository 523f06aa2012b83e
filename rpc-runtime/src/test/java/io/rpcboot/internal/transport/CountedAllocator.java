package io.rpcboot.internal.transport;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryAccount;

/** Gives buffers, and keeps the worst that the account did not know of. */
final class CountedAllocator extends AbstractByteBufAllocator {

	private final UnpooledByteBufAllocator all = new UnpooledByteBufAllocator(false, true);

	private final MemoryAccount account;

	private long mostUnknown = Long.MIN_VALUE;

	private long mostEntered;

	CountedAllocator(MemoryAccount account) {
		this.account = account;
	}

	/** Bytes of the buffers that nobody has released. */
	long used() {
		return this.all.metric().usedDirectMemory() + this.all.metric().usedHeapMemory();
	}

	/** Bytes of buffers by which the account was behind at worst; negative if ahead. */
	synchronized long mostUnknown() {
		return this.mostUnknown;
	}

	/** The most that the account had for what goes out when a buffer was made. */
	synchronized long mostEntered() {
		return this.mostEntered;
	}

	@Override
	protected synchronized ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
		long entered = this.account.used(Direction.OUTGOING);
		this.mostUnknown = Math.max(this.mostUnknown, used() + initialCapacity - entered);
		this.mostEntered = Math.max(this.mostEntered, entered);
		return this.all.directBuffer(initialCapacity, maxCapacity);
	}

	@Override
	protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
		throw new UnsupportedOperationException("a body needs no buffer on the heap");
	}

	@Override
	public boolean isDirectBufferPooled() {
		return false;
	}

}
