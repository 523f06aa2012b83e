package io.rpcboot.internal.memory;

import java.util.concurrent.TimeUnit;

/**
 * The memory that a peer has kept from others lately, in bytes times seconds: 8 MiB for
 * seven seconds are as much as 56 MiB for one. It falls to a half in ten seconds. Event
 * loop only.
 */
final class DecayingUse {

	private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final double HALF_LIFE_SECONDS = 10;

	private static final int MEBIBYTE = 1024 * 1024;

	private double byteSeconds;

	private long updatedNanos;

	DecayingUse(long nowNanos) {
		this.updatedNanos = nowNanos;
	}

	/** Adds bytes that were used from one time to the other. */
	void add(long bytes, long fromNanos, long nowNanos) {
		decay(nowNanos);
		this.byteSeconds += bytes * ((nowNanos - fromNanos) / NANOS_PER_SECOND);
	}

	/** Returns the use in MiB times seconds, rounded down: 0 for a peer that is quick. */
	long mebibyteSeconds(long nowNanos) {
		decay(nowNanos);
		return (long) (this.byteSeconds / MEBIBYTE);
	}

	private void decay(long nowNanos) {
		double seconds = (nowNanos - this.updatedNanos) / NANOS_PER_SECOND;
		this.byteSeconds *= Math.pow(2, -seconds / HALF_LIFE_SECONDS);
		this.updatedNanos = nowNanos;
	}

}
