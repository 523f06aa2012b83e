package io.rpcboot.metrics.micrometer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.distribution.TimeWindowMax;
import org.jspecify.annotations.Nullable;

/**
 * Number, sum and maximum of the durations of calls. The maximum is the longest call
 * since the last reading and in the minutes before, so that a record reads no clock. Any
 * thread.
 */
final class CallTimes {

	private static final long MAX_WINDOW_MILLIS = TimeUnit.MINUTES.toMillis(1);

	private static final int MAX_WINDOWS = 3;

	private final LongAdder calls = new LongAdder();

	private final LongAdder totalNanos = new LongAdder();

	/** Longest duration since the last reading. */
	private final AtomicLong longest = new AtomicLong();

	private final TimeWindowMax max;

	/** Receives each duration if the registry publishes histograms; else null. */
	private @Nullable Samples each;

	CallTimes(Clock clock) {
		this.max = new TimeWindowMax(clock, MAX_WINDOW_MILLIS, MAX_WINDOWS);
	}

	/** Records each call on its own. Called before the first record. */
	void each(Samples samples) {
		this.each = samples;
	}

	void record(long nanos) {
		if (this.each != null) {
			this.each.add(nanos);
			return;
		}
		add(1, nanos, nanos);
	}

	void record(long[] nanos, int count) {
		long total = 0;
		long longest = 0;
		for (int i = 0; i < count; i++) {
			if (this.each != null) {
				this.each.add(nanos[i]);
			}
			total += nanos[i];
			longest = Math.max(longest, nanos[i]);
		}
		if (this.each == null) {
			add(count, total, longest);
		}
	}

	private void add(int count, long total, long longest) {
		this.calls.add(count);
		this.totalNanos.add(total);
		if (longest > this.longest.get()) {
			this.longest.accumulateAndGet(longest, Math::max);
		}
	}

	long count() {
		return this.calls.sum();
	}

	double totalNanos() {
		return this.totalNanos.sum();
	}

	double maxNanos() {
		this.max.record(this.longest.getAndSet(0));
		return this.max.poll();
	}

}
