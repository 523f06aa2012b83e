package io.rpcboot.samples.quickstart.consumer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongPredicate;

/**
 * Load by several threads, each with one call at a time.
 *
 * @param threads number of threads
 * @param time duration
 * @param calls completed calls
 * @param wrong failed calls and wrong results
 * @param failure the first failure, empty for none
 * @param p50 median latency
 * @param p99 99th percentile of latency
 */
public record Load(int threads, Duration time, long calls, long wrong, String failure, Duration p50, Duration p99) {

	/**
	 * Calls from several threads. Blocks until all are done.
	 * @param threads number of threads
	 * @param time duration
	 * @param call makes the call with the given number; returns true for the right result
	 * @return the measured load
	 * @throws InterruptedException if this thread is interrupted
	 */
	public static Load run(int threads, Duration time, LongPredicate call) throws InterruptedException {
		long start = System.nanoTime();
		long end = start + time.toNanos();
		List<Callable<Caller>> callers = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			Caller caller = new Caller(call);
			callers.add(() -> caller.callUntil(end));
		}
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<Caller> done = new ArrayList<>();
			for (Future<Caller> future : executor.invokeAll(callers)) {
				done.add(future.get());
			}
			return summary(done, Duration.ofNanos(System.nanoTime() - start));
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
		finally {
			executor.shutdown();
		}
	}

	private static Load summary(List<Caller> callers, Duration time) {
		long[] nanos = callers.stream()
			.flatMapToLong((caller) -> Arrays.stream(caller.nanos, 0, caller.calls))
			.sorted()
			.toArray();
		long wrong = callers.stream().mapToLong((caller) -> caller.wrong).sum();
		String failure = callers.stream()
			.map((caller) -> caller.failure)
			.filter((text) -> !text.isEmpty())
			.findFirst()
			.orElse("");
		return new Load(callers.size(), time, nanos.length, wrong, failure, percentile(nanos, 0.5),
				percentile(nanos, 0.99));
	}

	private static Duration percentile(long[] sorted, double share) {
		int rank = (int) Math.ceil(share * sorted.length);
		return (sorted.length == 0) ? Duration.ZERO : Duration.ofNanos(sorted[Math.max(0, rank - 1)]);
	}

	/**
	 * Returns the throughput.
	 * @return calls per second
	 */
	public long callsPerSecond() {
		return Math.round(this.calls * 1e9 / this.time.toNanos());
	}

	@Override
	public String toString() {
		String text = "%,d calls/s, p50 %.2f ms, p99 %.2f ms (%d threads, %.1f s)".formatted(callsPerSecond(),
				this.p50.toNanos() / 1e6, this.p99.toNanos() / 1e6, this.threads, this.time.toNanos() / 1e9);
		return (this.wrong == 0) ? text
				: text + ", %,d of %,d WRONG %s".formatted(this.wrong, this.calls, this.failure);
	}

	private static final class Caller {

		private final LongPredicate call;

		private long[] nanos = new long[4096];

		private int calls;

		private long wrong;

		private String failure = "";

		private Caller(LongPredicate call) {
			this.call = call;
		}

		private Caller callUntil(long end) {
			for (long now = System.nanoTime(); now < end;) {
				if (!isRight()) {
					this.wrong++;
				}
				long after = System.nanoTime();
				add(after - now);
				now = after;
			}
			return this;
		}

		private boolean isRight() {
			try {
				return this.call.test(this.calls);
			}
			catch (RuntimeException ex) {
				this.failure = this.failure.isEmpty() ? ex.toString() : this.failure;
				return false;
			}
		}

		private void add(long duration) {
			if (this.calls == this.nanos.length) {
				this.nanos = Arrays.copyOf(this.nanos, 2 * this.calls);
			}
			this.nanos[this.calls++] = duration;
		}

	}

}
