package io.rpcboot.benchmarks.fork;

import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

import io.rpcboot.benchmarks.workload.MeasuredCall;
import org.jspecify.annotations.Nullable;

/**
 * Counts how calls end, on whatever threads, at hundreds of thousands a second.
 */
final class EndCounter {

	/** The status of a call with a wrong answer. */
	static final String WRONG = "WRONG_ANSWER";

	private static final long VERY_LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final double P999 = 0.999;

	private final MeasuredCall call;

	private final Function<Throwable, String> status;

	private final long timeoutNanos;

	private final long windowEnd;

	private final LongAdder inTime = new LongAdder();

	private final LongAdder inWindow = new LongAdder();

	private final LongAdder answeredLate = new LongAdder();

	private final LongAdder late = new LongAdder();

	private final LongAdder veryLate = new LongAdder();

	private final LongAdder ended = new LongAdder();

	private final LongAccumulator latest = new LongAccumulator(Math::max, 0);

	private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();

	private final Queue<LatencyHistogram> histograms = new ConcurrentLinkedQueue<>();

	/** Late ends; each thread counts for itself. */
	private final ThreadLocal<LatencyHistogram> lateness = ThreadLocal.withInitial(() -> {
		LatencyHistogram created = new LatencyHistogram();
		this.histograms.add(created);
		return created;
	});

	/**
	 * Create the counter.
	 * @param call which call
	 * @param status what to count a failure as
	 * @param timeoutNanos the time allowed for a call
	 * @param windowEnd the instant at which the load ends
	 */
	EndCounter(MeasuredCall call, Function<Throwable, String> status, long timeoutNanos, long windowEnd) {
		this.call = call;
		this.status = status;
		this.timeoutNanos = timeoutNanos;
		this.windowEnd = windowEnd;
	}

	/**
	 * Count the end of a call.
	 * @param n number of the call
	 * @param before the instant before it was made
	 * @param answer the answer; null if there is none
	 * @param failed why there is none
	 */
	void end(int n, long before, @Nullable Object answer, @Nullable Throwable failed) {
		long now = System.nanoTime();
		long lateNanos = now - before - this.timeoutNanos;
		if (lateNanos > 0) {
			countLate(lateNanos);
		}
		if (failed != null || answer == null || !this.call.isRight(n, answer)) {
			this.failures.computeIfAbsent(status(failed), (word) -> new LongAdder()).increment();
		}
		else if (lateNanos > 0) {
			this.answeredLate.increment();
		}
		else {
			this.inTime.increment();
			if (now - this.windowEnd <= 0) {
				this.inWindow.increment();
			}
		}
		this.ended.increment(); // last: who sees it sees the other counters
	}

	private void countLate(long nanos) {
		this.late.increment();
		if (nanos > VERY_LATE_NANOS) {
			this.veryLate.increment();
		}
		this.latest.accumulate(nanos);
		this.lateness.get().record(nanos);
	}

	private String status(@Nullable Throwable failed) {
		if (failed == null) {
			return WRONG;
		}
		Throwable cause = failed.getCause();
		return this.status.apply((failed instanceof CompletionException && cause != null) ? cause : failed);
	}

	long ended() {
		return this.ended.sum();
	}

	Ends ends(long started, long longestPauseNanos) {
		LatencyHistogram all = new LatencyHistogram();
		this.histograms.forEach(all::add);
		Map<String, Long> failed = new TreeMap<>();
		this.failures.forEach((word, count) -> failed.put(word, count.sum()));
		return new Ends(started, this.inTime.sum(), this.inWindow.sum(), this.answeredLate.sum(),
				started - this.ended.sum(), this.late.sum(), this.veryLate.sum(),
				Math.min(all.quantile(P999), this.latest.get()), this.latest.get(), longestPauseNanos, failed);
	}

}
