package io.rpcboot.internal.memory;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The bytes in use of a budget by direction. Any thread; lock-free.
 * <p>
 * Bytes of one direction beyond its largest part take nothing from the other:
 * {@code room = limit - min(other, mostOfOne) - own}. Example: a limit of 1,000 bytes, at
 * most 750 per direction; with 850 bytes outgoing, 250 inbound bytes fit.
 */
final class DirectionTotals {

	private final long limit;

	private final long mostOfOne;

	/** Limit of both directions together when one of them is over its largest part. */
	private final long mostOverdrawn;

	private final AtomicLongArray used = new AtomicLongArray(Direction.values().length);

	DirectionTotals(long limit, long mostOfOne, long mostOverdrawn) {
		this.limit = limit;
		this.mostOfOne = mostOfOne;
		this.mostOverdrawn = mostOverdrawn;
	}

	/** Adds bytes. Returns false, with nothing added, if a limit would be exceeded. */
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
		enter(direction, -bytes); // the other direction has grown meanwhile
		return false;
	}

	private long room(Direction direction, long most, long own) {
		long other = of((direction == Direction.INCOMING) ? Direction.OUTGOING : Direction.INCOMING);
		long ofOther = Math.max(Math.min(other, this.mostOfOne), other - (this.mostOverdrawn - this.limit));
		return Math.min(most, this.limit - ofOther) - own;
	}

	/** Adds bytes without a limit; a negative number releases bytes. */
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
