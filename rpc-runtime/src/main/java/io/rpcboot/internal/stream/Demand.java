package io.rpcboot.internal.stream;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Elements that a subscriber has asked for, and the turn of the one thread that gives
 * them. Any thread.
 */
public final class Demand {

	/** Elements that were asked for and not given. */
	private final AtomicLong wanted = new AtomicLong();

	/** Reasons to look; the thread that adds the first one looks until none is left. */
	private final AtomicInteger reasons = new AtomicInteger();

	/** Adds elements, up to {@link Long#MAX_VALUE}. */
	public void add(long count) {
		this.wanted.getAndUpdate((before) -> (before + count < 0) ? Long.MAX_VALUE : before + count);
	}

	/** Returns true if none are wanted. */
	public boolean isEmpty() {
		return this.wanted.get() == 0;
	}

	/** Counts an element as given. */
	public void given() {
		this.wanted.decrementAndGet();
	}

	/**
	 * Looks for what can be given, unless another thread does: that one looks once more.
	 */
	public void look(Runnable look) {
		if (this.reasons.getAndIncrement() != 0) {
			return;
		}
		int seen = 1;
		do {
			look.run();
			seen = this.reasons.addAndGet(-seen);
		}
		while (seen != 0);
	}

}
