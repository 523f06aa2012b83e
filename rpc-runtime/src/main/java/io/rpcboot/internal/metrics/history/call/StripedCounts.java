package io.rpcboot.internal.metrics.history.call;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A few counters that rise from many threads: each thread counts in the cache lines of
 * its stripe. Beside {@code LongAdder} it is small, and has one size on all machines.
 */
public final class StripedCounts {

	private static final int STRIPES = 16;

	/** Two cache lines, so that neighbours do not share one. */
	private static final int MOST = 16;

	private final AtomicLongArray counts = new AtomicLongArray(STRIPES * MOST);

	/**
	 * Count.
	 * @param counter which counter, 0 to 15
	 * @param by how many
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
