package io.rpcboot.benchmarks.flat;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Single calls at a steady rate, also while others are slow, and their latencies. */
final class SingleCalls {

	/** Time from one call to the next: 1,000 a second. */
	private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final int BYTES = 128;

	private final Feed remote;

	private final long[] nanos;

	private final AtomicInteger done = new AtomicInteger();

	private final AtomicInteger failed = new AtomicInteger();

	private final Thread thread = new Thread(this::run, "single-calls");

	private volatile boolean over;

	/**
	 * Begins.
	 * @param seconds longest time
	 */
	SingleCalls(Feed remote, int seconds) {
		this.remote = remote;
		this.nanos = new long[2 * seconds * 1000 + 10_000];
		this.thread.start();
	}

	private void run() {
		byte[] bytes = new byte[BYTES];
		long next = System.nanoTime();
		while (!this.over) {
			long due = next;
			this.remote.echo(bytes).whenComplete((reply, ex) -> {
				int index = this.done.getAndIncrement();
				if (ex != null) {
					this.failed.incrementAndGet();
				}
				if (index < this.nanos.length) { // from the time at which it was due
					this.nanos[index] = System.nanoTime() - due;
				}
			});
			next += PERIOD_NANOS;
			while (System.nanoTime() < next) {
				LockSupport.parkNanos(next - System.nanoTime());
			}
		}
	}

	/** Ends, and returns the latency of 99 of 100 calls in microseconds. */
	double p99() throws InterruptedException {
		this.over = true;
		this.thread.join();
		if (this.failed.get() > 0) {
			throw new IllegalStateException("single calls that failed: " + this.failed);
		}
		int count = Math.min(this.done.get(), this.nanos.length);
		long[] sorted = Arrays.copyOf(this.nanos, count);
		Arrays.sort(sorted);
		return sorted[(int) (count * 0.99)] / 1e3;
	}

}
