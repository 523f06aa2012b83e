package io.rpcboot.server;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.memory.MemoryAccount;
import io.rpcboot.internal.memory.MemoryAccount.Direction;
import io.rpcboot.internal.transport.BodyMemory;
import io.rpcboot.internal.transport.LargeBody;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a server's results: enters them in the account, keeps calls from starting
 * while there is none for their results, and looks, while others need the memory, for
 * clients that take no results and for calls that wait in vain. Any thread.
 */
final class ServerMemory {

	/**
	 * What a thread may make over the limit, in bytes: a thread that waited here would be
	 * missing elsewhere. While memory is short a call has so much reserved before it
	 * begins, so this is for each thread once.
	 */
	private static final int MOST_OF_THREAD = 64 * 1024;

	/** A call without a deadline waits no longer for memory. */
	private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

	/**
	 * After a shortage no method's results are taken for smaller than they were. Whoever
	 * brought it about asks again sooner.
	 */
	private static final long CALM_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

	private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final BodyMemory memory;

	private final ServerRuntime server;

	private final WaitingCalls waiting;

	private final LongAdder dropped = new LongAdder();

	private final AtomicBoolean relieving = new AtomicBoolean();

	private volatile @Nullable ScheduledExecutorService timer;

	/** As {@link System#nanoTime()}. */
	private volatile long calmFrom = System.nanoTime();

	private int tick;

	ServerMemory(BodyMemory memory, ServerRuntime server) {
		this.memory = memory;
		this.server = server;
		this.waiting = new WaitingCalls(memory.account(), server);
		memory.account().onShortage(this::shortage);
	}

	/** Where connections that take nothing are looked for. */
	void start(ScheduledExecutorService loop) {
		this.timer = loop;
	}

	MemoryAccount account() {
		return this.memory.account();
	}

	/**
	 * Reserve memory for the result of a call before it begins: what the method is known
	 * to need if that is much, and while memory is short what a thread may make. If there
	 * is none the call waits in the turn of its connection and is run again, and no
	 * thread waits; but for methods whose results take nothing of the account, and for
	 * clients that take theirs. Returns whether the call may start.
	 */
	boolean mayStart(ServerCall call, boolean mayWait) {
		MemoryAccount account = account();
		long bytes = Math.min(needed(call.method().results()), account.mostOfOne());
		if (bytes == 0) {
			return true;
		}
		if (account.tryReserve(Direction.OUTGOING, bytes)) {
			call.memory().reserved(bytes);
			return true;
		}
		if (mayWait) {
			if (bytes <= MOST_OF_THREAD && call.connection().flow().takesResults() && !account.isFarOverdrawn()) {
				return true;
			}
			this.waiting.untilReserved(call, bytes);
			shortage();
			return false;
		}
		if (!account.isOverdrawn() || (call.connection().unsent().get() == 0 && !account.isFarOverdrawn())) {
			return true;
		}
		ServerFailures.refuse(call, RpcStatus.RESOURCE_EXHAUSTED,
				"memory.limit: all of the server's %d bytes are in use".formatted(account.limit()));
		return false;
	}

	/** Bytes to be reserved for a result; 0 for none. */
	private long needed(ResultSizes results) {
		if (!this.server.isShort || results.areSmall()) {
			return results.expected;
		}
		if (!account().isOutgoingShort()) {
			this.server.isShort = false;
			return results.expected;
		}
		return Math.max(MOST_OF_THREAD, results.expected);
	}

	/** A call was cancelled: it waits for memory no longer. */
	void giveUp(ServerCall call) {
		this.waiting.giveUp(call);
	}

	/** Calls that wait for memory without a thread. */
	int waitingCalls() {
		return this.waiting.size();
	}

	/** An answer that is too long for an array. */
	LargeBody largeBody(ServerCall call, boolean mayWait, long reserved) {
		int overdraft = mayWait ? MOST_OF_THREAD : Integer.MAX_VALUE;
		return new LargeBody(this.memory, call.deadlineNanos(LONGEST_WAIT_NANOS), overdraft, reserved,
				call.method().results());
	}

	/** An answer in an array of its own waits. */
	void enter(ServerCall call, int length) {
		if (length > this.memory.freeBytes()) {
			call.memory().enter(length);
		}
		else {
			call.forgetAnswer();
		}
	}

	/** An answer waited until its caller did not. */
	void countDropped() {
		this.dropped.increment();
	}

	/** Answers whose time was over before their client took them. */
	long dropped() {
		return this.dropped.sum();
	}

	/** Whether nobody had to wait for memory lately. */
	boolean isCalm() {
		return System.nanoTime() - this.calmFrom >= 0;
	}

	private void shortage() {
		this.calmFrom = System.nanoTime() + CALM_AFTER_NANOS;
		if (account().isOutgoingShort()) {
			this.server.isShort = true;
		}
		ScheduledExecutorService loop = this.timer;
		if (loop != null && !loop.isShutdown() && this.relieving.compareAndSet(false, true)) {
			try {
				loop.schedule(this::relieve, TICK_NANOS, TimeUnit.NANOSECONDS);
			}
			catch (RejectedExecutionException ex) { // the server has closed meanwhile
				this.relieving.set(false);
			}
		}
	}

	/** One event loop, one at a time. */
	private void relieve() {
		this.tick++;
		int now = this.tick;
		try {
			this.server.connections.forEach((connection) -> connection.flow().relieve(now));
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
