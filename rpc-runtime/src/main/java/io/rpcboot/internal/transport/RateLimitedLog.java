package io.rpcboot.internal.transport;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * At most one line per reason and second, with the number of those left out. Any thread.
 */
public final class RateLimitedLog {

	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final int MAX_DETAIL = 1000;

	private final Logger logger;

	private final LongSupplier nanoClock;

	private final Map<String, Window> windows = new ConcurrentHashMap<>();

	/**
	 * Create a log.
	 * @param owner names the logger
	 * @param nanoClock the time in nanoseconds
	 */
	public RateLimitedLog(Class<?> owner, LongSupplier nanoClock) {
		this.logger = LoggerFactory.getLogger(owner);
		this.nanoClock = nanoClock;
	}

	/**
	 * Log a warning, or count it.
	 * @param reason one of a small fixed set
	 * @param detail what happened
	 * @return whether a line was written
	 */
	public boolean warn(String reason, String detail) {
		return warn(reason, () -> detail, null);
	}

	/**
	 * Log a warning, or count it.
	 * @param reason one of a small fixed set
	 * @param detail what happened, asked for only if a line is written
	 * @return whether a line was written
	 */
	public boolean warn(String reason, Supplier<String> detail) {
		return warn(reason, detail, null);
	}

	/**
	 * Log a warning with its cause, or count it.
	 * @param reason one of a small fixed set
	 * @param detail what happened
	 * @param cause logged with its stack trace, null for none
	 * @return whether a line was written
	 */
	public boolean warn(String reason, String detail, @Nullable Throwable cause) {
		return warn(reason, () -> detail, cause);
	}

	private boolean warn(String reason, Supplier<String> detail, @Nullable Throwable cause) {
		long now = this.nanoClock.getAsLong();
		int leftOut = this.windows.computeIfAbsent(reason, (key) -> new Window(now - WINDOW_NANOS)).enter(now);
		if (leftOut < 0) {
			return false;
		}
		String more = (leftOut == 0) ? "" : " (%d more like it since the last line)".formatted(leftOut);
		this.logger.warn("{}: {}{}", reason, printable(detail.get()), more, cause);
		return true;
	}

	/** What a peer has chosen neither breaks lines nor fills the disk. */
	private static String printable(String detail) {
		String cut = (detail.length() <= MAX_DETAIL) ? detail : detail.substring(0, MAX_DETAIL) + "...";
		return cut.replaceAll("\\p{Cntrl}", "?");
	}

	private static final class Window {

		private long startedNanos;

		private int leftOut;

		Window(long startedNanos) {
			this.startedNanos = startedNanos;
		}

		synchronized int enter(long now) {
			if (now - this.startedNanos < WINDOW_NANOS) {
				this.leftOut++;
				return -1;
			}
			this.startedNanos = now;
			int result = this.leftOut;
			this.leftOut = 0;
			return result;
		}

	}

}
