package io.rpcboot.internal.metrics.history.call;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

import io.rpcboot.metrics.history.MethodSeries;

/** Last 15 minutes of one of the busiest methods. Guarded by the lock of its side. */
final class TrackedMethod {

	/**
	 * Ticks of a window of percentiles, 150 s. Percentiles use two windows, of which one
	 * is being filled.
	 */
	static final int WINDOW_TICKS = 30;

	private static final int WINDOWS = 2;

	final MethodHistory method;

	final Durations durations = new Durations(1);

	/** Number of the first tick of the series. */
	private final long first;

	private final int[] calls = new int[TickClock.KEPT];

	private final int[] errors = new int[TickClock.KEPT];

	/** Buckets of percentiles, which fit into 16 bits. */
	private final short[] p50 = new short[TickClock.KEPT];

	private final short[] p99 = new short[TickClock.KEPT];

	private final int[][] windows = new int[WINDOWS][Buckets.COUNT];

	private final long[] longest = new long[WINDOWS];

	private final long[] waited = new long[WINDOWS];

	private long errorsBefore;

	/** Number of the last tick with a call. */
	private long lastUsed;

	TrackedMethod(MethodHistory method, long ticks) {
		this.method = method;
		this.first = ticks;
		this.lastUsed = ticks;
		this.errorsBefore = method.errors();
	}

	/**
	 * Ends a step.
	 * @param ticks the clock
	 * @param counts empty; receives its calls by bucket
	 * @return the longest duration, in nanoseconds
	 */
	long tick(TickClock ticks, int[] counts) {
		int window = (int) ((ticks.count() - 1) / WINDOW_TICKS % WINDOWS);
		if ((ticks.count() - 1) % WINDOW_TICKS == 0) {
			Arrays.fill(this.windows[window], 0);
			this.longest[window] = 0;
			this.waited[window] = 0;
		}
		long ended = this.durations.drain(counts);
		long longestNow = this.durations.takeLongest();
		this.waited[window] += this.durations.takeWaited();
		this.method.count(ended);
		this.longest[window] = Math.max(this.longest[window], longestNow);
		for (int bucket = 0; ended > 0 && bucket < counts.length; bucket++) {
			this.windows[window][bucket] += counts[bucket];
		}
		int position = ticks.position();
		long failed = this.method.errors();
		this.calls[position] = (int) ended;
		this.errors[position] = (int) (failed - this.errorsBefore);
		this.p50[position] = (short) Buckets.percentile(counts, ended, 0.5);
		this.p99[position] = (short) Buckets.percentile(counts, ended, 0.99);
		this.errorsBefore = failed;
		this.lastUsed = (ended > 0) ? ticks.count() : this.lastUsed;
		return longestNow;
	}

	/** Returns the calls of the last tick. */
	int lastCalls(TickClock ticks) {
		return this.calls[ticks.position()];
	}

	/** Returns true if the history has no call of this method. */
	boolean isForgotten(TickClock ticks) {
		return ticks.count() - this.lastUsed >= TickClock.KEPT;
	}

	long longest() {
		return Math.max(this.longest[0], this.longest[1]);
	}

	/** Returns the percentile of both windows, in nanoseconds. */
	long percentile(double share) {
		int[] both = this.windows[0].clone();
		long total = 0;
		for (int bucket = 0; bucket < both.length; bucket++) {
			both[bucket] += this.windows[1][bucket];
			total += both[bucket];
		}
		return Buckets.duration(Buckets.percentile(both, total, share), longest());
	}

	/** Returns the mean wait of both windows, in nanoseconds. */
	long meanWaited() {
		long[] sum = sums();
		return (sum[0] > 0) ? (this.waited[0] + this.waited[1]) / sum[0] : 0;
	}

	/** Returns the mean duration of both windows without the wait, in nanoseconds. */
	long meanRan() {
		long[] sum = sums();
		return (sum[0] > 0) ? Math.max(0, sum[1] / sum[0] - meanWaited()) : 0;
	}

	/** Returns the number and the durations of the calls of both windows. */
	private long[] sums() {
		long[] sum = new long[2];
		for (int[] window : this.windows) {
			for (int bucket = 0; bucket < window.length; bucket++) {
				sum[0] += window[bucket];
				sum[1] += window[bucket] * Buckets.middle(bucket);
			}
		}
		return sum;
	}

	MethodSeries series(TickClock ticks, long since) {
		int[] positions = ticks.after(since, this.first);
		return new MethodSeries(TickClock.STEP_MILLIS, ticks.labels(positions),
				values(positions, (position) -> this.calls[position]),
				values(positions, (position) -> this.errors[position]),
				values(positions, (position) -> Buckets.duration(this.p50[position], 0)),
				values(positions, (position) -> Buckets.duration(this.p99[position], 0)));
	}

	private static long[] values(int[] positions, IntToLongFunction value) {
		return Arrays.stream(positions).mapToLong(value).toArray();
	}

}
