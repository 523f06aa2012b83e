package io.rpcboot.samples.quickstart;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/** Some callers that repeat one call while they may. Thread-safe. */
final class Crowd {

	private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

	private final int callers;

	private final Call call;

	private final Duration pause;

	private @Nullable ExecutorService executor;

	/**
	 * A crowd that does nothing yet.
	 * @param callers how many threads
	 * @param pause of each between two calls
	 * @param call makes a call; a caller whose call fails goes on a little later
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

	/** Let no caller begin another call; does not wait for those under way. */
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
				// the meters and the endpoint say what failed; that is the point
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
