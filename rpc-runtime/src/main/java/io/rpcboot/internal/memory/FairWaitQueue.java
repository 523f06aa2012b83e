package io.rpcboot.internal.memory;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A wait queue that resists peers which request memory and never send. Only with the lock
 * of the budget.
 * <p>
 * Three turns alternate: the oldest waiter that has earned it, the newest waiter, the
 * oldest waiter. The waiter in turn keeps its turn until there is room, so that small
 * requests never starve a large one. With first in, first out a thousand hostile peers
 * would each hold the memory for the time of an unused grant before a new peer has its
 * turn. Here a peer would have to be the newest and the oldest waiter at the same time to
 * delay others for longer than a few grants.
 * <p>
 * A part of the memory is kept for waiters that have earned it and request no more than
 * this part. They overtake the waiter in turn, by at most that number of bytes per turn.
 */
final class FairWaitQueue implements WaitQueue {

	private static final int EARNED = 0;

	private static final int LAST = 1;

	private static final int TURNS = 3;

	/** Bytes that are kept for waiters that have earned it. */
	private final long kept;

	/** Waiters that may overtake, in their order; they are in the list, too. */
	private final Set<Waiter> mayPass = new LinkedHashSet<>();

	/** Bytes that have overtaken the waiter in turn. */
	private long passed;

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
		if (waiter.earned && waiter.bytes <= this.kept) {
			this.mayPass.add(waiter);
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
		this.mayPass.remove(waiter);
		if (this.next == waiter) {
			this.next = null;
			this.passed = 0;
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
	public long mostFor(Waiter waiter, long most) {
		return waiter.earned ? most : most - this.kept;
	}

	@Override
	public @Nullable Waiter passing() {
		Iterator<Waiter> all = this.mayPass.iterator();
		Waiter first = all.hasNext() ? all.next() : null;
		return (first != null && this.passed + first.bytes <= this.kept) ? first : null;
	}

	@Override
	public void admit(Waiter waiter) {
		if (waiter == this.next) {
			this.turn = (this.turn + 1) % TURNS;
		}
		else {
			this.passed += waiter.bytes;
		}
		remove(waiter);
	}

	private @Nullable Waiter choose() {
		return switch (this.turn) {
			case EARNED -> earned();
			case LAST -> this.newest;
			default -> this.oldest;
		};
	}

	private @Nullable Waiter earned() {
		Waiter each = this.oldest;
		while (each != null && !each.earned) {
			each = each.newer;
		}
		return (each != null) ? each : this.oldest;
	}

	@Override
	public boolean isEmpty() {
		return this.oldest == null;
	}

}
