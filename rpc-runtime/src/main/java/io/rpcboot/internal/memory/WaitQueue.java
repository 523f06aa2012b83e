package io.rpcboot.internal.memory;

import org.jspecify.annotations.Nullable;

/**
 * Those who wait for room in one direction of an account, and whose turn it is. Only with
 * the lock of the account.
 */
interface WaitQueue {

	/** Somebody begins to wait. */
	void add(Waiter waiter);

	/** Returns false if it does not wait here. */
	boolean remove(Waiter waiter);

	/** Who is to have room next; null if nobody waits. The same until it is gone. */
	@Nullable Waiter next();

	/** Of the most that one direction may have, what there is for this one. */
	default long mostFor(Waiter waiter, long most) {
		return most;
	}

	/** Who may go before the one that is next; null for nobody. */
	default @Nullable Waiter passing() {
		return null;
	}

	/** One of those who wait has room: the next, or one that passes it. */
	void admit(Waiter waiter);

	/** Whether nobody waits. */
	boolean isEmpty();

}
