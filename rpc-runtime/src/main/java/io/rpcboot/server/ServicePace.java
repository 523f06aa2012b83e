package io.rpcboot.server;

import java.util.concurrent.TimeUnit;

/**
 * How fast the calls of a service end while others wait, and so how many may run at once:
 * those that run divided by those that end in a second is how long each takes. More
 * threads do not help a service whose calls wait for each other, for processors or for a
 * small pool of database connections: each takes longer, until all are late.
 * <p>
 * Nothing is limited before calls were late. From then on a call begins when it will
 * probably end in time, until none was late for ten seconds. The lock of the call queue
 * guards it.
 */
final class ServicePace {

	/** A service that is limited has as many threads, whatever they do. */
	static final int LEAST_THREADS = 2;

	/** A measurement takes so long... */
	private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	/** ... or until so many calls have ended... */
	private static final int WINDOW_ENDS = 32;

	/** ... but no longer than this. */
	private static final long LONGEST_WINDOW_NANOS = TimeUnit.SECONDS.toNanos(4);

	/** The fastest of so many measurements counts. */
	private static final int WINDOWS = 8;

	/** Neither a measurement nor the last call that was late is older. */
	private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);

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

	/** Nanoseconds from end to end, 0 for none, and when that was measured. */
	private final long[] paces = new long[WINDOWS];

	private final long[] measuredNanos = new long[WINDOWS];

	private int next;

	private long windowNanos;

	private int ends;

	private boolean limited;

	/** When a call was late for the last time. */
	private long lateNanos;

	private long probedNanos;

	/** Calls begin to wait. */
	void waits(long now) {
		this.windowNanos = now;
		this.ends = 0;
	}

	/**
	 * A call has left its thread, while others wait or have waited a moment ago.
	 * @param late whether its time was over
	 */
	void ended(long now, boolean late) {
		this.ends++;
		long length = now - this.windowNanos;
		if ((length >= WINDOW_NANOS && this.ends >= WINDOW_ENDS) || length >= LONGEST_WINDOW_NANOS) {
			this.paces[this.next] = Math.max(1, length / this.ends);
			this.measuredNanos[this.next] = now;
			this.next = (this.next + 1) % WINDOWS;
			waits(now);
		}
		if (late) {
			this.limited = true;
			this.lateNanos = now;
		}
	}

	/** Whether a call was late a moment ago. */
	boolean isLimited(long now) {
		if (this.limited && now - this.lateNanos > KEPT_NANOS) {
			this.limited = false;
		}
		return this.limited;
	}

	/**
	 * Whether a call may begin.
	 * @param threads calls that run
	 * @param left the time that it has
	 */
	boolean admits(int threads, long left, long now) {
		return fits(threads, left, now) || now - this.probedNanos >= PROBE_NANOS;
	}

	private boolean fits(int threads, long left, long now) {
		if (threads < LEAST_THREADS || !isLimited(now)) {
			return true;
		}
		long pace = fastest(now);
		double used = ((now / MORE_NANOS) % MORE_OF == 0) ? USED_BY_MORE : USED;
		return pace == 0 || (threads + 1.0) * pace <= used * left;
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
	void begins(int threads, long left, long now) {
		if (!fits(threads, left, now)) {
			this.probedNanos = now;
		}
	}

}
