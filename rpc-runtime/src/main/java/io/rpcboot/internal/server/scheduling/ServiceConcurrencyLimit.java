package io.rpcboot.internal.server.scheduling;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * How fast the calls of a service end while others wait, and so how many may run at once:
 * those that run divided by those that end in a second is how long each takes. More
 * threads do not help a service whose calls wait for each other, for processors or for a
 * small pool of database connections: each takes longer, until all are late.
 * <p>
 * Nothing is limited before calls were late. From then on a call of a method that was
 * late begins when it will probably end in time and {@link ThreadCountTuner} has a thread
 * for it, until none was late for ten seconds and more threads may be of use, or until it
 * shows that fewer calls at once only end more slowly. The lock of the call queue guards
 * it.
 */
final class ServiceConcurrencyLimit {

	/** A service that is limited has as many threads, whatever they do. */
	static final int LEAST_THREADS = 2;

	/** A measurement takes so long, and until so many calls have ended... */
	private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private static final int WINDOW_ENDS = 32;

	/** ... or so long, if calls are slow. */
	private static final long LONG_WINDOW_NANOS = TimeUnit.SECONDS.toNanos(4);

	private static final int LONG_WINDOW_ENDS = 4;

	/** The fastest of so many measurements counts. */
	private static final int WINDOWS = 8;

	/** Neither a measurement nor the last call that was late is older. */
	static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** Of the time that a call has left; not all calls take the same. */
	private static final double USED = 0.7;

	/**
	 * For a moment in some seconds more calls begin: a service whose calls do not wait
	 * for each other shows then that it can do more.
	 */
	private static final double USED_BY_MORE = 1;

	private static final long MORE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int MORE_OF = 32;

	/** Beyond the limit a call begins so often: those that run may never end. */
	private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** If calls end so much more slowly than without the limit, it does not help. */
	private static final double SLOWER = 1.5;

	/** How long the calls of all methods take. */
	private final MeanTime mean = new MeanTime();

	private final ThreadCountTuner useful = new ThreadCountTuner();

	/** Nanoseconds from end to end, 0 for none, and when that was measured. */
	private final long[] paces = new long[WINDOWS];

	private final long[] measuredNanos = new long[WINDOWS];

	private int next;

	/** Whether calls wait. */
	private boolean measuring;

	private long windowNanos;

	private long endedNanos;

	/** In this window nothing ended for so long; a pause of everything is no pace. */
	private long longestGap;

	private int ends;

	private boolean limited;

	private long lastMissNanos;

	/** When the limit began. */
	private long limitedNanos;

	/** When the service had few threads for the last time. */
	private long fewNanos;

	/** What was measured when the limit began; 0 until then. */
	private long paceBefore;

	private long probedNanos;

	/** Calls begin to wait. */
	void waits(long now) {
		this.measuring = true;
		this.useful.restart(now);
		restart(now);
	}

	private void restart(long now) {
		this.windowNanos = now;
		this.endedNanos = now;
		this.longestGap = 0;
		this.ends = 0;
	}

	/** No call waits any more. */
	void idle() {
		this.measuring = false;
	}

	/**
	 * A call has left its thread, while others wait or have waited a moment ago.
	 * @param method of the call
	 * @param tookNanos how long it had the thread
	 * @param late whether its time was over, and somebody waited for it
	 */
	void ended(MinServiceTime method, long tookNanos, boolean late, long now) {
		method.mean.add(tookNanos);
		this.mean.add(tookNanos);
		if (this.measuring) {
			measure(now);
			if (isLimited(now)) {
				this.useful.ended(isLimited(method, now), tookNanos, this.mean.nanos(), now);
			}
		}
		if (late) {
			method.late(now);
			if (!isLimited(now)) {
				this.limited = true;
				this.limitedNanos = now;
				this.fewNanos = now;
				this.paceBefore = fastest(now);
				this.useful.begin(now);
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
			this.paces[this.next] = Math.max(1, (length - this.longestGap) / (this.ends - 1));
			this.measuredNanos[this.next] = now;
			this.next = (this.next + 1) % WINDOWS;
			restart(now);
			compare(fastest(now), now);
		}
	}

	/** Whether the limit helps; if not, all begins anew without it. */
	private void compare(long pace, long now) {
		if (this.limited && this.paceBefore == 0) {
			this.paceBefore = pace;
		}
		else if (this.limited && pace > SLOWER * this.paceBefore) {
			this.limited = false;
			Arrays.fill(this.paces, 0);
			this.useful.begin(now);
		}
	}

	/** Whether a call was late a moment ago, or would be but for few threads. */
	boolean isLimited(long now) {
		if (this.useful.isFew(now)) {
			this.fewNanos = now;
		}
		this.limited &= now - this.lastMissNanos <= KEPT_NANOS || isHeld(now);
		return this.limited;
	}

	private boolean isLimited(MinServiceTime method, long now) {
		return method.wasLate(now, isHeld(now));
	}

	/** Since the limit began the service had few threads, a moment ago at least. */
	private boolean isHeld(long now) {
		return this.fewNanos - this.limitedNanos > 0 && now - this.fewNanos <= KEPT_NANOS;
	}

	/** Whether calls were late after those of another service. */
	boolean isLimitedAfter(ServiceConcurrencyLimit other) {
		return this.lastMissNanos - other.lastMissNanos > 0;
	}

	/**
	 * Whether a call may begin.
	 * @param threads calls of the service that run
	 * @param left the time that it has
	 */
	boolean admits(MinServiceTime method, int threads, long left, long now) {
		return hasCapacity(method, threads, left, now) || now - this.probedNanos >= PROBE_NANOS;
	}

	private boolean hasCapacity(MinServiceTime method, int threads, long left, long now) {
		if (threads < LEAST_THREADS || !isLimited(now) || !isLimited(method, now)) {
			return true;
		}
		if (!this.useful.admits(threads, now)) {
			return false;
		}
		long pace = fastest(now);
		double used = ((now / MORE_NANOS) % MORE_OF == 0) ? USED_BY_MORE : USED;
		return pace == 0 || (threads + 1.0) * pace * method.mean.of(this.mean) <= used * left;
	}

	/** In nanoseconds from end to end; 0 if nothing is known. */
	private long fastest(long now) {
		long fastest = 0;
		for (int i = 0; i < WINDOWS; i++) {
			boolean known = this.paces[i] != 0 && now - this.measuredNanos[i] <= KEPT_NANOS;
			if (known && (fastest == 0 || this.paces[i] < fastest)) {
				fastest = this.paces[i];
			}
		}
		return fastest;
	}

	/** A call begins that was admitted. */
	void begins(MinServiceTime method, int threads, long left, long now) {
		if (!hasCapacity(method, threads, left, now)) {
			this.probedNanos = now;
		}
		this.useful.begins(threads, this.mean.nanos(), now);
	}

	/** An average of the last calls. */
	static final class MeanTime {

		private static final double WEIGHT = 1.0 / 64;

		private double nanos;

		private boolean isKnown;

		void add(long tookNanos) {
			this.nanos = this.isKnown ? this.nanos + WEIGHT * (tookNanos - this.nanos) : tookNanos;
			this.isKnown = true;
		}

		/** In nanoseconds; 0 without a call. */
		long nanos() {
			return (long) this.nanos;
		}

		/** As a multiple of another one; 1 if one of them is not known. */
		double of(MeanTime other) {
			return (this.nanos > 0 && other.nanos > 0) ? this.nanos / other.nanos : 1;
		}

	}

}
