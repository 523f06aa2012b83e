package io.rpcboot.internal.memory;

import org.jspecify.annotations.Nullable;

/** Waiters of one direction of a budget and their order. Only with the budget's lock. */
interface WaitQueue {

	/** Adds a waiter. */
	void add(Waiter waiter);

	/** Removes a waiter. Returns false if it is not in this queue. */
	boolean remove(Waiter waiter);

	/**
	 * Returns the waiter that is next for memory, or null. A waiter that has earned it
	 * may overtake it once.
	 */
	@Nullable Waiter next();

	/** Returns the largest part of the direction for the waiter that is next. */
	default long mostInTurn(long most) {
		return most;
	}

	/** Returns a waiter that may enter without room for the next one, or null. */
	default @Nullable Waiter passing() {
		return null;
	}

	/** Removes the next waiter, which has its memory. Ends its turn. */
	void admit(Waiter waiter);

	/** Removes a waiter of {@link #passing()} that has its memory. */
	default void pass(Waiter waiter) {
	}

	/** Takes bytes back of waiters that overtook the next one. */
	default void returned(long bytes) {
	}

	/** Returns true if there is no waiter. */
	boolean isEmpty();

}
