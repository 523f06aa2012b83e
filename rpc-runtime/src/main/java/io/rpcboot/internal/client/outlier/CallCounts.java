package io.rpcboot.internal.client.outlier;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Calls of one reference on one connection by status and by latency. One thread counts;
 * any thread reads, and may get counts that differ by some calls. The counts overflow, so
 * a reader uses differences.
 */
public final class CallCounts {

	/** Four buckets for each doubling: the error of their middle is at most 9 %. */
	private static final int SHIFT = 8;

	/** Logarithm of 1 us: shorter latencies are in the first bucket. */
	private static final int FIRST = 10 * FixedPointLog2.ONE;

	/** 27 doublings, from 1 us to 137 s. */
	public static final int BUCKETS = (27 * FixedPointLog2.ONE) >> SHIFT;

	private final AtomicIntegerArray statuses;

	private final AtomicIntegerArray latencies = new AtomicIntegerArray(BUCKETS);

	/**
	 * Creates counts.
	 * @param statuses number of different outcomes
	 */
	public CallCounts(int statuses) {
		this.statuses = new AtomicIntegerArray(statuses);
	}

	/**
	 * Counts a completed call. Counting thread only.
	 * @param status number of its outcome, from 0
	 * @param tookNanos latency, 0 if it does not reflect the instance
	 */
	public void ended(int status, long tookNanos) {
		add(this.statuses, status);
		if (tookNanos > 0) {
			long bucket = (FixedPointLog2.of(tookNanos) - FIRST) >> SHIFT;
			add(this.latencies, (int) Math.max(0, Math.min(BUCKETS - 1, bucket)));
		}
	}

	private static void add(AtomicIntegerArray counts, int index) {
		counts.lazySet(index, counts.get(index) + 1);
	}

	/**
	 * Returns a count: first by status, then by latency.
	 * @param index 0 to the number of statuses plus {@link #BUCKETS}, exclusive
	 * @return the count, which overflows
	 */
	public int get(int index) {
		int latency = index - this.statuses.length();
		return (latency < 0) ? this.statuses.get(index) : this.latencies.get(latency);
	}

	/**
	 * Returns a percentile.
	 * @param counts calls by bucket of latency
	 * @param share 0 to 1
	 * @return nanoseconds, 0 without calls
	 */
	public static long percentileNanos(long[] counts, double share) {
		long total = 0;
		for (long each : counts) {
			total += each;
		}
		long rank = Math.max(1, (long) Math.ceil(share * total));
		long passed = 0;
		for (int bucket = 0; bucket < counts.length && total > 0; bucket++) {
			passed += counts[bucket];
			if (passed >= rank) {
				return Math.round(FixedPointLog2.inverse(FIRST + (bucket + 0.5) * (1 << SHIFT)));
			}
		}
		return 0;
	}

}
