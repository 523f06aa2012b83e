package io.rpcboot.benchmarks.away;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** How long calls took. Any thread adds; it is read when all have ended. */
final class Durations {

	private static final int MOST = 8_000_000;

	private final long[] nanos = new long[MOST];

	private final AtomicInteger count = new AtomicInteger();

	void add(long duration) {
		int index = this.count.getAndIncrement();
		if (index < MOST) {
			this.nanos[index] = duration;
		}
	}

	int count() {
		return this.count.get();
	}

	/**
	 * In milliseconds, by share of the calls that took no longer.
	 * @param shares 1 for the longest
	 */
	double[] millis(double... shares) {
		int kept = Math.min(count(), MOST);
		long[] sorted = Arrays.copyOf(this.nanos, kept);
		Arrays.sort(sorted);
		return Arrays.stream(shares).map((share) -> {
			int index = (int) Math.ceil(share * kept) - 1;
			return (kept == 0) ? Double.NaN : sorted[Math.max(0, index)] / 1e6;
		}).toArray();
	}

}
