package io.rpcboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that call over and over until told to stop. */
final class Load implements AutoCloseable {

	/** One call and the check of its answer. */
	interface Step {

		/**
		 * Call.
		 * @param number differs from step to step
		 */
		void run(long number) throws Exception;

	}

	/** Whether the tests run at the full length of the acceptance. */
	static final boolean LONG = Boolean.getBoolean("rpc.test.long");

	private final AtomicLong numbers = new AtomicLong();

	private final AtomicLong succeeded = new AtomicLong();

	private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

	private final CountDownLatch firstFailure = new CountDownLatch(1);

	private final List<Thread> threads = new ArrayList<>();

	private volatile boolean stopped;

	Load(int threads, Step step) {
		for (int i = 0; i < threads; i++) {
			Thread thread = new Thread(() -> repeat(step), "load-" + i);
			this.threads.add(thread);
			thread.start();
		}
	}

	private void repeat(Step step) {
		while (!this.stopped) {
			try {
				step.run(this.numbers.incrementAndGet());
				this.succeeded.incrementAndGet();
			}
			catch (Throwable ex) {
				this.failures.add(ex);
				this.firstFailure.countDown();
			}
		}
	}

	/** Wait for further good answers. */
	void awaitMore(int answers) {
		long enough = this.succeeded.get() + answers;
		Eventually.until(answers + " more calls are answered", () -> this.succeeded.get() >= enough);
	}

	/** Let it go on for a while; ends early when a call fails. */
	void goOn(Duration time) throws InterruptedException {
		this.firstFailure.await(time.toMillis(), TimeUnit.MILLISECONDS);
	}

	long succeeded() {
		return this.succeeded.get();
	}

	List<Throwable> failures() {
		return List.copyOf(this.failures);
	}

	/** Stop and wait for the calls under way. */
	void stop() {
		this.stopped = true;
		try {
			for (Thread thread : this.threads) {
				thread.join(TimeUnit.SECONDS.toMillis(30));
				if (thread.isAlive()) {
					AssertionError stuck = new AssertionError(thread.getName() + " does not end");
					stuck.setStackTrace(thread.getStackTrace());
					throw stuck;
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		stop();
	}

}
