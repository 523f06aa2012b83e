package io.rpcboot.internal.concurrent;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures that did not end their thread: at most one line per place, class and
 * second, with the number of failures left out. OutOfMemoryError and StackOverflowError
 * have one line per second each, wherever they happen. A failure that cannot be logged
 * for lack of memory is kept and logged later; until then a constant line on standard
 * error reports it. Never throws. Any thread.
 */
public final class SurvivedErrorLog {

	private static final Logger logger = LoggerFactory.getLogger("rpc.engine");

	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final byte[] CANNOT_LOG = ("RPC: a thread of the engine met an error that cannot be logged yet; "
			+ "the thread goes on" + System.lineSeparator())
		.getBytes(StandardCharsets.US_ASCII);

	private static final Error REHEARSAL = new AssertionError("rehearsal");

	/** Largest number of places and classes that have lines of their own. */
	private static final int MOST_WINDOWS = 256;

	private final LongSupplier nanoClock;

	private final Sink sink;

	/** Shared windows by ordinal of {@link Kind}. */
	private final Window[] windows = { new Window(), new Window(), new Window(), new Window(), new Window() };

	/** Windows by place and class. */
	private final Map<String, Window> places = new ConcurrentHashMap<>();

	/** Last failure that could not be logged, null for none. */
	private volatile @Nullable Throwable unreported;

	/** Creates a log. */
	public SurvivedErrorLog() {
		this(System::nanoTime, SurvivedErrorLog::log);
	}

	SurvivedErrorLog(LongSupplier nanoClock, Sink sink) {
		this.nanoClock = nanoClock;
		this.sink = sink;
		survived("Rehearsal", REHEARSAL);
	}

	/**
	 * Throws an error that {@link #survived} does not log. Code that must survive errors
	 * catches it once, early: HotSpot resolves the class of a catch clause at its first
	 * use, which allocates memory. Without a rehearsal, an OutOfMemoryError is not caught
	 * by a clause for Throwable.
	 * @return never
	 */
	public static boolean rehearse() {
		throw REHEARSAL;
	}

	/** Writes lines. */
	interface Sink {

		void write(String where, Throwable failure, int leftOut);

	}

	/** Kinds of failures, which share a line unless their place and class have one. */
	private enum Kind {

		MEMORY, STACK, LINKAGE, ERROR, EXCEPTION;

		static Kind of(Throwable failure) {
			if (failure instanceof OutOfMemoryError) {
				return MEMORY;
			}
			if (failure instanceof StackOverflowError) {
				return STACK;
			}
			if (failure instanceof LinkageError) {
				return LINKAGE;
			}
			return (failure instanceof Error) ? ERROR : EXCEPTION;
		}

	}

	/**
	 * Logs a failure that the calling thread has survived, or counts it. Never throws.
	 * @param where what failed, a constant
	 * @param failure the failure
	 */
	public void survived(String where, Throwable failure) {
		try {
			if (failure == REHEARSAL) {
				throw REHEARSAL;
			}
			if (write(where, failure, true)) {
				retry();
			}
		}
		catch (Throwable ex) {
			keep(failure);
		}
	}

	/** Returns false if the window of the failure had a line within this second. */
	private boolean write(String where, Throwable failure, boolean counted) {
		int leftOut = window(where, failure).enter(this.nanoClock.getAsLong(), counted);
		if (leftOut < 0) {
			return false;
		}
		this.sink.write(where, failure, leftOut);
		return true;
	}

	private Window window(String where, Throwable failure) {
		Kind kind = Kind.of(failure);
		if (kind != Kind.MEMORY && kind != Kind.STACK) {
			String place = where + " " + failure.getClass().getName();
			Window own = this.places.get(place);
			if (own != null) {
				return own;
			}
			if (this.places.size() < MOST_WINDOWS) {
				return this.places.computeIfAbsent(place, (any) -> new Window());
			}
		}
		return this.windows[kind.ordinal()];
	}

	/** Keeps a failure for {@link #retry()}. Never throws. */
	private void keep(Throwable failure) {
		if (failure == REHEARSAL) {
			return;
		}
		this.unreported = failure;
		try {
			System.err.write(CANNOT_LOG, 0, CANNOT_LOG.length);
		}
		catch (Throwable ex) {
			// standard error fails, too
		}
	}

	/** Logs the failure that could not be logged earlier, if any. Never throws. */
	public void retry() {
		Throwable failure = this.unreported;
		if (failure == null) {
			return;
		}
		try {
			if (write("Earlier, when it could not be logged", failure, false)) {
				this.unreported = null;
			}
		}
		catch (Throwable ex) {
			// the failure stays for the next retry
		}
	}

	private static void log(String where, Throwable failure, int leftOut) {
		logger.error("{}: thread {} goes on after {}{}", where, Thread.currentThread().getName(), failure.toString(),
				(leftOut == 0) ? "" : " (%d more like it since the last line)".formatted(leftOut), failure);
	}

	private static final class Window {

		private boolean used;

		private long startedNanos;

		private int leftOut;

		/**
		 * Returns how many failures were left out before this one, -1 to leave it out.
		 */
		synchronized int enter(long now, boolean counted) {
			if (this.used && now - this.startedNanos < WINDOW_NANOS) {
				this.leftOut += counted ? 1 : 0;
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
