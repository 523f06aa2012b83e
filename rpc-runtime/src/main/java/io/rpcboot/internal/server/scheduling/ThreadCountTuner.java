package io.rpcboot.internal.server.scheduling;

import java.util.concurrent.TimeUnit;

/**
 * With how many threads at once a service that is limited is as fast as with more. Calls
 * that wait for processors or for each other are not: they take longer, and take the
 * processors from all else, from those who read and end calls, too.
 * <p>
 * Tried, not computed: half as many as long as calls end about as fast, then now and then
 * twice or half as many for one measurement. What was found holds while measurements
 * come; a service whose calls hang, take long or end too seldom to tell has as many as
 * before, and one that has calls of other methods beside those that are limited. The lock
 * of the call queue guards it.
 */
final class ThreadCountTuner {

	private static final int ALL = Integer.MAX_VALUE;

	/** A measurement takes so long, or as long as so many calls one after the other. */
	private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private static final int WINDOW_CALLS = 3;

	/** With fewer ends in the time for which something is known there is none. */
	private static final int WINDOW_ENDS = 32;

	/** With calls that take longer there is none. */
	private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	/** Nor if calls of methods that are not limited have this part of the threads. */
	private static final int OTHERS = 8;

	/** Half as many are enough if not more than a tenth of the speed goes. */
	private static final double AS_FAST = 0.9;

	/** Twice as many are of use if a tenth comes. */
	private static final double FASTER = 1.1;

	/** From a trial that was of no use to the next of its kind, in measurements. */
	private static final int PAUSE = 10;

	/** It doubles so often for those with fewer, which take speed away. */
	private static final int DOUBLED = 3;

	/**
	 * Without a measurement for so long, or twice as long as one takes, nothing is known.
	 */
	private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Those that are too many for a trial end in twice the time that others took... */
	private static final int SETTLES = 2;

	/** ... and this, or hang. */
	private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private int limit = ALL;

	/** The same before the trial. */
	private int previousLimit = ALL;

	private boolean trying;

	/** Whether the trial is with more. */
	private boolean more;

	/** Whether no more run than may: calls that had begun before have ended. */
	private boolean settled = true;

	/** In ends by nanosecond, the highest since the first of the trials began. */
	private double baseline;

	/** The same with twice as many, when that was not enough to have so many. */
	private double baselineAbove;

	/** Begins later than now if calls that began before are to end first. */
	private long windowNanos;

	private int ends;

	/** How long those calls had their threads. */
	private long allNanos;

	/** Those of methods that are not limited. */
	private long othersNanos;

	/** Most that ran since the window began. */
	private int seen;

	private long knownUntilNanos;

	private long settleByNanos;

	/** When to try fewer. */
	private long nextProbeDown;

	/** When to try more, if there are fewer than all. */
	private long nextProbeUp;

	/** Trials with fewer that were of no use, one after the other. */
	private int failed;

	private long windowLength = WINDOW_NANOS;

	/** Whether the service may have fewer threads than there are. */
	boolean isFew(long now) {
		return this.limit != ALL && now - this.knownUntilNanos <= 0;
	}

	/**
	 * Whether a call of a limited method may begin.
	 * @param threads calls of the service that run
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

	/** A service is limited from now on: nothing is known, and nothing held back. */
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

	/** Calls begin to wait, or what ended before says nothing. */
	void restart(long now) {
		this.windowNanos = now;
		this.ends = 0;
		this.allNanos = 0;
		this.othersNanos = 0;
		this.seen = 0;
	}

	/**
	 * A call begins. If as few run for the first time as are tried, they are measured
	 * when these have ended.
	 * @param takesNanos how long a call takes
	 */
	void begins(int threads, long takesNanos, long now) {
		this.seen = Math.max(this.seen, threads + 1);
		if (!this.settled && threads < this.limit) {
			this.settled = true;
			restart(now + takesNanos);
			this.knownUntilNanos = now + takesNanos + known(takesNanos);
		}
	}

	private static long window(long takesNanos) {
		return Math.max(WINDOW_NANOS, WINDOW_CALLS * takesNanos);
	}

	private static long known(long takesNanos) {
		return Math.max(KNOWN_NANOS, 2 * window(takesNanos));
	}

	/**
	 * A call has ended while others wait.
	 * @param limited whether its method is
	 * @param tookNanos how long it had its thread
	 * @param takesNanos how long one has it on the average
	 */
	void ended(boolean limited, long tookNanos, long takesNanos, long now) {
		long length = now - this.windowNanos;
		if (length <= 0) {
			return;
		}
		this.ends++;
		this.allNanos += tookNanos;
		this.othersNanos += limited ? 0 : tookNanos;
		this.windowLength = window(takesNanos);
		if (length < this.windowLength || this.ends < WINDOW_ENDS) {
			return;
		}
		boolean tells = length <= known(takesNanos) && takesNanos <= LONG_NANOS
				&& this.othersNanos <= this.allNanos / OTHERS;
		double speed = (double) this.ends / length;
		int ran = Math.min(this.limit, this.seen);
		restart(now);
		if (!tells) {
			reset(now);
		}
		else if (this.settled) {
			this.knownUntilNanos = now + known(takesNanos);
			measured(speed, ran, takesNanos, now);
		}
	}

	private void measured(double speed, int ran, long takesNanos, long now) {
		if (!this.trying) {
			this.baseline = speed;
			this.more = this.limit != ALL && now - this.nextProbeUp >= 0;
			if (this.more || (now - this.nextProbeDown >= 0 && ran > 0)) {
				probe(ran, takesNanos, now);
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
		probe(ran, takesNanos, now);
	}

	private void probe(int ran, long takesNanos, long now) {
		int tried = this.more ? 2 * this.limit : fewer(ran, takesNanos);
		this.trying = tried != this.limit;
		if (!this.trying) {
			this.nextProbeDown = now + pauseBeforeFewer();
			return;
		}
		this.previousLimit = this.limit;
		this.limit = tried;
		this.settled = this.more;
		if (this.more) {
			this.windowNanos = now + takesNanos;
		}
		else {
			this.nextProbeUp = now + PAUSE * this.windowLength;
			this.settleByNanos = now + SETTLE_NANOS + (long) (SETTLES * (ran - tried) / this.baseline);
			this.knownUntilNanos = Math.max(this.knownUntilNanos, this.settleByNanos);
		}
	}

	/** Half of those that ran, if enough calls end to see that half of them do. */
	private int fewer(int ran, long takesNanos) {
		boolean tells = this.baseline / 2 * known(takesNanos) >= WINDOW_ENDS;
		return tells ? Math.max(ServiceConcurrencyLimit.LEAST_THREADS, ran / 2) : this.limit;
	}

}
