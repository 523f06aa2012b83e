package io.rpcboot.internal.logging;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * At most one line per reason, kind and second, with the number of those left out. The
 * first of each kind is always written; after it, the kinds of a log share
 * {@value #MOST_LINES} lines in a second. Any thread.
 */
public final class RateLimitedLogger {

	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final int MAX_DETAIL = 1000;

	/** In a second, of kinds that have had a line before. */
	private static final int MOST_LINES = 20;

	private final Logger logger;

	private final LongSupplier nanoClock;

	private final Map<Object, Window> windows = new ConcurrentHashMap<>();

	private final Lines lines = new Lines();

	/**
	 * Create a log.
	 * @param category names the logger
	 * @param nanoClock the time in nanoseconds
	 */
	public RateLimitedLogger(String category, LongSupplier nanoClock) {
		this.logger = LoggerFactory.getLogger(category);
		this.nanoClock = nanoClock;
	}

	/**
	 * Log a warning, or count it.
	 * @param reason one of a small fixed set
	 * @param detail what happened
	 * @return whether a line was written
	 */
	public boolean warn(String reason, String detail) {
		return write(reason, reason, () -> detail, null);
	}

	/**
	 * Log a warning, or count it.
	 * @param reason one of a small fixed set
	 * @param detail what happened, asked for only if a line is written
	 * @return whether a line was written
	 */
	public boolean warn(String reason, Supplier<String> detail) {
		return write(reason, reason, detail, null);
	}

	/**
	 * Log a warning of a kind, or count it: what is of another kind hides it never.
	 * @param reason one of a small fixed set
	 * @param kind what the lines that count each other have in common, with value
	 * equality. A window is kept for each kind: peers must not choose their number
	 * @param detail what happened, asked for only if a line is written
	 * @param cause logged with its stack trace, null for none
	 * @return whether a line was written
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
		this.logger.warn("{}: {}{}", reason, printable(detail.get()), more, cause);
		return true;
	}

	/** What a peer has chosen neither breaks lines nor fills the disk. */
	private static String printable(String detail) {
		String cut = (detail.length() <= MAX_DETAIL) ? detail : detail.substring(0, MAX_DETAIL) + "...";
		return cut.replaceAll("\\p{Cntrl}", "?");
	}

	/** What shares a window. */
	private record Key(String reason, Object kind) {
	}

	/** Lines of the running second. */
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
		 * Returns how many were left out before this one, -1 if this one is, too.
		 * @param shared what lines after the first need as well, null for nothing
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
