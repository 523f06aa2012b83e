package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/** Threads that do the same thing over and over until they are closed. */
public final class LoopingThreads implements AutoCloseable {

	private final List<Thread> threads = new ArrayList<>();

	private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

	private volatile boolean closed;

	/**
	 * Start them.
	 * @param count number of threads
	 * @param task what each does
	 */
	public LoopingThreads(int count, Runnable task) {
		for (int i = 0; i < count; i++) {
			Thread thread = new Thread(() -> loop(task), "caller-" + i);
			thread.setDaemon(true);
			this.threads.add(thread);
		}
		this.threads.forEach(Thread::start);
	}

	private void loop(Runnable task) {
		try {
			while (!this.closed) {
				task.run();
			}
		}
		catch (Throwable ex) {
			this.failure.compareAndSet(null, ex);
		}
	}

	/**
	 * Wait while they go on.
	 * @param millis for how long
	 * @throws InterruptedException if the calling thread is interrupted
	 */
	public void goOn(long millis) throws InterruptedException {
		TimeUnit.MILLISECONDS.sleep(millis);
	}

	/**
	 * Let each end what it does.
	 * @throws IllegalStateException if one of them has failed
	 */
	@Override
	public void close() {
		this.closed = true;
		try {
			for (Thread thread : this.threads) {
				thread.join();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		Throwable thrown = this.failure.get();
		if (thrown != null) {
			throw new IllegalStateException("a caller has failed", thrown);
		}
	}

}
