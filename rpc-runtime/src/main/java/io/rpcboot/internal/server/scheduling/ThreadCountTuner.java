package io.rpcboot.internal.server.scheduling;

import java.util.concurrent.TimeUnit;

/**
 * Finds the smallest number of threads at which a limited service is as fast as with
 * more. Surplus threads that compete for CPU or locks make each call slower and take CPU
 * from event loops.
 * <p>
 * Hill climbing by probes: the limit is halved while throughput stays at {@link #AS_FAST}
 * of the best, then a probe doubles or halves it for one measurement now and then, and is
 * reverted without a gain. Throughput = completions / length of the measurement. Example:
 * 48 threads complete 100 calls/s; with 24 threads 98 calls/s, at least 90, are kept and
 * 12 threads are probed next.
 * <p>
 * There is no limit while measurements are not conclusive: calls hang, take longer than
 * {@link #LONG_NANOS}, complete too rarely, or other methods use more than 1 / OTHERS of
 * the thread time. Guarded by the lock of {@link CallScheduler}.
 */
final class ThreadCountTuner {

	/** Limit that holds nothing back. */
	private static final int ALL = Integer.MAX_VALUE;

	/** Length of a measurement: max(WINDOW_NANOS, WINDOW_CALLS * mean time). */
	private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private static final int WINDOW_CALLS = 3;

	/** Minimum completions of a measurement. */
	private static final int WINDOW_ENDS = 32;

	/** Maximum mean time of calls that are measured. */
	private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	/** Divisor of the thread time that other methods may use: one eighth. */
	private static final int OTHERS = 8;

	/** A probe with half the threads succeeds at this fraction of the throughput. */
	private static final double AS_FAST = 0.9;

	/** A probe with twice the threads succeeds at this multiple of the throughput. */
	private static final double FASTER = 1.1;

	/** Measurements between a failed probe and the next in the same direction. */
	private static final int PAUSE = 10;

	/** Maximum doublings of that pause after failed probes downward. */
	private static final int DOUBLED = 3;

	/**
	 * Validity of a measurement: max(KNOWN_NANOS, 2 * its length).
	 */
	private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(1);

	/**
	 * Time for surplus calls to finish before a downward probe: SETTLES * surplus /
	 * throughput + SETTLE_NANOS.
	 */
	private static final int SETTLES = 2;

	private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/** Current maximum of running calls. */
	private int limit = ALL;

	/** Limit before the probe. */
	private int previousLimit = ALL;

	/** True during a probe. */
	private boolean trying;

	/** True if the probe is upward. */
	private boolean more;

	/** True once the surplus calls of a downward probe have finished. */
	private boolean settled = true;

	/**
	 * Throughput to compare with, in completions per nanosecond: of the last measurement
	 * outside of a probe, raised by successful probes.
	 */
	private double baseline;

	/** Throughput of the last upward probe; downward probes must reach it, too. */
	private double baselineAbove;

	/** Start of the measurement; in the future until earlier calls have finished. */
	private long windowNanos;

	/** Completions of the measurement. */
	private int ends;

	/** Thread time of the completed calls. */
	private long allNanos;

	/** Part of {@link #allNanos} that methods without a limit used. */
	private long othersNanos;

	/** Maximum of running calls since the measurement began. */
	private int seen;

	/** End of the validity of the last measurement. */
	private long knownUntilNanos;

	/** Time by which surplus calls must have finished. */
	private long settleByNanos;

	/** Time of the next downward probe. */
	private long nextProbeDown;

	/** Time of the next upward probe. */
	private long nextProbeUp;

	/** Failed downward probes in a row. */
	private int failed;

	private long windowLength = WINDOW_NANOS;

	/** Returns true if a valid limit holds threads back. */
	boolean isFew(long now) {
		return this.limit != ALL && now - this.knownUntilNanos <= 0;
	}

	/**
	 * Returns true if a call of a limited method may start.
	 * @param threads running calls of the service
	 */
	boolean admits(int threads, long now) {
		if (this.limit != ALL && !isFew(now)) {
			reset(now);
		}
		else if (!this.settled && now - this.settleByNanos > 0) {
			revert(now);
		}
		return threads < this.limit;
	}

	/** Forgets all results; the next measurement may start a downward probe. */
	void begin(long now) {
		this.failed = 0;
		forget();
		this.nextProbeDown = now;
		restart(now);
	}

	private void forget() {
		this.limit = ALL;
		this.trying = false;
		this.settled = true;
		this.baselineAbove = 0;
	}

