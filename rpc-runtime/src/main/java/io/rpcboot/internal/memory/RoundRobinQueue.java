package io.rpcboot.internal.memory;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A wait queue in which owners take turns (round robin). The waiters of one owner keep
 * their order and have one place; after a turn the owner goes to the end. The waiter in
 * turn keeps its turn until there is room, so that small requests never starve a large
 * one. Owners whose peer reads its results have earned it and share every other turn.
 * Only with the lock of the budget.
 * <p>
 * With first in, first out 500 peers with 60 calls each would put 30,000 results ahead of
 * a new peer; with turns it waits for 500. If those peers do not read their results and
 * the new peer does, it waits for one of them at a time.
 */
final class RoundRobinQueue implements WaitQueue {

	/** Waiters by owner that have earned it. No set is empty. */
	private final Map<Object, Set<Waiter>> earned = new LinkedHashMap<>();

	/** The other waiters by owner. No set is empty. */
	private final Map<Object, Set<Waiter>> others = new LinkedHashMap<>();

	private boolean othersNext;

	private Map<Object, Set<Waiter>> of(Waiter waiter) {
		return waiter.earned ? this.earned : this.others;
	}

	@Override
	public void add(Waiter waiter) {
		Set<Waiter> all = of(waiter).get(waiter.owner);
		if (all != null) {
			all.add(waiter);
			return;
		}
		all = new LinkedHashSet<>(4);
		all.add(waiter);
		of(waiter).put(waiter.owner, all);
	}

	@Override
	public boolean remove(Waiter waiter) {
		Set<Waiter> all = of(waiter).get(waiter.owner);
		if (all == null || !all.remove(waiter)) {
			return false;
		}
		if (all.isEmpty()) {
			of(waiter).remove(waiter.owner);
		}
		return true;
	}

	@Override
	public @Nullable Waiter next() {
		boolean ofOthers = this.earned.isEmpty() || (this.othersNext && !this.others.isEmpty());
		Map<Object, Set<Waiter>> owners = ofOthers ? this.others : this.earned;
		return owners.isEmpty() ? null : owners.values().iterator().next().iterator().next();
	}

	@Override
	public void admit(Waiter waiter) {
		this.othersNext = waiter.earned;
		remove(waiter);
		Set<Waiter> more = of(waiter).remove(waiter.owner);
		if (more != null) {
			of(waiter).put(waiter.owner, more);
		}
	}

	@Override
	public boolean isEmpty() {
		return this.earned.isEmpty() && this.others.isEmpty();
	}

}
