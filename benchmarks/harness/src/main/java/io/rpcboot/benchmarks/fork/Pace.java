package io.rpcboot.benchmarks.fork;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * When one caller begins its calls. At a fixed rate the latency of a call counts from
 * when it should have begun, so that a caller that is held up does not hide the calls it
 * could not make (coordinated omission).
 */
final class Pace {

	/** 0 for as fast as possible. */
	private final long intervalNanos;

	private long next;

	private Pace(long intervalNanos, long first) {
		this.intervalNanos = intervalNanos;
		this.next = first;
	}

	/**
	 * The pace of one of several callers; they take turns.
	 * @param load the load
	 * @param caller number of the caller, from 0
	 * @param startNanos when the load begins
	 * @return the pace
	 */
	static Pace of(LoadSpec load, int caller, long startNanos) {
		if (!load.open()) {
			return new Pace(0, startNanos);
		}
		long between = TimeUnit.SECONDS.toNanos(1) / load.rate();
		return new Pace(between * load.callers(), startNanos + between * caller);
	}

	/**
	 * Wait until the next call has to begin.
	 * @param now the present time
	 * @return the instant from which its latency counts
	 */
	long awaitNext(long now) {
		if (this.intervalNanos == 0) {
			return now;
		}
		long intended = this.next;
		this.next += this.intervalNanos;
		for (long left = intended - now; left > 0; left = intended - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
		return intended;
	}

}
