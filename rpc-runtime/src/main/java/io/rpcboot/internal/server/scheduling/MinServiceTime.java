package io.rpcboot.internal.server.scheduling;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long the calls of a method take at least, from a thread that takes them to the
 * answer: a call with less time left need not begin. The least of the last one or two
 * seconds, not an average: nothing is refused that could have been answered in time. Any
 * thread; an update that is lost does no harm.
 */
public final class MinServiceTime {

	/** Between calls that run although they seem to have too little time. */
	private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long MOST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Probes take a twentieth of a thread at most. */
	private static final int SHARE = 20;

	/** Seconds without a call, after which nothing is known any more. */
	private static final int KNOWN_SECONDS = 10;

	/** In nanoseconds; 0 while nothing is known. */
	public volatile long min;

	/** The same since the last {@link #rotate()}; the highest number without a call. */
	public volatile long currentMin = Long.MAX_VALUE;

	/** That of the second before. */
	private long previousMin = Long.MAX_VALUE;

	private int quietSeconds;

	/** How long its calls have threads while others wait: the lock of the call queue. */
	final ServiceConcurrencyLimit.MeanTime mean = new ServiceConcurrencyLimit.MeanTime();

	/** When a call was late for the last time, if one was; the same lock. */
	private long lateNanos;

	private boolean wasLate;

	private final AtomicLong probeAgainNanos = new AtomicLong(System.nanoTime());

	/**
	 * A call took less than {@link #currentMin}; less than 0 if clocks were read late.
	 */
	public void took(long nanos) {
		this.currentMin = Math.max(0, nanos);
		this.min = Math.min(this.min, this.currentMin);
	}

	/** The time of a call was over when it ended. */
	void late(long now) {
		this.lateNanos = now;
		this.wasLate = true;
	}

	/**
	 * Whether one was late a moment ago.
	 * @param kept whether that holds for longer, for no call is late due to it
	 */
	boolean wasLate(long now, boolean kept) {
		this.wasLate &= kept || now - this.lateNanos <= ServiceConcurrencyLimit.KEPT_NANOS;
		return this.wasLate;
	}

	/** Forget what is old. Once a second, one thread. */
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
	 * Whether a call that has too little time left is to run, because the last one that
	 * did was long ago. What it takes, if that is less, is the least at once.
	 */
	public boolean isProbe(long nowNanos) {
		long again = this.probeAgainNanos.get();
		long pause = Math.max(LEAST_PAUSE_NANOS, Math.min(MOST_PAUSE_NANOS, SHARE * this.min));
		return nowNanos - again >= 0 && this.probeAgainNanos.compareAndSet(again, nowNanos + pause);
	}

}
