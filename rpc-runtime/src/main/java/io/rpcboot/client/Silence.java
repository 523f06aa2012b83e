package io.rpcboot.client;

import java.util.concurrent.TimeUnit;

/**
 * Whether the other side of a connection stands still: it owes answers and sends nothing,
 * not even an answer to a probe. One that is slow is heard, for its event loop answers
 * probes whatever its implementations do. Confined to one thread.
 */
final class Silence {

	/** Between two looks. */
	static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/** Longer than most calls take; what it costs is one PING. */
	private static final long PROBE_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Far more than a collection of garbage takes. */
	private static final long FROZEN_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** After a pause of this process there are few looks in much time. */
	private static final int LEAST_LOOKS = 4;

	/** What a look has found. */
	enum Finding {

		/** Nothing new. */
		NONE,

		/** A probe is due. */
		PROBE,

		/** It stands still. */
		FROZEN,

		/** It is heard again. */
		HEARD

	}

	private int reads;

	/** Since when it owes an answer and was not heard. */
	private long sinceNanos;

	private boolean owes;

	private long probedNanos;

	/** Looks since the probe; 0 if there is none. */
	private int looks;

	private boolean frozen;

	/**
	 * Look.
	 * @param readsSoFar changes when something has arrived
	 * @param pending calls without an answer
	 * @param nowNanos the time
	 */
	Finding look(int readsSoFar, int pending, long nowNanos) {
		if (readsSoFar != this.reads) {
			this.reads = readsSoFar;
			return heard();
		}
		if (!this.owes) { // a call that has expired still says that none was answered
			this.owes = pending > 0;
			this.sinceNanos = nowNanos;
			return Finding.NONE;
		}
		if (this.looks == 0) {
			if (nowNanos - this.sinceNanos < PROBE_AFTER_NANOS) {
				return Finding.NONE;
			}
			this.probedNanos = nowNanos;
			this.looks = 1;
			return Finding.PROBE;
		}
		this.looks = Math.min(this.looks + 1, LEAST_LOOKS);
		if (this.frozen || this.looks < LEAST_LOOKS || nowNanos - this.probedNanos < FROZEN_AFTER_NANOS) {
			return Finding.NONE;
		}
		this.frozen = true;
		return Finding.FROZEN;
	}

	private Finding heard() {
		boolean was = this.frozen;
		this.owes = false;
		this.looks = 0;
		this.frozen = false;
		return was ? Finding.HEARD : Finding.NONE;
	}

	boolean isFrozen() {
		return this.frozen;
	}

	/** Since when it was not heard though it owes an answer, if it is frozen. */
	long sinceNanos() {
		return this.sinceNanos;
	}

}
