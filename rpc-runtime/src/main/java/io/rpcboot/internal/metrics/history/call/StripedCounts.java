package io.rpcboot.internal.metrics.history.call;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A few counters for many threads: each thread counts in the cache lines of its stripe.
 * In contrast to {@code LongAdder} it is small and has the same size on every machine.
 */
public final class StripedCounts {

	private static final int STRIPES = 16;

	/** Two cache lines, so that neighbours do not share one. */
	private static final int MOST = 16;

	private final AtomicLongArray counts = new AtomicLongArray(STRIPES * MOST);

	/**
	 * Adds to a counter.
	 * @param counter the counter, 0 to 15
	 * @param by the number to add
	 */
	public void add(int counter, long by) {
		int stripe = (int) Thread.currentThread().getId() & (STRIPES - 1);
		this.counts.getAndAdd(stripe * MOST + counter, by);
	}

	public long sum(int counter) {
		long sum = 0;
		for (int i = counter; i < this.counts.length(); i += MOST) {
			sum += this.counts.get(i);
		}
		return sum;
	}

}
