package io.rpcboot.registry;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Threads of {@linkplain Lookup look-ups}: one for the timer, and one for each running
 * look-up. All are daemon threads, and idle threads end after 10 s. Thread-safe.
 *
 * @since 0.1.0
 */
public final class LookupThreads implements AutoCloseable {

	private static final long IDLE_SECONDS = 10;

	private final ScheduledExecutorService timer;

	private final Executor workers;

	private final LongSupplier nanoTime;

	/**
	 * Creates threads that start when they are needed.
	 * @param name name of the threads
	 */
	public LookupThreads(String name) {
		this(timer(name + "-timer"), new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS,
				new SynchronousQueue<>(), daemons(name)), System::nanoTime);
	}

	/**
	 * Uses existing threads, or executors that a test drives.
	 * @param timer starts look-ups at their times
	 * @param workers runs look-ups, which may block
	 * @param nanoTime the clock of the timer, in nanoseconds
	 */
	public LookupThreads(ScheduledExecutorService timer, Executor workers, LongSupplier nanoTime) {
		this.timer = timer;
		this.workers = workers;
		this.nanoTime = nanoTime;
	}

	private static ScheduledExecutorService timer(String name) {
		ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, daemons(name));
		timer.setRemoveOnCancelPolicy(true);
		timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
		timer.allowCoreThreadTimeOut(true);
		return timer;
	}

	private static ThreadFactory daemons(String name) {
		return (task) -> {
			Thread thread = new Thread(task, name);
			thread.setDaemon(true);
			return thread;
		};
	}

	ScheduledExecutorService timer() {
		return this.timer;
	}

	Executor workers() {
		return this.workers;
	}

	long now() {
		return this.nanoTime.getAsLong();
	}

	/** Starts no further look-up and interrupts the running ones. */
	@Override
	public void close() {
		this.timer.shutdownNow();
		if (this.workers instanceof ExecutorService service) {
			service.shutdownNow();
		}
	}

}
