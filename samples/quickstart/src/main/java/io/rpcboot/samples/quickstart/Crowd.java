package io.rpcboot.samples.quickstart;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/** Threads that repeat one call. Thread-safe. */
final class Crowd {

	private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

	private final int callers;

	private final Call call;

	private final Duration pause;

	private @Nullable ExecutorService executor;

	/**
	 * Creates a crowd that is not started.
	 * @param callers number of threads
	 * @param pause pause of a thread between two calls
	 * @param call makes a call; after a failure the thread continues after a pause
	 */
	Crowd(int callers, Duration pause, Call call) {
		this.callers = callers;
		this.pause = pause;
		this.call = call;
	}

	synchronized void begin() {
		ExecutorService started = Executors.newFixedThreadPool(this.callers, Crowd::thread);
		for (int i = 0; i < this.callers; i++) {
			started.execute(() -> callUntilShutdown(started));
		}
		this.executor = started;
	}

	/** Stops further calls. Does not wait for pending calls. */
	synchronized void end() {
		if (this.executor != null) {
			this.executor.shutdownNow();
			this.executor = null;
		}
	}

	private void callUntilShutdown(ExecutorService own) {
		while (!own.isShutdown()) {
			try {
				this.call.make();
				if (!this.pause.isZero()) {
					LockSupport.parkNanos(this.pause.toNanos());
				}
			}
			catch (Exception ex) {
				// meters and endpoint show the failure
				LockSupport.parkNanos(PAUSE_NANOS);
			}
		}
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(task, "quickstart-crowd");
		thread.setDaemon(true);
		return thread;
	}

	/** A call. */
	@FunctionalInterface
	interface Call {

		void make() throws Exception;

	}

}
