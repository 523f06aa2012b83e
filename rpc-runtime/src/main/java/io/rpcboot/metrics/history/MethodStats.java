package io.rpcboot.metrics.history;

import io.rpcboot.Side;

/**
 * Statistics of a method at the last tick.
 *
 * @param side side of this process
 * @param service the service
 * @param method the method, as {@code getUser(long)}
 * @param callsPerSecond calls that ended in the last 30 to 60 seconds, per second
 * @param errorsPerSecond failed calls of these: any status but OK and DECLARED
 * @param calls calls that ended since the start
 * @param errors failed calls since the start
 * @param p50Nanos median duration of the last 2.5 to 5 minutes in nanoseconds, with an
 * error of at most 3.2 %; 0 without calls or if the method is not tracked
 * @param p99Nanos 99th percentile of the same calls
 * @param maxNanos longest duration of the same calls, exactly
 * @param waitedNanos mean wait of the same calls: at the server for a thread, at the
 * client until a call is written. Waits below 0.1 ms are left out
 * @param ranNanos mean duration of the same calls without the wait, with an error of at
 * most 3.2 %
 * @param tracked true if the method is one of the busiest, whose durations are kept
 * @since 0.1.0
 */
public record MethodStats(Side side, String service, String method, double callsPerSecond, double errorsPerSecond,
		long calls, long errors, long p50Nanos, long p99Nanos, long maxNanos, long waitedNanos, long ranNanos,
		boolean tracked) {
}
