package io.rpcboot.internal.client.pool;

import java.util.concurrent.TimeUnit;

/**
 * Detects a frozen server: it owes replies and sends nothing, not even a PONG. A slow
 * server is not frozen, because its event loop answers probes while its implementations
 * run. Control thread only, except {@link #loopRuns}.
 * <p>
 * A connection without a read for PROBE_AFTER_NANOS gets a PING. It is frozen if nothing
 * arrives for FROZEN_AFTER_NANOS + unacknowledged bytes * NANOS_PER_BYTE after that. For
 * example, with 3 MB on their way a server is frozen after 1 s + 1 s + 3 s.
 */
final class FrozenDetector {

	/** Interval of the checks. */
	static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/** Time without a read after which a probe is sent; longer than most calls take. */
	private static final long PROBE_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Time without a read after the probe; far longer than a garbage collection. */
	private static final long FROZEN_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

	/**
	 * Extra patience for each unacknowledged byte, because the PONG follows these bytes:
	 * 1 µs, which assumes a link of 1 MB/s.
	 */
	private static final long NANOS_PER_BYTE = 1000;

	/** Checks since the probe, because a pause of this process skips checks. */
	private static final int MIN_CHECKS = 4;

	/** Result of a check. */
	enum Finding {

		/** Nothing has changed. */
		NONE,

		/** A probe is due. */
		PROBE,

		/** The event loop must call {@link #loopRuns()}. */
		CHECK_LOOP,

		/** The server is frozen. */
		FROZEN,

		/** The frozen server has sent something. */
		RECOVERED

	}

	private int reads;

	/** Time since which the server owes a reply and has sent nothing. */
	private long sinceNanos;

	private boolean owes;

	private long probedNanos;

	/** Checks since the probe; 0 if no probe was sent. */
	private int checks;

	/** Bytes that had been sent at the last read. */
	private long acknowledgedBytes;

	private boolean loopChecked;

	/** True if the event loop of this process has run since it was checked. */
	private volatile boolean loopRuns;

	private boolean frozen;

	/**
	 * Checks the connection.
	 * @param readsSoFar number of reads
	 * @param pending calls without a reply
	 * @param sentBytes bytes sent so far
	 */
	Finding check(int readsSoFar, int pending, long sentBytes, long nowNanos) {
		if (readsSoFar != this.reads) {
			this.reads = readsSoFar;
			this.acknowledgedBytes = sentBytes;
			return onRead();
		}
		if (!this.owes) { // stays true when the call expires, because no reply has
							// arrived
			this.owes = pending > 0;
			this.sinceNanos = nowNanos;
			return Finding.NONE;
		}
		if (this.checks == 0) {
			if (nowNanos - this.sinceNanos < PROBE_AFTER_NANOS) {
				return Finding.NONE;
			}
			this.probedNanos = nowNanos;
			this.checks = 1;
			return Finding.PROBE;
		}
		this.checks = Math.min(this.checks + 1, MIN_CHECKS);
		long patience = FROZEN_AFTER_NANOS + (sentBytes - this.acknowledgedBytes) * NANOS_PER_BYTE;
		if (this.frozen || this.checks < MIN_CHECKS || nowNanos - this.probedNanos < patience) {
			return Finding.NONE;
		}
		if (!this.loopChecked) {
			this.loopChecked = true;
			return Finding.CHECK_LOOP;
		}
		// an event loop that has run has read all bytes that had arrived
		this.frozen = this.loopRuns;
		return this.frozen ? Finding.FROZEN : Finding.NONE;
	}

	/** Called on the event loop of the connection. Any thread. */
	void loopRuns() {
		this.loopRuns = true;
	}

	private Finding onRead() {
		boolean was = this.frozen;
		this.owes = false;
		this.checks = 0;
		this.loopChecked = false;
		this.loopRuns = false;
		this.frozen = false;
		return was ? Finding.RECOVERED : Finding.NONE;
	}

	boolean isFrozen() {
		return this.frozen;
	}

}
