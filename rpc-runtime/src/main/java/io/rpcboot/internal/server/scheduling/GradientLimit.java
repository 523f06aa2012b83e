package io.rpcboot.internal.server.scheduling;

import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.limit.LastMove;
import io.rpcboot.transport.LimitInfo;

/**
 * Limits the threads of a service whose calls compete for a lock, the CPU or a small
 * connection pool. More threads make each call longer there, until all miss their
 * deadlines, and surplus threads take the CPU from event loops.
 * <p>
 * Gradient limit after the adaptive concurrency filter of Envoy, armed by a missed
 * deadline. After each window:
 *
 * <pre>limit = limit * clamp(1/2, 1, (1 + SLACK) * base / time) + sqrt(limit)</pre>
 *
 * where time is the mean time of a call on its thread, and base is that of a call with
 * few threads. Example: calls of 20 ms, of which 4 run at once, take 5 ms * threads; the
 * limit settles at 7.5 threads, whose calls take 38 ms.
 * <p>
 * Envoy measures base with three threads. One late call would stop a service that waits
 * for I/O in 200 threads: 337 of 2,304 calls/s were in time in a simulation. Here a
 * quarter of the threads runs for one window. It is kept if calls take at most (1 +
 * SLACK) / 4 of the time, that is if at least 80 % of the throughput remain, and a
 * quarter of that runs next; else the others are given back: 2,233 of 2,304 calls/s.
 * <p>
 * The limit is for methods that had a late call; the calls of others pass. It ends
 * REMEASURE_NANOS after the last late call or the last call that it held back, and at
 * once if a window is not complete in time, because running calls may hang. Guarded by
 * the lock of {@link CallScheduler}.
 */
final class GradientLimit {

	/** Threads that a limited service may always use. */
	static final int LEAST_THREADS = 2;

	/**
	 * Longest pause between two measurements of base; also how long a late call counts.
	 */
	static final long REMEASURE_NANOS = TimeUnit.SECONDS.toNanos(60);

	/** Shortest window, and the calls that it takes at least. */
	private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int WINDOW_CALLS = 50;

	/** Fraction of base by which calls may be longer without an effect on the limit. */
	private static final double SLACK = 0.25;

	/** True from a late call on, and its time. */
	private boolean armed;

	private long armedNanos;

	/** Late calls since the last one that was not. */
	private int lateInTurn;

	/** Last late call, or the last window in which the limit held calls back. */
	private long neededNanos;

	/** Maximum of running calls; infinite while nothing is held back. */
	private double limit = Double.POSITIVE_INFINITY;

	/** Mean time of a call with few threads, in nanoseconds; 0 while unknown. */
	private double base;

	/** Mean time of a call in the last window. */
	private double time;

	/** True while a quarter of the threads runs, to measure base. */
	private boolean reduced;

	/** True once the calls of the other threads have ended. */
	private boolean settled = true;

	/** Running calls before that. */
	private int before;

	/** Next measurement of base, and the pause before the one after it. */
	private long measureNanos;

	private long pauseNanos;

	/** Time by which the window must be complete. */
	private long validUntilNanos;

	/** Start of the window; in the future until earlier calls have ended. */
	private long windowNanos;

	/** Calls of the window, and their time on threads. */
	private int calls;

	private double sum;

	/** Time on threads of calls that have no limit. */
	private double othersSum;

	/** Share of the time on threads of calls that have a limit, in the last window. */
	private double share = 1;

	/** Maximum of running calls in the window. */
	private int seen;

	private final LastMove last = new LastMove();

	/**
	 * The first call waits. A window that was not complete in time begins again, and a
	 * limit outlasts a pause of 50 * WINDOW_NANOS.
	 */
	void waits(long now) {
		if (now - this.validUntilNanos <= 0) {
			return;
		}
		restart(now);
		if (now - this.validUntilNanos <= 50 * WINDOW_NANOS) {
			isValidFor(this.time, now);
		}
	}

	private void restart(long start) {
		this.windowNanos = start;
		this.calls = 0;
		this.sum = 0;
		this.othersSum = 0;
		this.seen = 0;
	}

	/** Returns true if a call was late recently, or the limit held calls back. */
	boolean isArmed(long now) {
		this.armed &= now - this.neededNanos <= REMEASURE_NANOS;
		return this.armed;
	}

	/** Returns true if this limit was needed after that of another service. */
	boolean isNeededAfter(GradientLimit other) {
		return this.neededNanos - other.neededNanos > 0;
	}

	/**
	 * Returns true if a call may start.
	 * @param threads running calls of the service
	 */
	boolean admits(MinServiceTime method, int threads, long now) {
		if (!isArmed(now) || !method.wasLateSince(this.armedNanos)) {
			return true;
		}
		if (now - this.validUntilNanos > 0) {
			giveUp(now);
		}
		return threads < LEAST_THREADS || threads * this.share < this.limit;
	}

	/** Ends the limit, because windows are not complete in time. */
	private void giveUp(long now) {
		if (this.reduced) {
			endMeasurement(now);
		}
		if (this.limit != Double.POSITIVE_INFINITY) {
			this.last.record("ended, because too few calls ended in time to measure; they may hang", now);
		}
		this.limit = Double.POSITIVE_INFINITY;
		this.share = 1;
		isValidFor(this.time, now);
		restart(now);
	}

	/**
	 * Records the start of an admitted call. The first one below a reduced limit starts
	 * its window, one call later.
	 */
	void begins(int threads, long now) {
		this.seen = Math.max(this.seen, threads + 1);
		if (!this.settled && threads * this.share < this.limit) {
			this.settled = true;
			restart(now + (long) this.time);
			isValidFor(this.time, this.windowNanos);
		}
	}

