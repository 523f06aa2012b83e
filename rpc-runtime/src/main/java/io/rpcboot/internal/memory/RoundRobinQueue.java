package io.rpcboot.internal.memory;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A line in which owners have turns, in the order in which they came: what waits for one
 * owner takes one place, its oldest goes first, and the owner stands last again if it has
 * more. Whoever has the turn keeps it until there is room, so small ones never starve a
 * large one. Those who have earned it have every other turn. Only with the lock of the
 * account.
 * <p>
 * Why not the order of arrival alone: 500 peers with 60 calls each would stand before a
 * newcomer with 30,000 results instead of 500. And they take none of them: who does waits
 * for one of them at a time, and not for all 500.
 */
final class RoundRobinQueue implements WaitQueue {

	/** What waits, by owner; no set is empty. */
	private final Map<Object, Set<Waiter>> earned = new LinkedHashMap<>();

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
		all.add(waiter); // first, for the line must have no empty set
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
