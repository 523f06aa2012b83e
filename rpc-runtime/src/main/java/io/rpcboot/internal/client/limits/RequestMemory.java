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
 * The memory of a client's arguments, which are kept until their calls end: who finds
 * none waits until the deadline of the call. Any thread.
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

	/** Arguments up to this size, in bytes, are not entered. */
	public int freeBytes() {
		return this.memory.freeBytes();
	}

	/**
	 * Enter arguments that stay in an array. Returns what was entered, in bytes.
	 * @param asynchronous whether nobody waits for the call in its thread
	 * @param callDeadlineNanos until then its thread may wait
	 * @throws MemoryShortageException if there was no memory in time
	 */
	public int enter(int length, boolean asynchronous, long callDeadlineNanos) {
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
	 * Arguments that are too long for an array.
	 * @throws MemoryShortageException if this thread must not wait and there is no memory
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

	public void free(int entered) {
		account().release(Direction.OUTGOING, entered);
	}

	/** Others wait for event loops and for callbacks. */
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
