package io.rpcboot.internal.memory;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The bytes of an account, by direction. Any thread, without a lock.
 * <p>
 * What one direction has beyond its most takes nothing of the part that is the other's:
 * {@code room = limit - min(other, mostOfOne) - own}. Example: 1,000 bytes, each
 * direction 750 at most, 850 outgoing: 250 may come in.
 */
final class DirectionTotals {

	private final long limit;

	private final long mostOfOne;

	/** What both may have when one of them is over its most. */
	private final long mostOverdrawn;

	private final AtomicLongArray used = new AtomicLongArray(Direction.values().length);

	DirectionTotals(long limit, long mostOfOne, long mostOverdrawn) {
		this.limit = limit;
		this.mostOfOne = mostOfOne;
		this.mostOverdrawn = mostOverdrawn;
	}

	/** Returns false, with nothing entered, if this or the limit would be exceeded. */
	boolean enterWithin(Direction direction, long bytes, long most) {
		long before;
		do {
			before = of(direction);
			if (bytes > room(direction, most, before)) {
				return false;
			}
		}
		while (!this.used.compareAndSet(direction.ordinal(), before, before + bytes));
		if (room(direction, Long.MAX_VALUE, before + bytes) >= 0) {
			return true;
		}
		enter(direction, -bytes); // the other direction entered something meanwhile
		return false;
	}

	private long room(Direction direction, long most, long own) {
		long other = of((direction == Direction.INCOMING) ? Direction.OUTGOING : Direction.INCOMING);
		long inTheWay = Math.max(Math.min(other, this.mostOfOne), other - (this.mostOverdrawn - this.limit));
		return Math.min(most, this.limit - inTheWay) - own;
	}

	void enter(Direction direction, long bytes) {
		this.used.addAndGet(direction.ordinal(), bytes);
	}

	long room(Direction direction, long most) {
		return room(direction, most, of(direction));
	}

	long of(Direction direction) {
		return this.used.get(direction.ordinal());
	}

	long all() {
		return of(Direction.INCOMING) + of(Direction.OUTGOING);
	}

}
