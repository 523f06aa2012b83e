package io.rpcboot.internal.memory;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

import io.rpcboot.internal.concurrent.SurvivedErrorLog;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one client or one server, in bytes: bodies are entered before they are
 * allocated and leave when they are free. Any thread.
 * <p>
 * Each direction may have three quarters of it and leaves room for the largest body of
 * the other, so that neither starves the other: calls that have arrived always leave room
 * for results, and arguments for replies. Who finds no room waits in the line of its
 * direction; event loops never wait and may overdraw, which takes nothing of the part
 * that is the other direction's. Only those who wait, and those who make room for them,
 * take the lock.
 */
public final class MemoryBudget extends MemoryBudgetLevels {

	private static final Direction[] DIRECTIONS = Direction.values();

	private final SurvivedErrorLog log = new SurvivedErrorLog();

	private final ReentrantLock lock = new ReentrantLock();

	private final List<WaitQueue> waiters = List.of(new FairWaitQueue(this.keptForEarned), new RoundRobinQueue());

	/** Those in a queue; written with the lock, read by all who release. */
	private volatile int waiting;

	private final AtomicBoolean privilege = new AtomicBoolean();

	private volatile Runnable shortage = () -> {
	};

	/**
	 * Create an account.
	 * @param limit all bytes of both directions, 1 or more
	 * @param largestBody for which each direction has room beside the most of the other
	 * and beside what is granted ahead of need: at most half of the limit
	 */
	public MemoryBudget(long limit, long largestBody) {
		this(limit, largestBody, limit);
	}

	/**
	 * Create an account that is a part of what the operator has set.
	 * @param limit all bytes of both directions, 1 or more
	 * @param largestBody for which each direction has room beside the most of the other
	 * and beside what is granted ahead of need: at most half of the limit
	 * @param setting what messages name as the limit
	 */
	public MemoryBudget(long limit, long largestBody, long setting) {
		super(limit, largestBody, setting);
	}

	/**
	 * Enter bytes if there is room and nobody waits for it.
	 * @param direction what they are for
	 * @param bytes how many
	 * @return false if nothing was entered
	 */
	public boolean tryReserve(Direction direction, long bytes) {
		return !hasQueue(direction) && enterNow(direction, bytes, this.mostOfOne);
	}

	/**
	 * Enter bytes if there is room, whoever waits: for what is small and cannot wait.
	 * @param direction what they are for
	 * @param bytes how many
	 * @return false if nothing was entered
	 */
	public boolean tryReserveAtOnce(Direction direction, long bytes) {
		return enterNow(direction, bytes, this.mostOfOne);
	}

	/**
	 * Those that wait for bytes of either direction, for people.
	 * @return the number
	 */
	public int waiting() {
		return this.waiting;
	}

	/** A try that fails may for a moment have been in the way of those who wait. */
	private boolean enterNow(Direction direction, long bytes, long most) {
		boolean entered = this.sums.enterWithin(direction, bytes, most);
		if (!entered && this.waiting > 0) {
			serve();
		}
		return entered;
	}

