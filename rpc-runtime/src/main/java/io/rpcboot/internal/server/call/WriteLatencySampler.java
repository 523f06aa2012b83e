package io.rpcboot.internal.server.call;

import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.server.scheduling.ScheduledCall;

/**
 * Measures how long answers wait for the socket: one call in 64, since the clock is read
 * for it when the result is there. Stands beside server call.
 */
final class WriteLatencySampler {

	/** Bits of a call id of which one is set in calls that are not measured. */
	static final long OTHERS = 63;

	private static final long NANOS_PER_MICRO = 1000;

	private WriteLatencySampler() {
	}

	/**
	 * The time in microseconds, without its upper half: a call has no room for more.
	 * Never 0.
	 */
	static int now() {
		return micros(System.nanoTime());
	}

	/** Of a clock. */
	static int micros(long nanos) {
		return (int) (nanos / NANOS_PER_MICRO) | 1;
	}

	/** A call that is measured has its end. Event loop. */
	static void ended(ScheduledCall call, ServerTransport connection, boolean written) {
		if (written) {
			connection.server.recorder.written(since(call.answeredMicros, System.nanoTime()));
		}
		call.answeredMicros = 0;
	}

	/** Nanoseconds since then: right up to half an hour. */
	static long since(int micros, long nowNanos) {
		return TimeUnit.MICROSECONDS.toNanos(Math.max(0, micros(nowNanos) - micros));
	}

}
