package io.rpcboot.internal.server.call;

import java.util.concurrent.TimeUnit;

/**
 * Clock for the write latency of responses: the time from the result to the written
 * frame, measured for one call in 64. A call has only an int for it, so times are
 * microseconds modulo 2^32.
 */
final class WriteLatencySampler {

	private static final long NANOS_PER_MICRO = 1000;

	private WriteLatencySampler() {
	}

	/** Returns the time in microseconds; never 0. */
	static int micros(long nanos) {
		return (int) (nanos / NANOS_PER_MICRO) | 1;
	}

	/** Returns the nanoseconds since a time; correct up to 35 minutes. */
	static long since(int micros, long nowNanos) {
		return TimeUnit.MICROSECONDS.toNanos(Math.max(0, micros(nowNanos) - micros));
	}

}
