package io.rpcboot.metrics.history;

/**
 * Time series of a busy method; it begins when the method became one of the busiest.
 *
 * @param stepMillis time between two ticks, in milliseconds; a late tick covers more
 * @param times time of each tick, in milliseconds since 1970, rising
 * @param calls calls that ended since the previous tick
 * @param errors calls of these that failed
 * @param p50Nanos median duration in nanoseconds, 0 without calls
 * @param p99Nanos 99th percentile in nanoseconds, 0 without calls
 * @since 0.1.0
 */
public record MethodSeries(int stepMillis, long[] times, long[] calls, long[] errors, long[] p50Nanos,
		long[] p99Nanos) {
}
