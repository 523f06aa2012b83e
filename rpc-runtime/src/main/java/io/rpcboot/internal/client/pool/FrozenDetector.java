package io.rpcboot.internal.client.pool;

import java.util.concurrent.TimeUnit;

/**
 * Whether the other side of a connection stands still: it owes answers and sends nothing,
 * not even an answer to a probe. One that is slow is heard, for its event loop answers
 * probes whatever its implementations do. Confined to one thread but for what says
 * otherwise.
 */
final class FrozenDetector {

	/** Between two looks. */
	static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/** Longer than most calls take; what it costs is one PING. */
	private static final long PROBE_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Far more than a collection of garbage takes. */
	private static final long FROZEN_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

	/**
	 * For each byte that was sent since it was heard: what is large is on its way for
	 * long, and an answer to the probe comes after it. A slow link has 1 MB/s.
	 */
	private static final long NANOS_OF_A_BYTE = 1000;

	/** After a pause of this process there are few looks in much time. */
	private static final int LEAST_LOOKS = 4;

	/** What a look has found. */
	enum Finding {

		/** Nothing new. */
		NONE,

		/** A probe is due. */
		PROBE,

		/** Let the event loop say that it runs: {@link #loopRuns()}. */
		ASK_LOOP,

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

	private long heardBytes;

	private boolean asked;

	/** Whether the event loop of this process has run since it was asked. */
	private volatile boolean loopRuns;

	private boolean frozen;

	/**
	 * Look.
	 * @param readsSoFar changes when something has arrived
	 * @param pending calls without an answer
	 * @param sentBytes what was sent there so far
	 * @param nowNanos the time
	 */
	Finding look(int readsSoFar, int pending, long sentBytes, long nowNanos) {
		if (readsSoFar != this.reads) {
			this.reads = readsSoFar;
			this.heardBytes = sentBytes;
			return onRead();
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
		long patience = FROZEN_AFTER_NANOS + (sentBytes - this.heardBytes) * NANOS_OF_A_BYTE;
		if (this.frozen || this.looks < LEAST_LOOKS || nowNanos - this.probedNanos < patience) {
			return Finding.NONE;
		}
		if (!this.asked) {
			this.asked = true;
			return Finding.ASK_LOOP;
		}
		// a loop that has run has read what had come, at the latest until this look
		this.frozen = this.loopRuns;
		return this.frozen ? Finding.FROZEN : Finding.NONE;
	}

	/** The event loop of the connection runs. Any thread. */
	void loopRuns() {
		this.loopRuns = true;
	}

	private Finding onRead() {
		boolean was = this.frozen;
		this.owes = false;
		this.looks = 0;
		this.asked = false;
		this.loopRuns = false;
		this.frozen = false;
		return was ? Finding.HEARD : Finding.NONE;
	}

	boolean isFrozen() {
		return this.frozen;
	}

}
