package io.rpcboot.benchmarks.fork;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.MeasuredCall;
import org.jspecify.annotations.Nullable;

/**
 * Threads that do not wait; together they keep a number of calls in flight. The latency
 * of a call runs from before it is made, or from when it had to be made, until its future
 * is completed.
 */
final class AsyncLoad implements Load {

	private final LoadSpec spec;

	AsyncLoad(LoadSpec spec) {
		this.spec = spec;
	}

	@Override
	public Slice run(List<BenchService> services, MeasuredCall call, long nanos) throws Exception {
		Answers answers = new Answers(call);
		List<Caller> windows = new ArrayList<>();
		for (int i = 0; i < this.spec.callers(); i++) {
			windows.add(
					new Caller(answers, services.get(i % services.size()), this.spec.inFlight() / this.spec.callers()));
		}
		Slice slice = new Callers(this.spec.callers(),
				false)
			.run(nanos, (caller, start, histogram) -> windows.get(caller)
				.callUntil(start + nanos, Pace.of(this.spec, caller, start)), () -> awaitAll(windows, answers));
		return slice.withLatencies(answers.histogram());
	}

	private static void awaitAll(List<Caller> windows, Answers answers) throws Exception {
		for (Caller window : windows) {
			window.awaitAll();
		}
		Throwable cause = answers.failure.get();
		if (cause != null) {
			throw new IllegalStateException(cause.toString(), cause);
		}
	}

	/** Checks and counts what comes back, on whatever thread that is. */
	private static final class Answers {

		private final MeasuredCall call;

		private final Queue<LatencyHistogram> histograms = new ConcurrentLinkedQueue<>();

		/** Futures may be completed by many threads; each counts for itself. */
		private final ThreadLocal<LatencyHistogram> histogram = ThreadLocal.withInitial(() -> {
			LatencyHistogram created = new LatencyHistogram();
			this.histograms.add(created);
			return created;
		});

		private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

		Answers(MeasuredCall call) {
			this.call = call;
		}

		void complete(int n, long before, @Nullable Object answer, @Nullable Throwable failed) {
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
		}

		LatencyHistogram histogram() {
			LatencyHistogram all = new LatencyHistogram();
			this.histograms.forEach(all::add);
			return all;
		}

	}

	/** One thread and its share of the calls in flight. */
	private static final class Caller {

		private final Answers answers;

		private final BenchService service;

		private final Semaphore window;

		private final int inFlight;

		Caller(Answers answers, BenchService service, int inFlight) {
			this.answers = answers;
			this.service = service;
			this.inFlight = inFlight;
			this.window = new Semaphore(inFlight);
		}

		void callUntil(long end, Pace pace) throws Exception {
			int n = 0;
			while (this.answers.failure.get() == null) {
				acquire(1);
				long before = pace.awaitNext(System.nanoTime());
				if (before - end >= 0) {
					this.window.release();
					return;
				}
				int number = n;
				this.answers.call.invokeAsync(this.service, number).whenComplete((answer, failed) -> {
					this.answers.complete(number, before, answer, failed);
					this.window.release();
				});
				n = (n + 1) & Integer.MAX_VALUE;
			}
		}

		void awaitAll() throws Exception {
			acquire(this.inFlight);
		}

		private void acquire(int permits) throws Exception {
			if (this.window.tryAcquire(permits)) {
				return;
			}
			if (!this.window.tryAcquire(permits, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				throw new TimeoutException("no answer for " + PATIENCE_SECONDS + " seconds");
			}
		}

	}

}
