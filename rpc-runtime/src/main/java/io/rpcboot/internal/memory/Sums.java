package io.rpcboot.internal.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

import io.rpcboot.internal.memory.MemoryAccount.Direction;

/** The bytes of an account, by direction and together. Any thread, without a lock. */
final class Sums {

	private final long limit;

	private final AtomicLongArray used = new AtomicLongArray(Direction.values().length);

	private final AtomicLong all = new AtomicLong();

	Sums(long limit) {
		this.limit = limit;
	}

	/** Returns false, with nothing entered, if this or the limit would be exceeded. */
	boolean enterWithin(Direction direction, long bytes, long most) {
		long before;
		do {
			before = this.all.get();
			if (before + bytes > this.limit) {
				return false;
			}
		}
		while (!this.all.compareAndSet(before, before + bytes));
		if (this.used.addAndGet(direction.ordinal(), bytes) <= most) {
			return true;
		}
		enter(direction, -bytes);
		return false;
	}

	void enter(Direction direction, long bytes) {
		this.used.addAndGet(direction.ordinal(), bytes);
		this.all.addAndGet(bytes);
	}

	long room(Direction direction, long most) {
		return Math.min(most - of(direction), this.limit - all());
	}

	long of(Direction direction) {
		return this.used.get(direction.ordinal());
	}

	long all() {
		return this.all.get();
	}

}