	/**
	 * Sets the time by which the window must be complete: max(10 * WINDOW_NANOS, twice
	 * its expected length), which is nanos * WINDOW_CALLS / limit.
	 */
	private void isValidFor(double nanos, long now) {
		long expected = (long) (nanos * Math.max(1, WINDOW_CALLS / this.limit));
		this.validUntilNanos = now + Math.max(10 * WINDOW_NANOS, 2 * expected);
	}

	/**
	 * Records a call that has left its thread.
	 * @param tookNanos its time on the thread
	 * @param late true if its deadline has passed and its caller waited
	 * @param waits true while calls wait for a thread
	 */
	void ended(MinServiceTime method, long tookNanos, boolean late, boolean waits, long now) {
		if (late) {
			late(waits, now);
			method.late(now);
		}
		else {
			this.lateInTurn = 0;
		}
		if (!isArmed(now) || !this.settled || now - this.windowNanos <= 0) {
			return;
		}
		if (!method.wasLateSince(this.armedNanos)) {
			this.othersSum += tookNanos;
			return;
		}
		this.calls++;
		this.sum += tookNanos;
		if (this.calls >= WINDOW_CALLS && now - this.windowNanos >= WINDOW_NANOS) {
			this.share = this.sum / (this.sum + this.othersSum);
			int ran = Math.max(1, (int) Math.min(this.limit, Math.round(this.seen * this.share)));
			measured(meanTime(waits, ran, now), ran, now);
		}
	}

	/**
	 * Arms the limit. While no call waits, because the callers are fewer than threads, a
	 * late call counts only as one of WINDOW_CALLS / 5 in turn.
	 */
	private void late(boolean waits, long now) {
		this.lateInTurn++;
		if (waits || isArmed(now) || this.lateInTurn * 5 >= WINDOW_CALLS) {
			arm(now);
		}
	}

	private void arm(long now) {
		if (!isArmed(now)) {
			this.armed = true;
			this.last.record("began, because a call ended after its deadline", now);
			this.armedNanos = now;
			this.limit = Double.POSITIVE_INFINITY;
			this.share = 1;
			this.base = 0;
			this.reduced = false;
			this.settled = true;
			this.measureNanos = now;
			this.pauseNanos = 10 * WINDOW_NANOS;
			restart(now);
		}
		this.neededNanos = now;
	}

	/**
	 * Returns the mean time of the calls in the window. The first ones began when fewer
	 * ran: the time of those that begin now follows from Little's law if calls wait.
	 */
	private double meanTime(boolean waits, int ran, long now) {
		double mean = this.sum / this.calls;
		return (!waits || this.base > 0) ? mean : Math.max(mean, (double) ran * (now - this.windowNanos) / this.calls);
	}

	private void measured(double mean, int ran, long now) {
		if (this.reduced && 4 * mean > (1 + SLACK) * this.base) {
			endMeasurement(now);
			this.last.record("raised again, because a quarter of the threads lost throughput", now);
			this.base = Math.min(this.base, mean);
		}
		else if (this.reduced || now - this.measureNanos >= 0) {
			this.base = mean;
			reduce(ran, now);
		}
		else {
			move(mean, ran, now);
		}
		this.time = mean;
		restart(now);
		isValidFor(mean, now);
	}

	private void reduce(int ran, long now) {
		int fewer = Math.max(LEAST_THREADS, ran / 4);
		this.before = Math.max(LEAST_THREADS, ran);
		this.reduced = fewer < ran;
		this.settled = !this.reduced;
		if (this.reduced) {
			this.limit = fewer;
			this.last.record("reduced to a quarter of the threads, to measure a call with few threads", now);
			this.neededNanos = now;
		}
		else {
			endMeasurement(now);
		}
	}

	private void endMeasurement(long now) {
		this.reduced = false;
		this.settled = true;
		this.limit = this.before;
		this.measureNanos = now + this.pauseNanos;
		this.pauseNanos = Math.min(REMEASURE_NANOS, 2 * this.pauseNanos);
	}

	/**
	 * Applies the formula; a limit that is not reached does not rise. One that was given
	 * up begins with the calls that ran.
	 */
	private void move(double mean, int ran, long now) {
		double gradient = (1 + SLACK) * this.base / mean;
		if (gradient < 1 && this.limit == Double.POSITIVE_INFINITY) {
			this.limit = ran;
			this.settled = false;
		}
		double rise = (ran + 1 > this.limit) ? Math.sqrt(this.limit) : 0;
		this.limit = Math.max(LEAST_THREADS, this.limit * Math.max(0.5, Math.min(1, gradient)) + rise);
		if (gradient < 1) {
			this.neededNanos = now;
			this.last.record("held down, because calls take longer than with few threads", now);
		}
		else if (rise > 0) {
			this.last.record("raised, because calls take no longer than with few threads", now);
		}
	}

	/**
	 * Describes the limit.
	 * @param of its service or method
	 * @param most threads that the service or method may have
	 * @param threads running calls
	 */
	LimitInfo describe(String of, int most, int threads, long now) {
		boolean holds = isArmed(now) && this.limit < most;
		String signal = (this.base > 0) ? "a call takes %.1f ms on its thread, %.1f ms with few threads"
			.formatted(this.time / 1e6, this.base / 1e6) : "";
		return new LimitInfo("threads", of, holds ? (long) Math.ceil(this.limit) : null, most, threads, signal,
				this.last.reason(), this.last.at(now));
	}

	/** Returns the maximum of running calls; infinite while nothing is held back. */
	double limit() {
		return this.limit;
	}

}
