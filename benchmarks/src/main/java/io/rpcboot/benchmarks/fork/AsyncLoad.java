package io.rpcboot.benchmarks.fork;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;
import org.jspecify.annotations.Nullable;

/**
 * One thread that keeps a fixed number of calls in flight. The latency of a call runs
 * from before it is made until its future is completed.
 */
final class AsyncLoad implements Load {

	private final int inFlight;

	AsyncLoad(int inFlight) {
		this.inFlight = inFlight;
	}

	@Override
	public Slice run(BenchService service, BenchCall call, long nanos) throws Exception {
		Run run = new Run(call, this.inFlight);
		ProcessCounters start = ProcessCounters.atStart();
		long startNanos = System.nanoTime();
		run.callUntil(startNanos + nanos, service);
		run.awaitAll(this.inFlight);
		long elapsed = System.nanoTime() - startNanos;
		ProcessCounters used = ProcessCounters.atEnd().since(start);
		LatencyHistogram all = run.histogram();
		return new Slice(all.count(), elapsed, all.quantile(0.5), all.quantile(0.99), used);
	}

	private static final class Run {

		private final BenchCall call;

		private final Semaphore window;

		private final Queue<LatencyHistogram> histograms = new ConcurrentLinkedQueue<>();

		/** Futures may be completed by many threads; each counts for itself. */
		private final ThreadLocal<LatencyHistogram> histogram = ThreadLocal.withInitial(() -> {
			LatencyHistogram created = new LatencyHistogram();
			this.histograms.add(created);
			return created;
		});

		private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

		Run(BenchCall call, int inFlight) {
			this.call = call;
			this.window = new Semaphore(inFlight);
		}

		void callUntil(long end, BenchService service) throws Exception {
			int n = 0;
			while (this.failure.get() == null) {
				acquire(1);
				long before = System.nanoTime();
				if (before - end >= 0) {
					this.window.release();
					return;
				}
				int number = n;
				this.call.invokeAsync(service, number)
					.whenComplete((answer, failed) -> complete(number, before, answer, failed));
				n = (n + 1) & Integer.MAX_VALUE;
			}
		}

		private void complete(int n, long before, @Nullable Object answer, @Nullable Throwable failed) {
			if (failed != null) {
				this.failure.compareAndSet(null, failed);
			}
			else if (answer == null || !this.call.isRight(n, answer)) {
				this.failure.compareAndSet(null,
						new IllegalStateException(this.call.label() + " " + n + ": wrong answer " + answer));
			}
			else {
				this.histogram.get().record(System.nanoTime() - before);
			}
			this.window.release();
		}

		void awaitAll(int inFlight) throws Exception {
			acquire(inFlight);
			Throwable cause = this.failure.get();
			if (cause != null) {
				throw new IllegalStateException(cause.toString(), cause);
			}
		}

		private void acquire(int permits) throws Exception {
			if (this.window.tryAcquire(permits)) {
				return;
			}
			if (!this.window.tryAcquire(permits, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				throw new TimeoutException("no answer for " + PATIENCE_SECONDS + " seconds");
			}
		}

		LatencyHistogram histogram() {
			LatencyHistogram all = new LatencyHistogram();
			this.histograms.forEach(all::add);
			return all;
		}

	}

}
