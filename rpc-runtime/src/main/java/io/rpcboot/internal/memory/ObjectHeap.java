package io.rpcboot.internal.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The heap of the objects that are made of messages at the same time. A reader enters
 * what its objects take beyond the size of their message, step by step, before it creates
 * them, and leaves when the message is read; from then on they belong to the application.
 * Thread-safe.
 * <p>
 * All readers share an eighth of the heap. When it is used up, one reader at a time may
 * exceed it, so that readers that have a part of their bytes never wait for each other,
 * and messages are read one after the other. The others wait, up to the deadline of their
 * call; event loops never wait.
 */
public final class ObjectHeap {

	/** The heap of this JVM. */
	public static final ObjectHeap SHARED = new ObjectHeap(Runtime.getRuntime().maxMemory());

	/** Deadline of threads that must not wait. */
	public static final long NO_WAIT = Long.MIN_VALUE;

	/** Divisor of the heap for all readers together. */
	private static final int SHARE = 8;

	/** Divisor of the heap for one reader. */
	private static final int SHARE_OF_ONE = 4;

	/** Wait of a thread that has no deadline, or one that has passed. */
	private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

	/** Longest wait of a call. */
	private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

	/** Waits of the threads, set with the calls whose messages they read. */
	private static final ThreadLocal<Wait> WAITS = new ThreadLocal<>();

	private final long limit;

	private final long mostOfOne;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition released = this.lock.newCondition();

	private long used;

	/** Reader that may exceed the limit, null while none does. */
	private @Nullable Object privileged;

	/**
	 * Creates an empty heap.
	 * @param size bytes of the heap
	 */
	ObjectHeap(long size) {
		this.limit = size / SHARE;
		this.mostOfOne = size / SHARE_OF_ONE;
	}

	/**
	 * Sets how long this thread may wait for the message that it reads next. A deadline
	 * that has passed counts for no later message.
	 * @param deadlineNanos deadline of its call, as {@link System#nanoTime()};
	 * {@link #NO_WAIT} for an event loop
	 */
	public static void waitUntil(long deadlineNanos) {
		waitUntil(deadlineNanos, () -> false);
	}

	/**
	 * Sets how long this thread may wait for the message that it reads next.
	 * @param deadlineNanos deadline of its call
	 * @param isOver returns true after the call was cancelled; asked when another reader
	 * leaves. The thread keeps it until its next message
	 */
	public static void waitUntil(long deadlineNanos, BooleanSupplier isOver) {
		WAITS.set(new Wait(deadlineNanos, isOver));
	}

	private record Wait(long deadlineNanos, BooleanSupplier isOver) {

		long patienceNanos() {
			if (this.deadlineNanos == NO_WAIT) {
				return 0;
			}
			long left = this.deadlineNanos - System.nanoTime();
			return (left > 0) ? Math.min(left, LONGEST_WAIT_NANOS) : PATIENCE_NANOS;
		}

	}

	/**
	 * Returns the bytes that one message may take.
	 * @return a quarter of the heap
	 */
	public long mostOfOne() {
		return this.mostOfOne;
	}

	/**
	 * Enters bytes of objects that are created next. The thread may wait.
	 * @param reader owner of the bytes until it leaves
	 * @param bytes number of bytes
	 * @throws MemoryShortageException if there is no room in time
	 */
	public void enter(Object reader, long bytes) {
		this.lock.lock();
		try {
			if (!tryEnter(reader, bytes)) {
				await(reader, bytes);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean tryEnter(Object reader, long bytes) {
		if (this.used + bytes > this.limit) {
			if (this.privileged != null && this.privileged != reader) {
				return false;
			}
			this.privileged = reader;
		}
		this.used += bytes;
		return true;
	}

	private void await(Object reader, long bytes) {
		Wait wait = WAITS.get();
		long left = (wait != null) ? wait.patienceNanos() : PATIENCE_NANOS;
		try {
			do {
				if (left <= 0 || (wait != null && wait.isOver.getAsBoolean())) {
					throw MemoryShortageException.ofObjects(this.limit, false);
				}
				left = this.released.awaitNanos(left);
			}
			while ((wait != null && wait.isOver.getAsBoolean()) || !tryEnter(reader, bytes));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw MemoryShortageException.ofObjects(this.limit, true);
		}
	}

	/**
	 * Leaves: the message is read, or could not be read.
	 * @param reader owner of the bytes
	 * @param bytes all bytes that it has entered
	 */
	public void leave(Object reader, long bytes) {
		this.lock.lock();
		try {
			this.used -= bytes;
			if (this.privileged == reader) {
				this.privileged = null;
			}
			this.released.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

}
