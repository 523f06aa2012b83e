package io.rpcboot.internal.memory;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A wait queue in which owners take turns (round robin). The waiters of one owner keep
 * their order and have one place; after a turn the owner goes to the end. The waiter in
 * turn keeps its turn until there is room, so that small requests never starve a large
 * one. Owners whose peer reads its results have earned it and share every other turn; the
 * oldest waiter of an owner tells whether it has. Only with the lock of the budget.
 * <p>
 * With first in, first out 500 peers with 60 calls each would put 30,000 results ahead of
 * a new peer; with turns it waits for 500. If those peers do not read their results and
 * the new peer does, it waits for one of them at a time.
 * <p>
 * A part of the memory is a pool for owners that have earned it, as in
 * {@link FairWaitQueue}: they overtake the waiter in turn, each with at most half of what
 * is left. Peers that read no results release nothing until their connections are closed,
 * all at the same time; others do not wait for that.
 */
final class RoundRobinQueue implements WaitQueue {

	private final Map<Object, Place> places = new HashMap<>();

	/** Head of the circle of owners that have earned it. */
	private final Place earned = new Place();

	/** Head of the circle of the other owners. */
	private final Place others = new Place();

	private boolean othersNext;

	/** Bytes that are kept for owners that have earned it. */
	private long kept;

	/** Bytes of the pool that are in use. */
	private long passed;

	/** Place of an owner in a circle, with its waiters. The head has none. */
	private static final class Place {

		final WaiterList waiters = new WaiterList();

		private Place before = this;

		Place after = this;

		void leave() {
			this.before.after = this.after;
			this.after.before = this.before;
			this.before = this;
			this.after = this;
		}

		/** Goes to the end of a circle. */
		void join(Place head) {
			leave();
			this.before = head.before;
			this.after = head;
			head.before.after = this;
			head.before = this;
		}

		boolean isAlone() {
			return this.after == this;
		}

	}

	@Override
	public void add(Waiter waiter) {
		Place place = this.places.computeIfAbsent(waiter.owner, (owner) -> new Place());
		place.waiters.add(waiter);
		if (place.isAlone()) {
			place.join(circle(waiter));
		}
	}

	private Place circle(Waiter oldest) {
		return oldest.earned ? this.earned : this.others;
	}

	@Override
	public boolean remove(Waiter waiter) {
		Place place = this.places.get(waiter.owner);
		boolean wasOldest = place != null && place.waiters.oldest == waiter;
		if (place == null || !place.waiters.remove(waiter)) {
			return false;
		}
		Waiter oldest = place.waiters.oldest;
		if (oldest == null) {
			place.leave();
			this.places.remove(waiter.owner);
		}
		else if (wasOldest && oldest.earned != waiter.earned) {
			place.join(circle(oldest));
		}
		return true;
	}

	@Override
	public @Nullable Waiter next() {
		boolean ofOthers = this.earned.isAlone() || (this.othersNext && !this.others.isAlone());
		return (ofOthers ? this.others : this.earned).after.waiters.oldest;
	}

	/** Sets the bytes that are kept for owners that have earned it; 0 before. */
	void keep(long bytes) {
		this.kept = bytes;
	}

	long kept() {
		return this.kept;
	}

	@Override
	public long mostInTurn(long most) {
		return most - this.kept + this.passed;
	}

	@Override
	public @Nullable Waiter passing() {
		Waiter first = this.earned.after.waiters.oldest;
		return (first != null && first.bytes <= (this.kept - this.passed) / 2) ? first : null;
	}

	@Override
	public void pass(Waiter waiter) {
		this.passed += waiter.bytes;
		waiter.passed = true;
		leave(waiter);
	}

	@Override
	public void returned(long bytes) {
		this.passed -= bytes;
	}

	@Override
	public void admit(Waiter waiter) {
		this.othersNext = waiter.earned;
		leave(waiter);
	}

	/** Removes a waiter; its owner goes to the end. */
	private void leave(Waiter waiter) {
		remove(waiter);
		Place place = this.places.get(waiter.owner);
		if (place != null && place.waiters.oldest != null) {
			place.join(circle(place.waiters.oldest));
		}
	}

	@Override
	public boolean isEmpty() {
		return this.places.isEmpty();
	}

}
