package io.rpcboot.spring.actuate.findings;

import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Looks for what is wrong every 5 seconds, whether or not somebody asks: who is called to
 * a trouble wants to know since when it is, or that it was. Looks less often if they take
 * long, so that they never take more than a hundredth of a processor. Has a daemon thread
 * while the application runs.
 */
public final class DiagnosticScheduler implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private static final long LEAST_PAUSE_NANOS = 5_000_000_000L;

	/** Less than the gap after which what is found is new. */
	private static final long MOST_PAUSE_NANOS = 30_000_000_000L;

	/** A look may take a hundredth of the time. */
	private static final int SHARE = 100;

	private final Runnable look;

	private volatile @Nullable Thread thread;

	public DiagnosticScheduler(Runnable look) {
		this.look = look;
	}

	@Override
	public synchronized void start() {
		if (this.thread == null) {
			Thread started = new Thread(this::run, "rpc-looks");
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
				look();
			}
			took = System.nanoTime() - start;
		}
	}

	/** How long to wait after a look that took some time. */
	static long pauseNanos(long tookNanos) {
		return Math.min(MOST_PAUSE_NANOS, Math.max(LEAST_PAUSE_NANOS, SHARE * tookNanos));
	}

	private void look() {
		try {
			this.look.run();
		}
		catch (Throwable ex) { // the thread goes on whatever a look meets
			logger.debug("A look at how things stand failed; it goes on with the next", ex);
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
