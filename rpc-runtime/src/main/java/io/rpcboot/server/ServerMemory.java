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
 * while it is overdrawn, and looks, while others need the memory, for clients that take
 * no results and for calls that wait in vain. Any thread.
 */
final class ServerMemory {

	/**
	 * What a thread may make over the limit, in bytes: a thread that waited here would be
	 * missing elsewhere. No call begins meanwhile that makes as much, so this is for each
	 * thread once.
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
	 * The account was overdrawn a moment ago. If it still is, a call waits without a
	 * thread until it is not, but for those whose results take nothing of the account,
	 * and for clients that take their results. Returns whether the call may start.
	 */
	boolean mayStart(ServerCall call, boolean mayWait) {
		MemoryAccount account = account();
		if (!account.isOverdrawn()) {
			this.server.isOverdrawn = false;
			return true;
		}
		if (call.method().results().areSmall()
				|| (call.connection().unsent().get() == 0 && !account.isFarOverdrawn())) {
			return true;
		}
		if (mayWait) {
			this.waiting.untilNotOverdrawn(call);
			shortage();
			return false;
		}
		ServerFailures.refuse(call, RpcStatus.RESOURCE_EXHAUSTED,
				"memory.limit: all of the server's %d bytes are in use".formatted(account.limit()));
		return false;
	}

	/**
	 * Reserve memory for the result of a method whose results are large. Returns false if
	 * there is none now: then the call is run again when there is, and no thread waits.
	 */
	boolean reserveResult(ServerCall call, boolean mayWait) {
		long bytes = Math.min(call.method().results().expected, account().mostOfOne());
		if (account().tryReserve(Direction.OUTGOING, bytes)) {
			call.memory().reserved(bytes);
			return true;
		}
		if (!mayWait) {
			return true;
		}
		this.waiting.untilReserved(call, bytes);
		shortage();
		return false;
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
		if (account().isOverdrawn()) {
			this.server.isOverdrawn = true;
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
