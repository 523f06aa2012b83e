package io.rpcboot.spring.actuate.findings;

import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Runs the checks every 5 seconds, so that each finding has a start time and recent
 * findings stay visible. If checks are slow, the pause grows to 100 times their duration,
 * at most 30 seconds. Uses a daemon thread while the application runs.
 *
 * @since 0.1.0
 */
public final class DiagnosticScheduler implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private static final long LEAST_PAUSE_NANOS = 5_000_000_000L;

	/**
	 * Longest pause: less than {@link FindingHistory#GAP}, after which a finding counts
	 * as new.
	 */
	private static final long MOST_PAUSE_NANOS = 30_000_000_000L;

	/**
	 * Least pause as a multiple of the duration of a run: the thread is busy for at most
	 * 1 % of the time. The longest pause limits this: a run of more than 300 ms takes a
	 * larger share.
	 */
	private static final int SHARE = 100;

	private final Runnable checks;

	private volatile @Nullable Thread thread;

	public DiagnosticScheduler(Runnable checks) {
		this.checks = checks;
	}

	@Override
	public synchronized void start() {
		if (this.thread == null) {
			Thread started = new Thread(this::run, "rpc-findings");
			started.setDaemon(true);
			this.thread = started;
			started.start();
		}
	}

	private void run() {
		Thread own = Thread.currentThread();
		long took = 0;
		while (this.thread == own) {
			long until = System.nanoTime() + pauseNanos(took);
			for (long left = pauseNanos(took); left > 0 && this.thread == own; left = until - System.nanoTime()) {
				LockSupport.parkNanos(this, left);
				Thread.interrupted();
			}
			long start = System.nanoTime();
			if (this.thread == own) {
				check();
			}
			took = System.nanoTime() - start;
		}
	}

	/**
	 * Returns the pause after a run: {@code SHARE * tookNanos}, within the two limits.
	 */
	static long pauseNanos(long tookNanos) {
		return Math.min(MOST_PAUSE_NANOS, Math.max(LEAST_PAUSE_NANOS, SHARE * tookNanos));
	}

	private void check() {
		try {
			this.checks.run();
		}
		catch (Throwable ex) { // the thread continues after any failure of a check
			logger.debug("Diagnosis failed; the next run follows", ex);
		}
	}

	@Override
	public synchronized void stop() {
		Thread ended = this.thread;
		this.thread = null;
		LockSupport.unpark(ended);
	}

	@Override
	public boolean isRunning() {
		return this.thread != null;
	}

}
