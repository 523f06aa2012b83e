package io.rpcboot.benchmarks.fork;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that does nothing but wake every millisecond. How much later it wakes is how
 * long this process was held up, by the garbage collector or for want of a processor.
 */
final class Hiccups implements AutoCloseable {

	private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private final Thread thread = new Thread(this::watch, "hiccups");

	private volatile boolean closed;

	private volatile long longestNanos;

	Hiccups() {
		this.thread.setDaemon(true);
		this.thread.start();
	}

	private void watch() {
		long last = System.nanoTime();
		while (!this.closed) {
			LockSupport.parkNanos(INTERVAL_NANOS);
			long now = System.nanoTime();
			this.longestNanos = Math.max(this.longestNanos, now - last - INTERVAL_NANOS);
			last = now;
		}
	}

	/** The longest so far. */
	long longestNanos() {
		return this.longestNanos;
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
