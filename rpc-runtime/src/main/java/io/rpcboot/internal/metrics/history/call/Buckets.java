package io.rpcboot.internal.metrics.history.call;

/**
 * Log-linear buckets of durations, as in HdrHistogram: 16 of equal width for each
 * doubling from 2,048 ns to 68.7 s, 16 below, one above. A bucket is represented by its
 * middle, so the error is at most 1/32 (3.2 %), and at most 64 ns below 2,048 ns.
 */
public final class Buckets {

	/** Each doubling has 2^4 buckets. */
	private static final int BITS = 4;

	private static final int PER_DOUBLING = 1 << BITS;

	/** The first doubling begins at 2^11 ns. */
	private static final int FIRST = 11;

	/** The last doubling ends at 2^36 ns. */
	private static final int END = 36;

	/** Bucket of all longer durations. */
	private static final int LONGER = (END - FIRST + 1) * PER_DOUBLING;

	/** Number of buckets. */
	public static final int COUNT = LONGER + 1;

	private Buckets() {
	}

	/**
	 * Returns the bucket of a duration.
	 * @param nanos nanoseconds; a negative number counts as 0
	 */
	static int of(long nanos) {
		if (nanos < 1L << FIRST) {
			return (nanos < 0) ? 0 : (int) (nanos >>> (FIRST - BITS));
		}
		int doubling = 63 - Long.numberOfLeadingZeros(nanos);
		if (doubling >= END) {
			return LONGER;
		}
		return ((doubling - FIRST + 1) << BITS) + ((int) (nanos >>> (doubling - BITS)) & (PER_DOUBLING - 1));
	}

	/** Returns the duration that represents a bucket, in nanoseconds. */
	static long middle(int bucket) {
		if (bucket >= LONGER) {
			return 1L << END;
		}
		int shift = Math.max(0, (bucket >> BITS) - 1) + FIRST - BITS;
		long low = (bucket < PER_DOUBLING) ? bucket : PER_DOUBLING + (bucket & (PER_DOUBLING - 1));
		return (low << shift) + (1L << shift >> 1);
	}

	/**
	 * Returns the bucket of a percentile.
	 * @param counts calls by bucket
	 * @param total sum of the calls
	 * @param share from 0 to 1
	 * @return the bucket, -1 without calls
	 */
	public static int percentile(int[] counts, long total, double share) {
		if (total <= 0) {
			return -1;
		}
		long rank = Math.max(1, (long) Math.ceil(share * total));
		long passed = 0;
		for (int bucket = 0; bucket < counts.length; bucket++) {
			passed += counts[bucket];
			if (passed >= rank) {
				return bucket;
			}
		}
		return LONGER;
	}

	/**
	 * Returns the duration of a percentile, in nanoseconds; 0 without calls.
	 * @param bucket its bucket, -1 for none
	 * @param longest duration of the longest call, which no percentile exceeds
	 */
	public static long duration(int bucket, long longest) {
		if (bucket < 0) {
			return 0;
		}
		if (of(longest) != bucket) {
			return middle(bucket);
		}
		return (bucket == LONGER) ? longest : Math.min(middle(bucket), longest);
	}

}
