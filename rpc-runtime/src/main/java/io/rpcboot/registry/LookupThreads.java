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
 * The threads of {@linkplain Lookup look-ups}: one for their times, and one for each that
 * is under way. All are daemons; those without work end. Thread-safe.
 */
public final class LookupThreads implements AutoCloseable {

	private static final long IDLE_SECONDS = 10;

	private final ScheduledExecutorService timer;

	private final Executor workers;

	private final LongSupplier nanoTime;

	/**
	 * Create the threads when they are needed.
	 * @param name what they are called
	 */
	public LookupThreads(String name) {
		this(timer(name + "-timer"), new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS,
				new SynchronousQueue<>(), daemons(name)), System::nanoTime);
	}

	/**
	 * Use threads of somebody else, or the hands of a test.
	 * @param timer has the times of look-ups
	 * @param workers runs look-ups, each of which may take long
	 * @param nanoTime the clock of the timer
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

	/** Begin no look-up any more, and interrupt those that are under way. */
	@Override
	public void close() {
		this.timer.shutdownNow();
		if (this.workers instanceof ExecutorService service) {
			service.shutdownNow();
		}
	}

}
