package io.rpcboot.internal.memory;

import org.jspecify.annotations.Nullable;

/**
 * Intrusive list of waiters from the oldest to the newest: its links are fields of the
 * waiters, so that it needs no memory. Only with the lock of the budget.
 */
final class WaiterList {

	@Nullable Waiter oldest;

	@Nullable Waiter newest;

	/** Adds a waiter that is in no list. */
	void add(Waiter waiter) {
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

	/** Removes a waiter. Returns false if it is in no list. */
	boolean remove(Waiter waiter) {
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
		return true;
	}

}
