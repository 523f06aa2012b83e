package io.rpcboot.internal.server.scheduling;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tracks the minimum service time of a method, from the start on a thread to the written
 * response. A call that waited 20 ms or longer for a thread and has less time left is
 * rejected before it runs, unless it is a probe. Calls on the event loop are neither
 * measured nor rejected. The minimum of the last two seconds with calls is used and not
 * an average, so that no call is rejected that could be answered in time. Any thread; a
 * lost update does no harm.
 */
public final class MinServiceTime {

	/** Shortest pause between two probes. */
	private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** Longest pause between two probes. */
	private static final long MOST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Pause in multiples of the service time, within the two bounds above. */
	private static final int SHARE = 20;

	/** Seconds without a call after which the minimum is forgotten. */
	private static final int KNOWN_SECONDS = 10;

	/** Minimum in nanoseconds; 0 while unknown. */
	public volatile long min;

	/** Minimum since the last {@link #rotate()}; Long.MAX_VALUE without a call. */
	public volatile long currentMin = Long.MAX_VALUE;

	/** Minimum of the second before. */
	private long previousMin = Long.MAX_VALUE;

	/** Seconds without a call. */
	private int quietSeconds;

	/**
	 * Time of the last late call, if there was one. Guarded by the lock of the scheduler.
	 */
	private long lateNanos;

	private boolean wasLate;

	private final AtomicLong probeAgainNanos = new AtomicLong(System.nanoTime());

	/** Records a call below {@link #currentMin}; negative if clocks were read late. */
	public void took(long nanos) {
		this.currentMin = Math.max(0, nanos);
		this.min = Math.min(this.min, this.currentMin);
	}

	/** Records a call that ended after its deadline. */
	void late(long now) {
		this.lateNanos = now;
		this.wasLate = true;
	}

	/** Returns true if a call was late since then. */
	boolean wasLateSince(long nanos) {
		return this.wasLate && this.lateNanos - nanos >= 0;
	}

	/** Replaces the older of the two seconds. Called once a second by one thread. */
	void rotate() {
		long now = this.currentMin;
		if (now == Long.MAX_VALUE) {
			this.quietSeconds++;
			if (this.quietSeconds == KNOWN_SECONDS) {
				this.min = 0;
				this.previousMin = Long.MAX_VALUE;
			}
			return;
		}
		this.quietSeconds = 0;
		this.currentMin = Long.MAX_VALUE;
		this.min = Math.min(this.previousMin, now);
		this.previousMin = now;
	}

	/**
	 * Returns true if a call with too little time left is to run as a probe, at most one
	 * for each max(100 ms, min(1 s, SHARE * min)). A faster probe lowers the minimum at
	 * once.
	 */
	public boolean isProbe(long nowNanos) {
		long again = this.probeAgainNanos.get();
		long pause = Math.max(LEAST_PAUSE_NANOS, Math.min(MOST_PAUSE_NANOS, SHARE * this.min));
		return nowNanos - again >= 0 && this.probeAgainNanos.compareAndSet(again, nowNanos + pause);
	}

}