	private void reset(long now) {
		if (this.trying && !this.more) {
			recordFailure();
		}
		forget();
		this.nextProbeDown = now + pauseBeforeFewer();
	}

	private void revert(long now) {
		if (this.more) {
			this.nextProbeUp = now + PAUSE * this.windowLength;
		}
		else {
			recordFailure();
			this.nextProbeDown = now + pauseBeforeFewer();
		}
		this.limit = this.previousLimit;
		this.trying = false;
		this.settled = true;
	}

	private void recordFailure() {
		this.failed = Math.min(this.failed + 1, DOUBLED);
	}

	private long pauseBeforeFewer() {
		return (PAUSE * this.windowLength) << this.failed;
	}

	/** Starts a measurement. */
	void restart(long now) {
		this.windowNanos = now;
		this.ends = 0;
		this.allNanos = 0;
		this.othersNanos = 0;
		this.seen = 0;
	}

	/**
	 * Records the start of a call. The first one below the limit of a downward probe ends
	 * the settling; the measurement starts one call duration later.
	 * @param meanNanos mean time of a call on its thread
	 */
	void begins(int threads, long meanNanos, long now) {
		this.seen = Math.max(this.seen, threads + 1);
		if (!this.settled && threads < this.limit) {
			this.settled = true;
			restart(now + meanNanos);
			this.knownUntilNanos = now + meanNanos + known(meanNanos);
		}
	}

	private static long window(long meanNanos) {
		return Math.max(WINDOW_NANOS, WINDOW_CALLS * meanNanos);
	}

	private static long known(long meanNanos) {
		return Math.max(KNOWN_NANOS, 2 * window(meanNanos));
	}

	/**
	 * Records the end of a call while others wait.
	 * @param limited true if its method is limited
	 * @param tookNanos its time on the thread
	 * @param meanNanos mean time of a call on its thread
	 */
	void ended(boolean limited, long tookNanos, long meanNanos, long now) {
		long length = now - this.windowNanos;
		if (length <= 0) {
			return;
		}
		this.ends++;
		this.allNanos += tookNanos;
		this.othersNanos += limited ? 0 : tookNanos;
		this.windowLength = window(meanNanos);
		if (length < this.windowLength || this.ends < WINDOW_ENDS) {
			return;
		}
		boolean tells = length <= known(meanNanos) && meanNanos <= LONG_NANOS
				&& this.othersNanos <= this.allNanos / OTHERS;
		double speed = (double) this.ends / length;
		int ran = Math.min(this.limit, this.seen);
		restart(now);
		if (!tells) {
			reset(now);
		}
		else if (this.settled) {
			this.knownUntilNanos = now + known(meanNanos);
			measured(speed, ran, meanNanos, now);
		}
	}

	private void measured(double speed, int ran, long meanNanos, long now) {
		if (!this.trying) {
			this.baseline = speed;
			this.more = this.limit != ALL && now - this.nextProbeUp >= 0;
			if (this.more || (now - this.nextProbeDown >= 0 && ran > 0)) {
				probe(ran, meanNanos, now);
			}
			return;
		}
		double least = this.more ? FASTER * this.baseline : AS_FAST * Math.max(this.baseline, this.baselineAbove);
		this.baselineAbove = this.more ? speed : this.baselineAbove;
		if (speed < least) {
			revert(now);
			return;
		}
		this.failed = 0;
		this.baseline = Math.max(this.baseline, speed);
		probe(ran, meanNanos, now);
	}

	private void probe(int ran, long meanNanos, long now) {
		int tried = this.more ? 2 * this.limit : fewer(ran, meanNanos);
		this.trying = tried != this.limit;
		if (!this.trying) {
			this.nextProbeDown = now + pauseBeforeFewer();
			return;
		}
		this.previousLimit = this.limit;
		this.limit = tried;
		this.settled = this.more;
		if (this.more) {
			this.windowNanos = now + meanNanos;
		}
		else {
			this.nextProbeUp = now + PAUSE * this.windowLength;
			this.settleByNanos = now + SETTLE_NANOS + (long) (SETTLES * (ran - tried) / this.baseline);
			this.knownUntilNanos = Math.max(this.knownUntilNanos, this.settleByNanos);
		}
	}

	/**
	 * Returns half of the running threads, or the current limit if half the throughput
	 * would not complete WINDOW_ENDS calls in the validity of a measurement.
	 */
	private int fewer(int ran, long meanNanos) {
		boolean tells = this.baseline / 2 * known(meanNanos) >= WINDOW_ENDS;
		return tells ? Math.max(ServiceConcurrencyLimit.LEAST_THREADS, ran / 2) : this.limit;
	}

}
