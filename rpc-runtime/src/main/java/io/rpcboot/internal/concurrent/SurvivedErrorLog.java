package io.rpcboot.internal.concurrent;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures, such as those of application code, that did not end their thread: at
 * most one line per place, class and second, with the number of failures left out. Never
 * throws. Any thread.
 */
public final class SurvivedErrorLog {

	private static final Logger logger = LoggerFactory.getLogger("rpc.engine");

	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Largest number of places and classes that have lines of their own. */
	private static final int MOST_WINDOWS = 256;

	private final LongSupplier nanoClock;

	/** Windows by place and class. */
	private final Map<String, Window> windows = new ConcurrentHashMap<>();

	private final Window others = new Window();

	/** Creates a log. */
	public SurvivedErrorLog() {
		this(System::nanoTime);
	}

	SurvivedErrorLog(LongSupplier nanoClock) {
		this.nanoClock = nanoClock;
	}

	/**
	 * Logs a failure that the calling thread has survived, or counts it.
	 * @param where what failed, a constant
	 * @param failure the failure
	 */
	public void survived(String where, Throwable failure) {
		try {
			int leftOut = window(where + " " + failure.getClass().getName()).enter(this.nanoClock.getAsLong());
			if (leftOut >= 0) {
				logger.error("{}: thread {} goes on after {}{}", where, Thread.currentThread().getName(),
						failure.toString(),
						(leftOut == 0) ? "" : " (%d more like it since the last line)".formatted(leftOut), failure);
			}
		}
		catch (Throwable ex) {
			// an appender or a failure that cannot be printed must not end the thread
		}
	}

	private Window window(String place) {
		Window own = this.windows.get(place);
		if (own != null) {
			return own;
		}
		return (this.windows.size() < MOST_WINDOWS) ? this.windows.computeIfAbsent(place, (any) -> new Window())
				: this.others;
	}

	private static final class Window {

		private boolean used;

		private long startedNanos;

		private int leftOut;

		/**
		 * Returns how many failures were left out before this one, -1 to leave it out.
		 */
		synchronized int enter(long now) {
			if (this.used && now - this.startedNanos < WINDOW_NANOS) {
				this.leftOut++;
				return -1;
			}
			this.used = true;
			this.startedNanos = now;
			int result = this.leftOut;
			this.leftOut = 0;
			return result;
		}

	}

}
