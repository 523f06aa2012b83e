package io.rpcboot.internal.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * Waiters by size class, as in allocators with segregated free lists: the class of a
 * waiter is the number of bits of its bytes, and each class keeps the order of the queue.
 * Finds a waiter that fits with one comparison for each class, however many wait. Only
 * with the lock of the budget.
 * <p>
 * Example: 100 bytes are left. Classes up to 6 bits, 63 bytes, have waiters that fit; of
 * the class of 7 bits, 64 to 127 bytes, only the first one is looked at, so that a waiter
 * of 80 bytes may wait behind one of 120 of its class.
 */
final class SizeClasses {

	private final Comparator<Waiter> order;

	private final List<TreeSet<Waiter>> classes = new ArrayList<>();

	/**
	 * Creates empty classes.
	 * @param largest largest bytes of a waiter
	 */
	SizeClasses(long largest, Comparator<Waiter> order) {
		this.order = order;
		for (int bits = 0; bits <= bits(largest); bits++) {
			this.classes.add(new TreeSet<>(order));
		}
	}

	private static int bits(long bytes) {
		return Long.SIZE - Long.numberOfLeadingZeros(bytes);
	}

	void add(Waiter waiter) {
		this.classes.get(bits(waiter.bytes)).add(waiter);
	}

	/** Removes a waiter, if it is here. */
	void remove(Waiter waiter) {
		int bits = bits(waiter.bytes);
		if (bits < this.classes.size()) {
			this.classes.get(bits).remove(waiter);
		}
	}

	/** Returns the first of the waiters that fit, null without one. */
	@Nullable Waiter first(long most) {
		Waiter first = null;
		for (int bits = 0; bits < this.classes.size(); bits++) {
			TreeSet<Waiter> each = this.classes.get(bits);
			Waiter candidate = each.isEmpty() ? null : each.first();
			if (candidate != null && candidate.bytes <= most
					&& (first == null || this.order.compare(candidate, first) < 0)) {
				first = candidate;
			}
		}
		return first;
	}

}
