package io.rpcboot.internal.memory;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A line that stands against peers which ask and never send. Only with the lock of the
 * account.
 * <p>
 * Three turns go round: the longest waiting of those who have earned it, the one who came
 * last, the one who waits for longest. Whoever has a turn keeps it until there is room,
 * so small ones never starve a large one. Why not only the order of arrival: a thousand
 * peers that ask and never send would each hold the memory for as long as a lease lasts
 * before a newcomer has its turn. To delay others for longer than a few leases, a peer
 * has to come last and wait for longest at the same time.
 * <p>
 * A part of the room is kept for those who have earned it and ask for no more than that.
 * They pass whoever has the turn, as many bytes in each turn as are kept.
 */
final class FairWaitQueue implements WaitQueue {

	private static final int EARNED = 0;

	private static final int LAST = 1;

	private static final int TURNS = 3;

	private final long kept;

	/** Those who may pass, in their order; they stand in the line, too. */
	private final Set<Waiter> mayPass = new LinkedHashSet<>();

	private long passed;

	private @Nullable Waiter oldest;

	private @Nullable Waiter newest;

	/** Whoever has the turn, null until somebody asks. */
	private @Nullable Waiter next;

	private int turn;

	/**
	 * Create an empty line.
	 * @param kept bytes for those who have earned it
	 */
	FairWaitQueue(long kept) {
		this.kept = kept;
	}

	@Override
	public void add(Waiter waiter) {
		if (waiter.earned && waiter.bytes <= this.kept) {
			this.mayPass.add(waiter); // first, for it may throw
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
