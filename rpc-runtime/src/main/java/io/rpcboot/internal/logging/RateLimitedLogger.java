package io.rpcboot.internal.logging;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.rpcboot.internal.text.PrintableText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A logger with at most one line per reason, kind and second; each line has the number of
 * lines left out before it. The first line of a kind is always logged; further ones of
 * all kinds share {@value #MOST_LINES} lines per second. Any thread.
 */
public final class RateLimitedLogger {

	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final int MAX_DETAIL = 1000;

	/** Lines per second of all kinds that have had a line before. */
	private static final int MOST_LINES = 20;

	private final Logger logger;

	private final LongSupplier nanoClock;

	private final Map<Object, Window> windows = new ConcurrentHashMap<>();

	private final Lines lines = new Lines();

	/**
	 * Creates a logger.
	 * @param category names the logger
	 * @param nanoClock the time in nanoseconds
	 */
	public RateLimitedLogger(String category, LongSupplier nanoClock) {
		this.logger = LoggerFactory.getLogger(category);
		this.nanoClock = nanoClock;
	}

	/**
	 * Logs a warning, or counts it.
	 * @param reason one of a small fixed set
	 * @param detail what happened
	 * @return true if a line was logged
	 */
	public boolean warn(String reason, String detail) {
		return write(reason, reason, () -> detail, null);
	}

	/**
	 * Logs a warning, or counts it.
	 * @param reason one of a small fixed set
	 * @param detail what happened; called only for a line that is logged
	 * @return true if a line was logged
	 */
	public boolean warn(String reason, Supplier<String> detail) {
		return write(reason, reason, detail, null);
	}

	/**
	 * Logs a warning of a kind, or counts it.
	 * @param reason one of a small fixed set
	 * @param kind identity of lines that share a window, by {@code equals}. Kinds are
	 * kept for ever, so peers must not choose their number
	 * @param detail what happened; called only for a line that is logged
	 * @param cause logged with its stack trace, null for none
	 * @return true if a line was logged
	 */
	public boolean warn(String reason, Object kind, Supplier<String> detail, @Nullable Throwable cause) {
		return write(new Key(reason, kind), reason, detail, cause);
	}

	private boolean write(Object key, String reason, Supplier<String> detail, @Nullable Throwable cause) {
		long now = this.nanoClock.getAsLong();
		Window window = this.windows.get(key);
		if (window == null) {
			window = this.windows.computeIfAbsent(key, (any) -> new Window(now - WINDOW_NANOS));
		}
		int leftOut = window.enter(now, (key != reason) ? this.lines : null);
		if (leftOut < 0) {
			return false;
		}
		String more = (leftOut == 0) ? "" : " (%d more like it since the last line)".formatted(leftOut);
		this.logger.warn("{}: {}{}", reason, PrintableText.of(detail.get(), MAX_DETAIL), more, cause);
		return true;
	}

	/** Key of a window. */
	private record Key(String reason, Object kind) {
	}

	/** Counts the lines of the current second. */
	private static final class Lines {

		private long startedNanos;

		private int written;

		synchronized boolean admit(long now) {
			if (this.written == 0 || now - this.startedNanos >= WINDOW_NANOS) {
				this.startedNanos = now;
				this.written = 0;
			}
			return this.written++ < MOST_LINES;
		}

	}

	private static final class Window {

		private long startedNanos;

		private boolean used;

		private int leftOut;

		Window(long startedNanos) {
			this.startedNanos = startedNanos;
		}

		/**
		 * Returns how many lines were left out before this one, -1 to leave it out.
		 * @param shared also limits lines after the first one, null for no such limit
		 */
		synchronized int enter(long now, @Nullable Lines shared) {
			boolean late = now - this.startedNanos >= WINDOW_NANOS;
			if (!late || (this.used && shared != null && !shared.admit(now))) {
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
