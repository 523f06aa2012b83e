package io.rpcboot.benchmarks.fork;

/**
 * How long calls took.
 *
 * @param calls how many
 * @param meanNanos on average
 * @param p50Nanos what half of them did not exceed
 * @param p90Nanos what 90 of 100 did not exceed
 * @param p99Nanos what 99 of 100 did not exceed
 * @param p999Nanos what 999 of 1000 did not exceed
 */
public record Latencies(long calls, long meanNanos, long p50Nanos, long p90Nanos, long p99Nanos, long p999Nanos) {

	static final int FIELDS = 6;

	static Latencies of(LatencyHistogram histogram) {
		return new Latencies(histogram.count(), histogram.mean(), histogram.quantile(0.5), histogram.quantile(0.9),
				histogram.quantile(0.99), histogram.quantile(0.999));
	}

	String toLine() {
		return this.calls + " " + this.meanNanos + " " + this.p50Nanos + " " + this.p90Nanos + " " + this.p99Nanos + " "
				+ this.p999Nanos;
	}

	static Latencies parse(long[] fields, int from) {
		return new Latencies(fields[from], fields[from + 1], fields[from + 2], fields[from + 3], fields[from + 4],
				fields[from + 5]);
	}

}
