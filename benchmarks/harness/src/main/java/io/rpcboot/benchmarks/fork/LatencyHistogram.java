package io.rpcboot.benchmarks.fork;

/**
 * Counts latencies in buckets that are at most 1/64 of their value wide. For one thread
 * at a time.
 */
public final class LatencyHistogram {

	private static final int SUB_BITS = 6;

	private static final int SUB_BUCKETS = 1 << SUB_BITS;

	private static final int MAX_EXPONENT = 40;

	private static final long MAX_VALUE = (1L << MAX_EXPONENT) - 1;

	private final long[] counts = new long[(MAX_EXPONENT - SUB_BITS + 1) * SUB_BUCKETS];

	private long total;

	private long sumNanos;

	/**
	 * Count a latency.
	 * @param nanos the latency; a negative one counts as 0, one over 18 minutes as 18
	 * minutes
	 */
	public void record(long nanos) {
		long value = Math.min(Math.max(nanos, 0), MAX_VALUE);
		this.counts[index(value)]++;
		this.total++;
		this.sumNanos += value;
	}

	/**
	 * Add what another one has counted.
	 * @param other the other one
	 */
	public void add(LatencyHistogram other) {
		for (int i = 0; i < this.counts.length; i++) {
			this.counts[i] += other.counts[i];
		}
		this.total += other.total;
		this.sumNanos += other.sumNanos;
	}

	/**
	 * How many were counted.
	 * @return the number
	 */
	public long count() {
		return this.total;
	}

	/**
	 * The mean latency.
	 * @return nanoseconds; 0 if nothing was counted
	 */
	public long mean() {
		return (this.total == 0) ? 0 : this.sumNanos / this.total;
	}

	/**
	 * The latency that a share of the calls did not exceed.
	 * @param share over 0, at most 1
	 * @return nanoseconds, the middle of the bucket; 0 if nothing was counted
	 */
	public long quantile(double share) {
		long rank = (long) Math.ceil(share * this.total);
		long seen = 0;
		for (int i = 0; i < this.counts.length; i++) {
			seen += this.counts[i];
			if (seen >= rank && seen > 0) {
				return middle(i);
			}
		}
		return 0;
	}

	private static int index(long value) {
		if (value < SUB_BUCKETS) {
			return (int) value;
		}
		int shift = 63 - Long.numberOfLeadingZeros(value) - SUB_BITS;
		return (shift + 1) * SUB_BUCKETS + (int) (value >>> shift) - SUB_BUCKETS;
	}

	private static long middle(int index) {
		if (index < SUB_BUCKETS) {
			return index;
		}
		int shift = index / SUB_BUCKETS - 1;
		long low = (long) (index % SUB_BUCKETS + SUB_BUCKETS) << shift;
		return low + ((1L << shift) >>> 1);
	}

}
