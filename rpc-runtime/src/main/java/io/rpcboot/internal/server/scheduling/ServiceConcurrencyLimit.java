package io.rpcboot.internal.server.scheduling;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Limits the concurrent calls of a service so that started calls end before their
 * deadlines. More threads do not help a service whose calls compete for locks, CPU or a
 * small connection pool: each call takes longer, until all are late. By Little's law,
 * latency = concurrency * interval, with interval = time between two completions.
 * <p>
 * The limit starts with the first late call. While it is active, a call of a method that
 * had late calls starts if
 *
 * <pre>(threads + 1) * interval * mean(method) / mean(service) &lt;= USED * remaining</pre>
 *
 * and {@link ThreadCountTuner} admits one more thread. Example: 7 threads, one completion
 * every 10 ms, equal methods: the 8th call starts with at least 8 * 10 / 0.7 = 115 ms
 * left. The limit ends when no call was late for KEPT_NANOS and the tuner does not hold
 * threads back, or when completions become SLOWER times rarer than before it. Guarded by
 * the lock of {@link CallScheduler}.
 */
final class ServiceConcurrencyLimit {

	/** Threads that a limited service may always use. */
	static final int LEAST_THREADS = 2;

	/** Shortest measurement; it also takes at least WINDOW_ENDS completions. */
	private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private static final int WINDOW_ENDS = 32;

	/** Measurement of slow calls; it takes at least LONG_WINDOW_ENDS completions. */
	private static final long LONG_WINDOW_NANOS = TimeUnit.SECONDS.toNanos(4);

	private static final int LONG_WINDOW_ENDS = 4;

	/** Measurements of which the shortest interval counts. */
	private static final int WINDOWS = 8;

	/** Maximum age of a measurement and of the last late call. */
	static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** Fraction of the remaining time that may be planned; calls vary. */
	private static final double USED = 0.7;

	/**
	 * Replaces USED for MORE_NANOS = 100 ms in each MORE_OF * MORE_NANOS = 3.2 s, to
	 * discover unused capacity.
	 */
	private static final double USED_BY_MORE = 1;

	private static final long MORE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int MORE_OF = 32;

	/** Interval at which one call starts above the limit: running calls may hang. */
	private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** Factor of the interval above which the limit is given up. */
	private static final double SLOWER = 1.5;

	/** Mean time on a thread of all methods. */
	private final MeanTime mean = new MeanTime();

	private final ThreadCountTuner tuner = new ThreadCountTuner();

	/** Measured intervals in nanoseconds, 0 for none. */
	private final long[] intervals = new long[WINDOWS];

	/** Times of the measurements. */
	private final long[] measuredNanos = new long[WINDOWS];

	/** Index of the next measurement. */
	private int next;

	/** True while calls wait. */
	private boolean measuring;

	/** Start of the current measurement. */
	private long windowNanos;

	/** Time of the last completion. */
	private long endedNanos;

	/** Longest interval of the measurement; left out, because it may be a pause. */
	private long longestGap;

	/** Completions of the measurement. */
	private int ends;

	private boolean limited;

	private long lastMissNanos;

	/** Start of the limit. */
	private long limitedNanos;

	/** Last time at which the tuner held threads back. */
	private long fewNanos;

	/** Interval at the start of the limit, 0 while unknown. */
	private long intervalBefore;

	/** Time of the last start above the limit, or of the start of the limit. */
	private long probedNanos;

	/** The first call waits. */
	void waits(long now) {
		this.measuring = true;
		this.tuner.restart(now);
		restart(now);
	}

	private void restart(long now) {
		this.windowNanos = now;
		this.endedNanos = now;
		this.longestGap = 0;
		this.ends = 0;
	}

	/** The last waiting call has left. */
	void idle() {
		this.measuring = false;
	}

	/**
	 * Records a call that has left its thread while the scheduler chooses.
	 * @param tookNanos its time on the thread
	 * @param late true if its deadline has passed and its caller waited
	 */
	void ended(MinServiceTime method, long tookNanos, boolean late, long now) {
		method.mean.add(tookNanos);
		this.mean.add(tookNanos);
		if (this.measuring) {
			measure(now);
			if (isLimited(now)) {
				this.tuner.ended(isLimited(method, now), tookNanos, this.mean.nanos(), now);
			}
		}
		if (late) {
			method.late(now);
			if (!isLimited(now)) {
				this.limited = true;
				this.limitedNanos = now;
				this.fewNanos = now;
				this.probedNanos = now;
				this.intervalBefore = fastest(now);
				this.tuner.begin(now);
			}
			this.lastMissNanos = now;
		}
	}

