package io.rpcboot.internal.memory;

import java.util.Comparator;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * A wait queue that resists peers which request memory and never send. Only with the lock
 * of the budget.
 * <p>
 * A waiter has earned it if its connection has sent at least the bytes that it requests.
 * Three turns alternate: the waiter of least use that has earned it, the newest waiter
 * without recent use, the oldest waiter. The waiter in turn keeps its turn until there is
 * room, so that small requests never starve a large one. With first in, first out a
 * thousand hostile peers would each hold the memory for the time of an unused grant
 * before a new peer has its turn. Here a peer would have to be the newest and the oldest
 * waiter at the same time to delay others for longer than a few grants.
 * <p>
 * A part of the memory is a pool for waiters that have earned it. They overtake the
 * waiter in turn, each with at most half of what is left of the pool, which is refilled
 * when their bytes are released. So there is always room for a small request in it.
 * <p>
 * New peers that request little may overtake, too, the newest first, by at most an eighth
 * of that part per turn: a turn may last as long as the slowest body. The waiter in turn
 * may enter both parts, too, and is counted there. A turn ends when a waiter fits into
 * the other memory.
 * <p>
 * Among those that have earned it the connection goes first that has used the least
 * memory lately, in bytes times seconds (least attained service). A connection that sends
 * slowly again and again therefore waits for those that use their grants at once.
 */
final class FairWaitQueue implements WaitQueue {

	private static final int EARNED = 0;

	private static final int LAST = 1;

	private static final int TURNS = 3;

	/** Divisor of the kept part for new peers in one turn. */
	private static final int STRANGERS = 8;

	private static final Comparator<Waiter> BY_USE = Comparator.<Waiter>comparingLong((each) -> each.use)
		.thenComparingLong((each) -> each.number);

	/** Bytes that are kept for waiters that have earned it. */
	private final long kept;

	/** Waiters that have earned it, by use. */
	private final TreeSet<Waiter> earned = new TreeSet<>(BY_USE);

	/** Waiters that have earned it and are small enough to overtake. */
	private final SizeClasses mayPass;

	/** Small waiters that have neither earned it nor used memory, the newest first. */
	private final SizeClasses strangers;

	/** Waiters without recent use, the oldest first. */
	private final TreeSet<Waiter> unused = new TreeSet<>(BY_USE);

	/** Bytes with which strangers have overtaken the waiter in turn. */
	private long passedInTurn;

	/** Bytes of the pool that are in use. */
	private long passed;

	/** Number of waiters so far. */
	private long added;

	private final WaiterList all = new WaiterList();

	/** Waiter in turn, null until it is chosen. */
	private @Nullable Waiter next;

	private int turn;

	/**
	 * Creates an empty queue.
	 * @param kept bytes that are kept for waiters that have earned it
	 */
	FairWaitQueue(long kept) {
		this.kept = kept;
		this.mayPass = new SizeClasses(kept / 2, BY_USE);
		this.strangers = new SizeClasses(kept / STRANGERS, BY_USE.reversed());
	}

	@Override
	public void add(Waiter waiter) {
		waiter.number = ++this.added;
		this.all.add(waiter);
		boolean complete = false;
		try {
			sort(waiter);
			complete = true;
		}
		finally {
			if (!complete) { // memory has ended
				remove(waiter);
			}
		}
	}

	private void sort(Waiter waiter) {
		if (waiter.earned) {
			this.earned.add(waiter);
		}
		if (waiter.earned && waiter.bytes <= this.kept / 2) {
			this.mayPass.add(waiter);
		}
		if (waiter.use == 0) {
			this.unused.add(waiter);
		}
		if (!waiter.earned && waiter.use == 0 && waiter.bytes <= this.kept / STRANGERS) {
			this.strangers.add(waiter);
		}
	}

	@Override
	public boolean remove(Waiter waiter) {
		if (!this.all.remove(waiter)) {
			return false;
		}
		this.earned.remove(waiter);
		this.mayPass.remove(waiter);
		this.strangers.remove(waiter);
		this.unused.remove(waiter);
		if (this.next == waiter) {
			this.next = null;
		}
		return true;
	}

	@Override
	public @Nullable Waiter next() {
		if (this.next == null) {
			this.next = choose();
		}
		return this.next;
	}

	@Override
	public long mostInTurn(long most) {
		return most - this.kept + this.passed;
	}

	@Override
	public @Nullable Waiter passing() {
		Waiter first = this.mayPass.first((this.kept - this.passed) / 2);
		return (first != null) ? first : this.strangers.first(this.kept / STRANGERS - this.passedInTurn);
	}

	@Override
	public void admit(Waiter waiter) {
		this.turn = (this.turn + 1) % TURNS;
		this.passedInTurn = 0;
		remove(waiter);
	}

	@Override
	public void pass(Waiter waiter) {
		if (waiter.earned) {
			this.passed += waiter.bytes;
			waiter.passed = true;
		}
		else {
			this.passedInTurn += waiter.bytes;
		}
		remove(waiter);
	}

	@Override
	public void returned(long bytes) {
		this.passed -= bytes;
	}

	private @Nullable Waiter choose() {
		return switch (this.turn) {
			case EARNED -> this.earned.isEmpty() ? this.all.oldest : this.earned.first();
			case LAST -> this.unused.isEmpty() ? this.all.newest : this.unused.last();
			default -> this.all.oldest;
		};
	}

	@Override
	public boolean isEmpty() {
		return this.all.oldest == null;
	}

}
