package io.rpcboot.internal.client.outlier;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A quantile of the latency of recent calls, with an error of at most one sixteenth. Any
 * thread.
 */
public final class LatencyQuantile {

	/** Shift from a logarithm to its bucket: 1024 / 64 = 16 buckets per doubling. */
	private static final int SHIFT = 6;

	private static final int BUCKETS = (Long.SIZE * FixedPointLog2.ONE) >> SHIFT;

	/** Number of calls below which nothing is computed. */
	private static final int LEAST_CALLS = 100;

	/** Number of calls from which on all counts are halved. */
	private static final int MOST_CALLS = 20_000;

	/** Age at which the quantile is computed again. */
	private static final long AGE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	/** The same while the quantile is unknown. */
	private static final long UNKNOWN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final double quantile;

	private final LongSupplier nanoTime;

	private final AtomicIntegerArray counts = new AtomicIntegerArray(BUCKETS);

	private final AtomicLong computedNanos;

	private volatile long nanos;

	/**
	 * Creates an unknown quantile.
	 * @param quantile 0 to 1
	 * @param nanoTime the clock
	 */
	public LatencyQuantile(double quantile, LongSupplier nanoTime) {
		this.quantile = quantile;
		this.nanoTime = nanoTime;
		this.computedNanos = new AtomicLong(nanoTime.getAsLong() - AGE_NANOS);
	}

	/**
	 * Adds the latency of a call.
	 * @param tookNanos the latency
	 */
	public void add(long tookNanos) {
		this.counts.incrementAndGet((int) (FixedPointLog2.of(Math.max(1, tookNanos)) >> SHIFT));
	}

	/**
	 * Returns the quantile.
	 * @return nanoseconds, 0 while unknown
	 */
	public long nanos() {
		long now = this.nanoTime.getAsLong();
		long computed = this.computedNanos.get();
		long age = (this.nanos == 0) ? UNKNOWN_NANOS : AGE_NANOS;
		if (now - computed >= age && this.computedNanos.compareAndSet(computed, now)) {
			this.nanos = compute();
		}
		return this.nanos;
	}

	private long compute() {
		long sum = 0;
		for (int i = 0; i < BUCKETS; i++) {
			sum += this.counts.get(i);
		}
		if (sum < LEAST_CALLS) {
			return this.nanos;
		}
		long before = 0;
		int found = 0;
		for (int i = 0; i < BUCKETS && before < this.quantile * sum; i++) {
			before += this.counts.get(i);
			found = i;
		}
		if (sum > MOST_CALLS) {
			for (int i = 0; i < BUCKETS; i++) {
				this.counts.getAndUpdate(i, (count) -> count / 2);
			}
		}
		return Math.round(FixedPointLog2.inverse((double) (found + 1) * (1 << SHIFT)));
	}

}
