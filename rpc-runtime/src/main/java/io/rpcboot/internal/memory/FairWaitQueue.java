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
 * of that part per turn: a turn may last as long as the slowest body.
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

	/** Waiters that have earned it, by use; they are in the list, too. */
	private final TreeSet<Waiter> earned = new TreeSet<>(BY_USE);

	/** Waiters that have earned it and are small enough to overtake. */
	private final TreeSet<Waiter> mayPass = new TreeSet<>(BY_USE);

	/** Small waiters that have neither earned it nor used memory, the newest first. */
	private final TreeSet<Waiter> strangers = new TreeSet<>(BY_USE.reversed());

	/** Bytes with which strangers have overtaken the waiter in turn. */
	private long passedInTurn;

	/** Bytes of the pool that are in use. */
	private long passed;

	/** Number of waiters so far. */
	private long added;

	private @Nullable Waiter oldest;

	private @Nullable Waiter newest;

	/** Waiter in turn, null until it is chosen. */
	private @Nullable Waiter next;

	private int turn;

	/**
	 * Creates an empty queue.
	 * @param kept bytes that are kept for waiters that have earned it
	 */
	FairWaitQueue(long kept) {
		this.kept = kept;
	}

	@Override
	public void add(Waiter waiter) {
		waiter.number = ++this.added;
		if (waiter.earned) {
			this.earned.add(waiter);
		}
		if (waiter.earned && waiter.bytes <= this.kept / 2) {
			this.mayPass.add(waiter);
		}
		if (!waiter.earned && waiter.use == 0 && waiter.bytes <= this.kept / STRANGERS) {
			this.strangers.add(waiter);
		}
		waiter.older = this.newest;
		if (this.newest != null) {
			this.newest.newer = waiter;
		}
		else {
			this.oldest = waiter;
		}
		this.newest = waiter;
		waiter.waits = true;
	}

	@Override
	public boolean remove(Waiter waiter) {
		if (!waiter.waits) {
			return false;
		}
		waiter.waits = false;
		if (waiter.older != null) {
			waiter.older.newer = waiter.newer;
		}
		else {
			this.oldest = waiter.newer;
		}
		if (waiter.newer != null) {
			waiter.newer.older = waiter.older;
		}
		else {
			this.newest = waiter.older;
		}
		waiter.older = null;
		waiter.newer = null;
		this.earned.remove(waiter);
		this.mayPass.remove(waiter);
		this.strangers.remove(waiter);
		if (this.next == waiter) {
			this.next = null;
			this.passedInTurn = 0;
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
		for (Waiter each : this.mayPass) {
			if (each.bytes <= (this.kept - this.passed) / 2) {
				return each;
			}
		}
		for (Waiter each : this.strangers) {
			if (this.passedInTurn + each.bytes <= this.kept / STRANGERS) {
				return each;
			}
		}
		return null;
	}

	@Override
	public void admit(Waiter waiter) {
		if (waiter == this.next) {
			this.turn = (this.turn + 1) % TURNS;
		}
		else if (waiter.earned) {
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
			case EARNED -> this.earned.isEmpty() ? this.oldest : this.earned.first();
			case LAST -> newestOfLittleUse();
			default -> this.oldest;
		};
	}

	private @Nullable Waiter newestOfLittleUse() {
		Waiter each = this.newest;
		while (each != null && each.use > 0) {
			each = each.older;
		}
		return (each != null) ? each : this.newest;
	}

	@Override
	public boolean isEmpty() {
		return this.oldest == null;
	}

}
