package io.rpcboot.internal.server.runtime;

import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.server.scheduling.ResponseSizeEstimator;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.transport.frame.BodyAllocator;
import io.rpcboot.internal.transport.frame.ChunkedBody;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the responses of a server. Reserves it in the budget before calls run, lets
 * calls wait while there is none and, during a shortage, closes connections whose clients
 * read nothing. Any thread.
 */
public final class ResponseMemory {

	/**
	 * Overdraft of one worker thread in bytes. Workers must not block for memory; each
	 * can exceed the limit by this much, once, because a call reserves as much before it
	 * runs while memory is short.
	 */
	public static final int THREAD_OVERDRAFT = 64 * 1024;

	/** Longest wait for memory while a response is serialized. */
	private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

	/**
	 * Time after a shortage in which estimates of response sizes do not fall. Clients
	 * that caused the shortage usually call again within it.
	 */
	private static final long CALM_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** Interval of the checks during a shortage. */
	private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final BodyAllocator memory;

	private final Set<ActiveConnection> connections;

	/** Longest response in bytes. */
	private final int mostOfOne;

	private final MemoryWaitList waiting;

	/** Responses that expired before their clients read them. */
	private final LongAdder dropped = new LongAdder();

	/** True if calls reserve memory before they run. Updated with a delay. */
	public volatile boolean isShort;

	/** True while a check is scheduled. */
	private final AtomicBoolean relieving = new AtomicBoolean();

	private volatile @Nullable ScheduledExecutorService timer;

	/** End of {@link #CALM_AFTER_NANOS}, as {@link System#nanoTime()}. */
	private volatile long calmFrom = System.nanoTime();

	/** Number of the last check; a gap in the numbers ends a row of checks. */
	private int tick;

	/**
	 * Creates an empty memory.
	 * @param runner runs a call that has waited
	 * @param connections the connections that are checked during a shortage
	 * @param mostOfOne longest response in bytes
	 */
	ResponseMemory(BodyAllocator memory, Consumer<ScheduledCall> runner, Set<ActiveConnection> connections,
			int mostOfOne) {
		this.memory = memory;
		this.connections = connections;
		this.mostOfOne = mostOfOne;
		this.waiting = new MemoryWaitList(memory.account(), runner);
		memory.account().onShortage(this::shortage);
	}

	/** Sets the thread of the checks. */
	public void start(ScheduledExecutorService loop) {
		this.timer = loop;
	}

	/** Returns the allocator of bodies. */
	public BodyAllocator bodies() {
		return this.memory;
	}

	public MemoryBudget account() {
		return this.memory.account();
	}

	/**
	 * Returns the bytes to reserve for a response before its call runs: the estimate of
	 * the method, and at least {@link #THREAD_OVERDRAFT} while memory is short; 0 for
	 * methods with small responses.
	 */
	public long needed(ResponseSizeEstimator results) {
		return Math.min(neededWithoutLimit(results), account().mostOfOne());
	}

	private long neededWithoutLimit(ResponseSizeEstimator results) {
		if (!this.isShort || results.areSmall()) {
			return results.expected;
		}
		if (!account().isOutgoingShort()) {
			this.isShort = false;
			return results.expected;
		}
		return Math.max(THREAD_OVERDRAFT, results.expected);
	}

	/**
	 * Lets a call wait without a thread. It is run again when the memory is reserved.
	 * @param turn calls of the same turn are first in, first out; turns alternate
	 * @param earned true if its client reads responses: these turns get every other one
	 */
	public void untilReserved(ScheduledCall call, Object turn, boolean earned, long bytes) {
		this.waiting.untilReserved(call, turn, earned, bytes);
		shortage();
	}

	/**
	 * Counts a call that is about to run. While the size of the responses of its method
	 * is unknown, each may be as long as a frame: {@code most = max(1, free outgoing
	 * bytes / max-frame-size)}. Example: with 200 MB free and frames of 8 MB, 25 calls
	 * run.
	 * @return false if it has to wait
	 */
	public boolean begin(ScheduledCall call) {
		return call.method.results.begin(mostOfUnknownSize());
	}

	/** Ends a call that has begun: its response is built, or there is none. */
	public void end(ScheduledCall call) {
		this.waiting.runAgain(call.method.results.end());
	}

	/** Lets a call wait without a thread until another one of its method has ended. */
	public void untilAnswered(ScheduledCall call) {
		this.waiting.untilAnswered(call, mostOfUnknownSize());
		watch();
	}

	private long mostOfUnknownSize() {
		return Math.max(1, account().free(Direction.OUTGOING) / this.mostOfOne);
	}

	/** Ends the wait of a call that was cancelled. */
	public void giveUp(ScheduledCall call) {
		this.waiting.giveUp(call);
	}

	/** Returns the calls that wait without a thread. */
	public int waitingCalls() {
		return this.waiting.size();
	}

	/** Returns the body of a response that is too long for an array. */
	public ChunkedBody largeBody(ScheduledCall call, boolean mayWait, long reserved) {
		int overdraft = mayWait ? THREAD_OVERDRAFT : Integer.MAX_VALUE;
		long now = System.nanoTime();
		long deadlineNanos = now + Math.min(LONGEST_WAIT_NANOS, call.allowedNanos - (now - call.startNanos));
		return new ChunkedBody(this.memory, deadlineNanos, overdraft, reserved, call.method.results);
	}

	/** Returns true if a response of this length in an array is reserved. */
	public boolean isEntered(int length) {
		return length > this.memory.freeBytes();
	}

	/** Counts a response that expired before its client read it. */
	public void countDropped() {
		this.dropped.increment();
	}

	/** Returns the responses that expired before their clients read them. */
	public long dropped() {
		return this.dropped.sum();
	}

	/** Returns true if there was no shortage within {@link #CALM_AFTER_NANOS}. */
	public boolean isCalm() {
		return System.nanoTime() - this.calmFrom >= 0;
	}

	private void shortage() {
		this.calmFrom = System.nanoTime() + CALM_AFTER_NANOS;
		if (account().isOutgoingShort()) {
			this.isShort = true;
		}
		watch();
	}

	/** Checks connections and waiting calls in a while. */
	private void watch() {
		ScheduledExecutorService loop = this.timer;
		if (loop != null && !loop.isShutdown() && this.relieving.compareAndSet(false, true)) {
			try {
				loop.schedule(this::relieve, TICK_NANOS, TimeUnit.NANOSECONDS);
			}
			catch (RejectedExecutionException ex) { // the server has closed
				this.relieving.set(false);
			}
		}
	}

	/** Checks connections and waiting calls. One at a time, on one event loop. */
	private void relieve() {
		this.tick++;
		int now = this.tick;
		try {
			this.connections.forEach((connection) -> connection.relieve(now));
			this.waiting.giveUpLate();
		}
		finally {
			this.relieving.set(false);
			if (account().isShort()) {
				shortage();
			}
			else {
				this.tick++; // ends the rows of checks without progress
				if (this.waiting.size() > 0) {
					watch();
				}
			}
		}
	}

}
