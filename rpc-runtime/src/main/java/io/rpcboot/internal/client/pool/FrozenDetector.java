package io.rpcboot.internal.client.pool;

import java.util.concurrent.TimeUnit;

/**
 * Detects a frozen server: it owes replies and sends nothing, not even a PONG. A slow
 * server is not frozen, because its event loop answers probes while its implementations
 * run. Control thread only, except {@link #loopRuns}.
 * <p>
 * A connection without a read for PROBE_AFTER_NANOS gets a PING. It is frozen if nothing
 * arrives for FROZEN_AFTER_NANOS + bytes sent since the last read * NANOS_PER_BYTE after
 * that. For example, with 3 MB since then a server is frozen after 1 s + 1 s + 3 s.
 * <p>
 * Bytes sent before the last read count as arrived, although a read does not acknowledge
 * them: counting them would delay the verdict by seconds on every busy connection. If
 * more than 2 MB of them are still on a link of 1 MB/s, the server is taken for frozen
 * until its next byte.
 */
final class FrozenDetector {

	/** Interval of the checks. */
	static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/** Time without a read after which a probe is sent; longer than most calls take. */
	private static final long PROBE_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Time without a read after the probe; far longer than a garbage collection. */
	private static final long FROZEN_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

	/**
	 * Extra patience for each byte sent since the last read, because the PONG follows
	 * these bytes: 1 µs, which assumes a link of 1 MB/s.
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

		/** The event loop must call {@link #loopRuns} with {@link #loopCheck()}. */
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

	/** Bytes that had been sent at the check that saw the last read. */
	private long sentAtLastRead;

	/** True if the event loop of this process was checked since the last read. */
	private boolean loopChecked;

	/** Number of checks of the event loop. */
	private int loopChecks;

	/** Number of the latest check that the event loop has answered. */
	private volatile int loopAnswered;

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
			this.sentAtLastRead = sentBytes;
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
		long patience = FROZEN_AFTER_NANOS + (sentBytes - this.sentAtLastRead) * NANOS_PER_BYTE;
		if (this.frozen || this.checks < MIN_CHECKS || nowNanos - this.probedNanos < patience) {
			return Finding.NONE;
		}
		if (!this.loopChecked) {
			this.loopChecked = true;
			this.loopChecks++;
			return Finding.CHECK_LOOP;
		}
		// an event loop that has run has read all bytes that had arrived
		this.frozen = this.loopAnswered == this.loopChecks;
		return this.frozen ? Finding.FROZEN : Finding.NONE;
	}

	/** Begins again, because the server may not be asked: silence tells nothing. */
	void notProbed(long nowNanos) {
		this.checks = 0;
		this.sinceNanos = nowNanos;
	}

	/** Returns the number of the latest check of the event loop. */
	int loopCheck() {
		return this.loopChecks;
	}

	/**
	 * Called on the event loop of the connection. Any thread.
	 * @param check number of the check; an answer to an earlier one has no effect
	 */
	void loopRuns(int check) {
		this.loopAnswered = check;
	}

	private Finding onRead() {
		boolean was = this.frozen;
		this.owes = false;
		this.checks = 0;
		this.loopChecked = false;
		this.frozen = false;
		return was ? Finding.RECOVERED : Finding.NONE;
	}

	boolean isFrozen() {
		return this.frozen;
	}

}
