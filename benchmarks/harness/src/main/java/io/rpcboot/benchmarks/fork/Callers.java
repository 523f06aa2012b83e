package io.rpcboot.benchmarks.fork;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * Threads that begin together. They end only after the counters were read, because a
 * thread takes its counters along.
 */
final class Callers {

	private final int count;

	private final boolean virtual;

	private final LatencyHistogram[] histograms;

	Callers(int count, boolean virtual) {
		this.count = count;
		this.virtual = virtual;
		this.histograms = new LatencyHistogram[count];
		for (int i = 0; i < count; i++) {
			this.histograms[i] = new LatencyHistogram();
		}
	}

	/** What one caller does. */
	interface Body {

		/**
		 * Make all calls of one caller.
		 * @param caller its number, from 0
		 * @param startNanos when all callers began
		 * @param histogram where its latencies go
		 * @throws Exception if a call failed or was answered wrongly
		 */
		void call(int caller, long startNanos, LatencyHistogram histogram) throws Exception;

	}

	/** What is to be done before the time is taken, for answers that nobody waits for. */
	interface Ending {

		/**
		 * Wait.
		 * @throws Exception if a call failed or was answered wrongly
		 */
		void await() throws Exception;

	}

	/**
	 * Run all of them.
	 * @param nanos how long they will take at most, without the answers that are missing
	 * @param body what each does
	 * @param ending awaited after the last of them
	 * @return what was measured
	 * @throws Exception the first failure of any
	 */
	Slice run(long nanos, Body body, Ending ending) throws Exception {
		CountDownLatch ready = new CountDownLatch(this.count);
		CountDownLatch go = new CountDownLatch(1);
		CountDownLatch done = new CountDownLatch(this.count);
		CountDownLatch counted = new CountDownLatch(1);
		AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
		for (int i = 0; i < this.count; i++) {
			int caller = i;
			start(() -> {
				ready.countDown();
				try {
					go.await();
					body.call(caller, System.nanoTime(), this.histograms[caller]);
				}
				catch (Throwable ex) {
					failure.compareAndSet(null, ex);
				}
				done.countDown();
				awaitQuietly(counted);
			});
		}
		ready.await();
		ProcessCounters start = ProcessCounters.atStart();
		long startNanos = System.nanoTime();
		go.countDown();
		try {
			if (!done.await(nanos + TimeUnit.SECONDS.toNanos(Load.PATIENCE_SECONDS), TimeUnit.NANOSECONDS)) {
				throw new TimeoutException(done.getCount() + " callers still wait for an answer");
			}
			Throwable cause = failure.get();
			if (cause != null) {
				throw new IllegalStateException(cause.toString(), cause);
			}
			ending.await();
			long elapsed = System.nanoTime() - startNanos;
			return Slice.of(elapsed, sum(), ProcessCounters.atEnd().since(start));
		}
		finally {
			counted.countDown();
		}
	}

	private LatencyHistogram sum() {
		LatencyHistogram all = new LatencyHistogram();
		for (LatencyHistogram histogram : this.histograms) {
			all.add(histogram);
		}
		return all;
	}

	private void start(Runnable body) {
		if (this.virtual) {
			startVirtual(body);
			return;
		}
		Thread thread = new Thread(body, "caller");
		thread.setDaemon(true);
		thread.start();
	}

	/** By name: this is compiled for Java 17. */
	private static void startVirtual(Runnable body) {
		try {
			Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
		}
		catch (NoSuchMethodException | IllegalAccessException ex) {
			throw new IllegalStateException(
					"virtual threads: Java " + Runtime.version().feature() + " (expected: 21 or later, see --java)",
					ex);
		}
		catch (InvocationTargetException ex) {
			throw new IllegalStateException(ex.getCause());
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
