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
 * large one. Only with the lock of the account.
 * <p>
 * Why not the order of arrival alone: 500 peers with 60 calls each would stand before a
 * newcomer with 30,000 results instead of 500.
 */
final class RoundLine implements Line {

	/** What waits, by owner; no set is empty. */
	private final Map<Object, Set<Waiter>> owners = new LinkedHashMap<>();

	@Override
	public void add(Waiter waiter) {
		this.owners.computeIfAbsent(waiter.owner, (owner) -> new LinkedHashSet<>(4)).add(waiter);
	}

	@Override
	public boolean remove(Waiter waiter) {
		Set<Waiter> all = this.owners.get(waiter.owner);
		if (all == null || !all.remove(waiter)) {
			return false;
		}
		if (all.isEmpty()) {
			this.owners.remove(waiter.owner);
		}
		return true;
	}

	@Override
	public @Nullable Waiter next() {
		return this.owners.isEmpty() ? null : this.owners.values().iterator().next().iterator().next();
	}

	@Override
	public void admit(Waiter waiter) {
		remove(waiter);
		Set<Waiter> others = this.owners.remove(waiter.owner);
		if (others != null) {
			this.owners.put(waiter.owner, others);
		}
	}

	@Override
	public boolean isEmpty() {
		return this.owners.isEmpty();
	}

}
