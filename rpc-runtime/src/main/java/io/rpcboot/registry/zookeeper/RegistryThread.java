package io.rpcboot.registry.zookeeper;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Daemon thread of a registry. Any thread may call. */
final class RegistryThread {

	private static final Logger log = LoggerFactory.getLogger("rpc.registry.zookeeper");

	private static final long LONGEST_WAIT_MILLIS = 2_000;

	private final ScheduledThreadPoolExecutor executor;

	private final Supplier<String> registry;

	private final Consumer<Throwable> failures;

	private volatile @Nullable Thread thread;

	/**
	 * Creates the executor; the thread starts with the first task.
	 * @param registry returns the description of the registry
	 * @param failures receives the exceptions of tasks
	 */
	RegistryThread(Supplier<String> registry, Consumer<Throwable> failures) {
		this.registry = registry;
		this.failures = failures;
		this.executor = new ScheduledThreadPoolExecutor(1, this::newThread, RegistryThread::cancel);
		this.executor.setRemoveOnCancelPolicy(true);
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
	}

	/** Runs a task after the earlier tasks; no effect after {@link #shutdown()}. */
	void execute(Runnable task) {
		this.executor.execute(guarded(task));
	}

	/** Runs a task and waits for it, at most 2 s; no effect after {@link #shutdown()}. */
	void run(Runnable task) {
		if (Thread.currentThread() == this.thread) {
			guarded(task).run();
			return;
		}
		try {
			this.executor.submit(guarded(task)).get(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (CancellationException ignored) {
			// shut down
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (TimeoutException ex) {
			log.warn("Registry {} did not answer within {} ms; its instances expire with the session timeout",
					this.registry.get(), LONGEST_WAIT_MILLIS);
		}
		catch (ExecutionException ex) {
			this.failures.accept(ex);
		}
	}

	/** Schedules a task; no effect after {@link #shutdown()}. */
	ScheduledFuture<?> schedule(Runnable task, long delayNanos) {
		return this.executor.schedule(guarded(task), delayNanos, TimeUnit.NANOSECONDS);
	}

	/**
	 * Runs a task at once and again after each pause, until it is cancelled; no effect
	 * after {@link #shutdown()}.
	 */
	ScheduledFuture<?> repeat(Runnable task, long pauseNanos) {
		return this.executor.scheduleWithFixedDelay(guarded(task), 0, pauseNanos, TimeUnit.NANOSECONDS);
	}

	/** Ends the thread after the running task. Scheduled tasks are dropped. */
	void shutdown() {
		this.executor.shutdown();
	}

	private Runnable guarded(Runnable task) {
		return () -> {
			try {
				task.run();
			}
			catch (Throwable ex) {
				this.failures.accept(ex);
			}
		};
	}

	/** Cancels a task that came after the shutdown. */
	private static void cancel(Runnable task, ThreadPoolExecutor executor) {
		((Future<?>) task).cancel(false);
	}

	private Thread newThread(Runnable task) {
		Thread created = daemon(task, "rpc-registry-zookeeper");
		this.thread = created;
		return created;
	}

	static Thread daemon(Runnable task, String name) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		return thread;
	}

}
