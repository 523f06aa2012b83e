package io.rpcboot.metrics.history;

import io.rpcboot.metrics.RpcMetrics.Side;

/**
 * How a method does, as of the last tick.
 *
 * @param side which side of the calls this process is
 * @param service the service
 * @param method its method, as {@code getUser(long)}
 * @param callsPerSecond calls that ended, of the last 30 to 60 seconds
 * @param errorsPerSecond those of them that failed: any status but OK and DECLARED
 * @param calls calls that ended so far
 * @param errors those of them that failed
 * @param p50Nanos half of the calls of the last 2.5 to 5 minutes took at most this, in
 * nanoseconds; at most 3.2 % off, 0 if there were none or it is not tracked
 * @param p99Nanos the same for 99 of 100
 * @param maxNanos the longest of them, exactly
 * @param tracked whether it is among the busiest, whose times are kept
 */
public record MethodStats(Side side, String service, String method, double callsPerSecond, double errorsPerSecond,
		long calls, long errors, long p50Nanos, long p99Nanos, long maxNanos, boolean tracked) {
}
