package io.rpcboot.metrics.history;

/**
 * A busy method over time; it begins when the method came among the busiest.
 *
 * @param stepMillis the time from one tick to the next, in milliseconds; a tick that came
 * late covers more
 * @param times when each tick was, in epoch milliseconds, rising
 * @param calls calls that ended since the tick before
 * @param errors those of them that failed
 * @param p50Nanos half of them took at most this, in nanoseconds; 0 without calls
 * @param p99Nanos the same for 99 of 100
 */
public record MethodSeries(int stepMillis, long[] times, long[] calls, long[] errors, long[] p50Nanos,
		long[] p99Nanos) {
}
