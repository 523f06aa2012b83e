package io.rpcboot.benchmarks.fork;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;
import org.jspecify.annotations.Nullable;

/**
 * Threads that call, wait, and call again. They end only after the counters were read,
 * because a thread takes its counters along.
 */
final class BlockingLoad implements Load {

	/** Callers start this far apart, so that they do not send equal arguments. */
	private static final int STRIDE = 1 << 16;

	private final int threads;

	BlockingLoad(int threads) {
		this.threads = threads;
	}

	@Override
	public Slice run(BenchService service, BenchCall call, long nanos) throws Exception {
		CountDownLatch ready = new CountDownLatch(this.threads);
		CountDownLatch go = new CountDownLatch(1);
		CountDownLatch done = new CountDownLatch(this.threads);
		CountDownLatch counted = new CountDownLatch(1);
		AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
		LatencyHistogram[] histograms = new LatencyHistogram[this.threads];
		for (int i = 0; i < this.threads; i++) {
			LatencyHistogram histogram = new LatencyHistogram();
			histograms[i] = histogram;
			int first = i * STRIDE;
			Thread caller = new Thread(() -> {
				ready.countDown();
				try {
					go.await();
					callUntil(System.nanoTime() + nanos, service, call, first, histogram);
				}
				catch (Throwable ex) {
					failure.compareAndSet(null, ex);
				}
				done.countDown();
				awaitQuietly(counted);
			}, "caller-" + i);
			caller.setDaemon(true);
			caller.start();
		}
		ready.await();
		ProcessCounters start = ProcessCounters.atStart();
		long startNanos = System.nanoTime();
		go.countDown();
		boolean complete = done.await(nanos + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS), TimeUnit.NANOSECONDS);
		long elapsed = System.nanoTime() - startNanos;
		ProcessCounters used = ProcessCounters.atEnd().since(start);
		counted.countDown();
		Throwable cause = failure.get();
		if (cause != null) {
			throw new IllegalStateException(cause.toString(), cause);
		}
		if (!complete) {
			throw new TimeoutException(done.getCount() + " callers still wait for an answer");
		}
		LatencyHistogram all = new LatencyHistogram();
		for (LatencyHistogram histogram : histograms) {
			all.add(histogram);
		}
		return new Slice(all.count(), elapsed, all.quantile(0.5), all.quantile(0.99), used);
	}

	private static void callUntil(long end, BenchService service, BenchCall call, int first,
			LatencyHistogram histogram) {
		int n = first;
		long before = System.nanoTime();
		while (before - end < 0) {
			Object answer = call.invoke(service, n);
			long after = System.nanoTime();
			if (!call.isRight(n, answer)) {
				throw new IllegalStateException(call.label() + " " + n + ": wrong answer " + answer);
			}
			histogram.record(after - before);
			n = (n + 1) & Integer.MAX_VALUE;
			before = after;
		}
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