	private void measure(long now) {
		this.ends++;
		this.longestGap = Math.max(this.longestGap, now - this.endedNanos);
		this.endedNanos = now;
		long length = now - this.windowNanos;
		boolean enough = length >= WINDOW_NANOS && this.ends >= WINDOW_ENDS;
		if (enough || (length >= LONG_WINDOW_NANOS && this.ends >= LONG_WINDOW_ENDS)) {
			this.intervals[this.next] = Math.max(1, (length - this.longestGap) / (this.ends - 1));
			this.measuredNanos[this.next] = now;
			this.next = (this.next + 1) % WINDOWS;
			restart(now);
			compare(fastest(now), now);
		}
	}

	/** Gives the limit up if completions have become too rare. */
	private void compare(long interval, long now) {
		if (this.limited && this.intervalBefore == 0) {
			this.intervalBefore = interval;
		}
		else if (this.limited && interval > SLOWER * this.intervalBefore) {
			this.limited = false;
			Arrays.fill(this.intervals, 0);
			this.tuner.begin(now);
		}
	}

	/** Returns true if a call was late recently, or the tuner prevents late calls. */
	boolean isLimited(long now) {
		if (this.tuner.isFew(now)) {
			this.fewNanos = now;
		}
		this.limited &= now - this.lastMissNanos <= KEPT_NANOS || isHeld(now);
		return this.limited;
	}

	private boolean isLimited(MinServiceTime method, long now) {
		return method.wasLate(now, isHeld(now));
	}

	/** Returns true if the tuner has held threads back recently. */
	private boolean isHeld(long now) {
		return this.fewNanos - this.limitedNanos > 0 && now - this.fewNanos <= KEPT_NANOS;
	}

	/** Returns true if the last late call was after that of another service. */
	boolean isLimitedAfter(ServiceConcurrencyLimit other) {
		return this.lastMissNanos - other.lastMissNanos > 0;
	}

	/**
	 * Returns true if a call may start.
	 * @param threads running calls of the service
	 * @param left remaining time of the call
	 */
	boolean admits(MinServiceTime method, int threads, long left, long now) {
		return hasCapacity(method, threads, left, now) || now - this.probedNanos >= PROBE_NANOS;
	}

	private boolean hasCapacity(MinServiceTime method, int threads, long left, long now) {
		if (threads < LEAST_THREADS || !isLimited(now) || !isLimited(method, now)) {
			return true;
		}
		if (!this.tuner.admits(threads, now)) {
			return false;
		}
		long interval = fastest(now);
		double used = ((now / MORE_NANOS) % MORE_OF == 0) ? USED_BY_MORE : USED;
		return interval == 0 || (threads + 1.0) * interval * method.mean.of(this.mean) <= used * left;
	}

	/** Returns the shortest recent interval in nanoseconds, 0 if unknown. */
	private long fastest(long now) {
		long fastest = 0;
		for (int i = 0; i < WINDOWS; i++) {
			boolean known = this.intervals[i] != 0 && now - this.measuredNanos[i] <= KEPT_NANOS;
			if (known && (fastest == 0 || this.intervals[i] < fastest)) {
				fastest = this.intervals[i];
			}
		}
		return fastest;
	}

	/** Records the start of an admitted call. */
	void begins(MinServiceTime method, int threads, long left, long now) {
		if (!hasCapacity(method, threads, left, now)) {
			this.probedNanos = now;
		}
		this.tuner.begins(threads, this.mean.nanos(), now);
	}

	/** Exponentially weighted mean of the times of calls. */
	static final class MeanTime {

		private static final double WEIGHT = 1.0 / 64;

		private double nanos;

		private boolean isKnown;

		void add(long tookNanos) {
			this.nanos = this.isKnown ? this.nanos + WEIGHT * (tookNanos - this.nanos) : tookNanos;
			this.isKnown = true;
		}

		/** Returns the mean in nanoseconds, 0 without a call. */
		long nanos() {
			return (long) this.nanos;
		}

		/** Returns the ratio to another mean, 1 if one of them is unknown. */
		double of(MeanTime other) {
			return (this.nanos > 0 && other.nanos > 0) ? this.nanos / other.nanos : 1;
		}

	}

}