	private boolean hasQueue(Direction direction) {
		if (this.waiting == 0) {
			return false;
		}
		this.lock.lock();
		try {
			return !queue(direction).isEmpty();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Enter bytes for what a peer may send ahead, as long as the largest body fits beside
	 * them and nobody waits for room.
	 * @param most the most that is of use
	 * @return how many were entered, 0 or more
	 */
	long reserveAhead(long most) {
		long bytes = hasQueue(Direction.INCOMING) ? 0
				: Math.min(most, this.sums.room(Direction.INCOMING, this.mostAhead));
		boolean entered = bytes > 0 && enterNow(Direction.INCOMING, bytes, this.mostAhead);
		return entered ? bytes : 0;
	}

	/**
	 * Enter bytes when it is their turn and there is room.
	 * @param direction what they are for
	 * @param bytes how many, at most {@link #mostOfOne()}, and incoming ones at most the
	 * largest body
	 * @param admitted run once when they have been entered, by the thread that made room,
	 * before this returns if there is room now; must not block
	 * @return the place in the queue
	 */
	public Waiter reserveInTurn(Direction direction, long bytes, Runnable admitted) {
		return reserveInTurn(direction, bytes, false, admitted);
	}

	/**
	 * Enter outgoing bytes when it is the turn of their owner and there is room. What
	 * waits for one owner goes in its order, and owners take turns.
	 * @param owner on whose behalf: a connection
	 * @param bytes how many, at most {@link #mostOfOne()}
	 * @param earned whether the owner has every other turn with those of which the same
	 * is true, because it gave back what it had before
	 * @param admitted run once when they have been entered, by the thread that made room,
	 * before this returns if there is room now; must not block
	 * @return the place in the queue
	 */
	public Waiter reserveInTurnOf(Object owner, long bytes, boolean earned, Runnable admitted) {
		return await(new Waiter(Direction.OUTGOING, bytes, owner, earned, admitted));
	}

	/** The same for one who may have earned a turn before others, by what it did. */
	Waiter reserveInTurn(Direction direction, long bytes, boolean earned, Runnable admitted) {
		return await(new Waiter(direction, bytes, null, earned, admitted));
	}

	private Waiter await(Waiter waiter) {
		@Nullable Waiter ready;
		this.lock.lock();
		try {
			queue(waiter.direction).add(waiter);
			this.waiting++;
			ready = admit();
		}
		finally {
			this.lock.unlock();
		}
		tell(ready);
		return waiter;
	}

	/**
	 * Let somebody wait no longer.
	 * @param waiter waits in this account, or did
	 * @return whether its bytes have not been entered and never will be
	 */
	public boolean cancel(Waiter waiter) {
		@Nullable Waiter others;
		this.lock.lock();
		try {
			if (!queue(waiter.direction).remove(waiter)) {
				return false;
			}
			this.waiting--;
			others = admit();
		}
		finally {
			this.lock.unlock();
		}
		tell(others);
		return true;
	}

	/**
	 * Enter bytes, and wait for room in the calling thread if there is none.
	 * @param direction what they are for
	 * @param bytes how many, at most {@link #mostOfOne()}
	 * @param deadlineNanos when to give up, as {@link System#nanoTime()}
	 * @return false if there was no room in time; nothing was entered then
	 * @throws InterruptedException if the thread is interrupted; nothing was entered then
	 */
	public boolean reserve(Direction direction, long bytes, long deadlineNanos) throws InterruptedException {
		if (tryReserve(direction, bytes)) {
			return true;
		}
		Thread caller = Thread.currentThread();
		Waiter waiter = reserveInTurn(direction, bytes, () -> LockSupport.unpark(caller));
		if (!waiter.entered) {
			this.shortage.run();
		}
		while (!waiter.entered) {
			long remaining = deadlineNanos - System.nanoTime();
			boolean interrupted = Thread.interrupted();
			if ((remaining <= 0 || interrupted) && cancel(waiter)) {
				if (interrupted) {
					throw new InterruptedException();
				}
				return false;
			}
			LockSupport.parkNanos(this, Math.max(1, remaining));
			if (interrupted) {
				caller.interrupt();
			}
		}
		return true;
	}

	/**
	 * Enter bytes whatever the room is. If there was none, that is a shortage.
	 * @param direction what they are for
	 * @param bytes how many
	 */
	public void overdraw(Direction direction, long bytes) {
		this.sums.enter(direction, bytes);
		if (isOverdrawn() || this.sums.room(direction, this.mostOfOne) < 0) {
			this.shortage.run();
		}
	}

	/**
	 * Bytes are free again.
	 * @param direction what they were for
	 * @param bytes how many
	 */
	public void release(Direction direction, long bytes) {
		this.sums.enter(direction, -bytes);
		if (this.waiting > 0) {
			serve();
		}
	}

	private void serve() {
		@Nullable Waiter ready;
		this.lock.lock();
		try {
			ready = admit();
		}
		finally {
			this.lock.unlock();
		}
		tell(ready);
	}

	/**
	 * The right to go on over the limit, for one at a time who holds bytes already: so
	 * those who hold some and wait for more never wait for each other.
	 * @return true while somebody has it
	 */
	public AtomicBoolean privilege() {
		return this.privilege;
	}

	/**
	 * With the lock. Returns those whose bytes have been entered, linked as in a line:
	 * there need not be memory for more.
	 */
	private @Nullable Waiter admit() {
		Waiter first = null;
		Waiter last = null;
		for (Direction direction : DIRECTIONS) {
			WaitQueue queue = queue(direction);
			for (Waiter next = queue.next(); next != null; next = queue.next()) {
				if (!this.sums.enterWithin(direction, next.bytes, queue.mostFor(next, this.mostOfOne))) {
					next = queue.passing();
					if (next == null || !this.sums.enterWithin(direction, next.bytes, this.mostOfOne)) {
						break;
					}
				}
				queue.admit(next);
				this.waiting--;
				next.entered = true;
				if (last == null) {
					first = next;
				}
				else {
					last.newer = next;
				}
				last = next;
			}
		}
		return first;
	}

	/** Whoever is not told has its bytes for ever: one that fails is in nobody's way. */
	private void tell(@Nullable Waiter first) {
		Waiter next = first;
		while (next != null) {
			Waiter told = next;
			next = told.newer;
			told.newer = null;
			try {
				told.admitted.run();
			}
			catch (Throwable ex) {
				this.log.survived("Telling of memory", ex);
			}
		}
	}

	private WaitQueue queue(Direction direction) {
		return this.waiters.get(direction.ordinal());
	}

	/**
	 * Set what to do when somebody has to wait for outgoing bytes or enters some for
	 * which there is no room. Before the first use.
	 * @param task runs on any thread, often; must not block
	 */
	public void onShortage(Runnable task) {
		this.shortage = task;
	}

	/**
	 * Whether somebody waits for outgoing bytes or they are overdrawn.
	 * @return true until enough is free again
	 */
	public boolean isShort() {
		return isOverdrawn() || hasQueue(Direction.OUTGOING);
	}

	/**
	 * Whether somebody waits for outgoing bytes, or less than an eighth of what may go
	 * out is left: then nobody should begin what takes some without having them.
	 * @return true until enough is free again
	 */
	public boolean isOutgoingShort() {
		return hasQueue(Direction.OUTGOING) || this.sums.room(Direction.OUTGOING, this.mostOfOne) < this.mostOfOne / 8;
	}

	/**
	 * Whether somebody waits for bytes of either direction, or less than an eighth of
	 * what may come in is left: then nobody may keep what it does not use.
	 * @return true until enough is free again
	 */
	boolean isIncomingShort() {
		return this.waiting > 0 || this.sums.room(Direction.INCOMING, this.mostOfOne) < this.mostOfOne / 8;
	}

}
