package io.rpcboot.registry.snapshot;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does one thing after the other, on a thread that may block. */
interface Worker {

	/** Nothing happens if it was finished. */
	void schedule(Runnable task, Duration delay);

	/** A last thing to do, waited for within bounds; what is scheduled is not done. */
	void finish(Runnable last);

	/** On the daemon thread {@code rpc-registry-snapshot}. */
	static Worker onItsOwnThread() {
		return new OwnThread();
	}

	/** With a real thread and real time. */
	final class OwnThread implements Worker {

		private static final Logger log = LoggerFactory.getLogger("rpc.registry");

		private static final long LONGEST_WAIT_MILLIS = 2_000;

		private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "rpc-registry-snapshot");
			thread.setDaemon(true);
			return thread;
		});

		private OwnThread() {
			this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		}

		@Override
		public void schedule(Runnable task, Duration delay) {
			try {
				this.executor.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (RejectedExecutionException ignored) {
				// finished meanwhile
			}
		}

		private static void run(Runnable task) {
			try {
				task.run();
			}
			catch (Throwable ex) {
				log.warn("Snapshot of the registry: unexpected failure", ex);
			}
		}

		@Override
		public void finish(Runnable last) {
			try {
				this.executor.submit(() -> run(last)).get(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			catch (RejectedExecutionException | ExecutionException | TimeoutException ignored) {
				// a disk that hangs: the file from before stays
			}
			this.executor.shutdown();
		}

	}

}
