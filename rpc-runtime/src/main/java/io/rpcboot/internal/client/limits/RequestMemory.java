package io.rpcboot.internal.client.limits;

import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.frame.BodyAllocator;
import io.rpcboot.internal.transport.frame.ChunkedBody;

/**
 * Memory of request bodies, which are kept until their calls end. A call that finds none
 * waits until its deadline. Any thread.
 */
public final class RequestMemory {

	private final BodyAllocator memory;

	private final OverflowPolicy whenFull;

	private final WorkerPool callbacks;

	public RequestMemory(BodyAllocator memory, OverflowPolicy whenFull, WorkerPool callbacks) {
		this.memory = memory;
		this.whenFull = whenFull;
		this.callbacks = callbacks;
	}

	public MemoryBudget account() {
		return this.memory.account();
	}

	/** Returns the size up to which arguments reserve no memory, in bytes. */
	public int freeBytes() {
		return this.memory.freeBytes();
	}

	/**
	 * Reserves memory for arguments in an array and returns the reserved bytes.
	 * @param asynchronous true if the caller does not wait for the reply
	 * @param callDeadlineNanos end of the wait for memory
	 * @throws MemoryShortageException if there was no memory in time
	 */
	public int reserve(int length, boolean asynchronous, long callDeadlineNanos) {
		if (account().tryReserve(Direction.OUTGOING, length)) {
			return length;
		}
		if (!mayWait()) {
			requireNotOverdrawn();
			account().overdraw(Direction.OUTGOING, length);
			return length;
		}
		try {
			if (account().reserve(Direction.OUTGOING, length, deadlineNanos(asynchronous, callDeadlineNanos))) {
				return length;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new MemoryShortageException(account().limit(), true);
		}
		throw new MemoryShortageException(account().limit(), false);
	}

	/**
	 * Creates a body for arguments that are too large for an array.
	 * @throws MemoryShortageException if this thread must not wait and memory is short
	 */
	public ChunkedBody largeBody(boolean asynchronous, long callDeadlineNanos) {
		boolean mayWait = mayWait();
		if (!mayWait) {
			requireNotOverdrawn();
		}
		return new ChunkedBody(this.memory, deadlineNanos(asynchronous, callDeadlineNanos),
				mayWait ? 0 : Integer.MAX_VALUE, 0, (length) -> {
				});
	}

	public void release(int reserved) {
		account().release(Direction.OUTGOING, reserved);
	}

	/** Returns false for event loops and callback threads, for which other calls wait. */
	private boolean mayWait() {
		return !(Thread.currentThread() instanceof EventLoopThread) && !this.callbacks.isMember(Thread.currentThread());
	}

	private long deadlineNanos(boolean asynchronous, long callDeadlineNanos) {
		boolean failsAtOnce = asynchronous && this.whenFull == OverflowPolicy.FAIL;
		return failsAtOnce ? System.nanoTime() : callDeadlineNanos;
	}

	private void requireNotOverdrawn() {
		if (account().isOverdrawn()) {
			throw new MemoryShortageException(account().limit(), false);
		}
	}

}
