package io.rpcboot.internal.memory;

import org.jspecify.annotations.Nullable;

/** Waiters of one direction of a budget and their order. Only with the budget's lock. */
interface WaitQueue {

	/** Adds a waiter. */
	void add(Waiter waiter);

	/** Removes a waiter. Returns false if it is not in this queue. */
	boolean remove(Waiter waiter);

	/**
	 * Returns the waiter that is next for memory, or null. The same one until it leaves.
	 */
	@Nullable Waiter next();

	/** Returns the largest part of the direction for a waiter. */
	default long mostFor(Waiter waiter, long most) {
		return most;
	}

	/** Returns a waiter that may overtake the next one, or null. */
	default @Nullable Waiter passing() {
		return null;
	}

	/** Removes a waiter that has its memory: the next one, or one that overtakes it. */
	void admit(Waiter waiter);

	/** Returns true if there is no waiter. */
	boolean isEmpty();

}
