package io.rpcboot.internal.metrics.history.call;

/**
 * Log-linear buckets of durations: 16 of equal width to each doubling from 2,048 ns to
 * 68.7 s, 16 below, one above. A bucket stands for its middle, so a duration is at most
 * 1/32 off, which is 3.2 % of the number shown, and at most 64 ns below 2,048 ns.
 */
public final class Buckets {

	/** Each doubling has 2^4 buckets. */
	private static final int BITS = 4;

	private static final int PER_DOUBLING = 1 << BITS;

	/** The first doubling begins at 2^11 ns. */
	private static final int FIRST = 11;

	/** The last one ends at 2^36 ns. */
	private static final int END = 36;

	/** The bucket of all longer durations. */
	private static final int LONGER = (END - FIRST + 1) * PER_DOUBLING;

	/** How many there are. */
	public static final int COUNT = LONGER + 1;

	private Buckets() {
	}

	/**
	 * The bucket of a duration.
	 * @param nanos nanoseconds; below 0 counts as 0
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

	/** The duration a bucket stands for, in nanoseconds. */
	static long middle(int bucket) {
		if (bucket >= LONGER) {
			return 1L << END;
		}
		int shift = Math.max(0, (bucket >> BITS) - 1) + FIRST - BITS;
		long low = (bucket < PER_DOUBLING) ? bucket : PER_DOUBLING + (bucket & (PER_DOUBLING - 1));
		return (low << shift) + (1L << shift >> 1);
	}

	/**
	 * The bucket below or in which a share of the calls lies.
	 * @param counts calls by bucket
	 * @param total their sum
	 * @param share from 0 to 1
	 * @return the bucket, -1 if there are no calls
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
	 * The duration of a percentile.
	 * @param bucket its bucket, -1 for none
	 * @param longest the longest of the calls: no percentile passes it
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
