package io.rpcboot.internal.server.runtime;

import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.server.scheduling.ResponseSizeEstimator;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.transport.frame.BodyAllocator;
import io.rpcboot.internal.transport.frame.ChunkedBody;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a server's results: enters them in the account, keeps calls from starting
 * while there is none for their results, and looks, while others need the memory, for
 * clients that take no results and for calls that wait in vain. Any thread.
 */
public final class ResponseMemory {

	/**
	 * What a thread may make over the limit, in bytes: a thread that waited here would be
	 * missing elsewhere. While memory is short a call has so much reserved before it
	 * begins, so this is for each thread once.
	 */
	public static final int MOST_OF_THREAD = 64 * 1024;

	/** A call without a deadline waits no longer for memory. */
	private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

	/**
	 * After a shortage no method's results are taken for smaller than they were. Whoever
	 * brought it about asks again sooner.
	 */
	private static final long CALM_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

	private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final BodyAllocator memory;

	private final Set<ActiveConnection> connections;

	private final MemoryWaitList waiting;

	private final LongAdder dropped = new LongAdder();

	/** Whether calls ask for memory before they begin; may be late. */
	public volatile boolean isShort;

	private final AtomicBoolean relieving = new AtomicBoolean();

	private volatile @Nullable ScheduledExecutorService timer;

	/** As {@link System#nanoTime()}. */
	private volatile long calmFrom = System.nanoTime();

	private int tick;

	/**
	 * Create a memory in which nothing is entered.
	 * @param runner runs a call that has waited
	 * @param connections where clients that take no results are looked for
	 */
	ResponseMemory(BodyAllocator memory, Consumer<ScheduledCall> runner, Set<ActiveConnection> connections) {
		this.memory = memory;
		this.connections = connections;
		this.waiting = new MemoryWaitList(memory.account(), runner);
		memory.account().onShortage(this::shortage);
	}

	/** Where connections that take nothing are looked for. */
	public void start(ScheduledExecutorService loop) {
		this.timer = loop;
	}

	/** Where its bytes come from. */
	public BodyAllocator bodies() {
		return this.memory;
	}

	public MemoryBudget account() {
		return this.memory.account();
	}

	/**
	 * Bytes to be reserved for a result before its call begins: what the method is known
	 * to need if that is much, and while memory is short what a thread may make; but 0
	 * for methods whose results take nothing of the account.
	 */
	public long needed(ResponseSizeEstimator results) {
		return Math.min(neededByAll(results), account().mostOfOne());
	}

	private long neededByAll(ResponseSizeEstimator results) {
		if (!this.isShort || results.areSmall()) {
			return results.expected;
		}
		if (!account().isOutgoingShort()) {
			this.isShort = false;
			return results.expected;
		}
		return Math.max(MOST_OF_THREAD, results.expected);
	}

	/**
	 * Let a call wait without a thread. It is run again when its result has so much
	 * memory.
	 * @param turn calls of the same one wait in line, and take turns with those of others
	 * @param earned whether it has every other turn with those that take their results
	 */
	public void untilReserved(ScheduledCall call, Object turn, boolean earned, long bytes) {
		this.waiting.untilReserved(call, turn, earned, bytes);
		shortage();
	}

	/** A call was cancelled: it waits for memory no longer. */
	public void giveUp(ScheduledCall call) {
		this.waiting.giveUp(call);
	}

	/** Calls that wait for memory without a thread. */
	public int waitingCalls() {
		return this.waiting.size();
	}

	/** An answer that is too long for an array. */
	public ChunkedBody largeBody(ScheduledCall call, boolean mayWait, long reserved) {
		int overdraft = mayWait ? MOST_OF_THREAD : Integer.MAX_VALUE;
		long now = System.nanoTime();
		long deadlineNanos = now + Math.min(LONGEST_WAIT_NANOS, call.allowedNanos - (now - call.startNanos));
		return new ChunkedBody(this.memory, deadlineNanos, overdraft, reserved, call.method.results);
	}

	/** Whether an answer in an array of its own is entered in the account. */
	public boolean isEntered(int length) {
		return length > this.memory.freeBytes();
	}

	/** An answer waited until its caller did not. */
	public void countDropped() {
		this.dropped.increment();
	}

	/** Answers whose time was over before their client took them. */
	public long dropped() {
		return this.dropped.sum();
	}

	/** Whether nobody had to wait for memory lately. */
	public boolean isCalm() {
		return System.nanoTime() - this.calmFrom >= 0;
	}

	private void shortage() {
		this.calmFrom = System.nanoTime() + CALM_AFTER_NANOS;
		if (account().isOutgoingShort()) {
			this.isShort = true;
		}
		ScheduledExecutorService loop = this.timer;
		if (loop != null && !loop.isShutdown() && this.relieving.compareAndSet(false, true)) {
			try {
				loop.schedule(this::relieve, TICK_NANOS, TimeUnit.NANOSECONDS);
			}
			catch (RejectedExecutionException ex) { // the server has closed meanwhile
				this.relieving.set(false);
			}
			catch (Error ex) { // the next one tries again
				this.relieving.set(false);
				throw ex;
			}
		}
	}

	/** One event loop, one at a time. */
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
				this.tick++; // so that those which are slow now begin anew the next time
			}
		}
	}

}
