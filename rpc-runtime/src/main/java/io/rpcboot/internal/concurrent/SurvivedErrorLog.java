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
 * Logs what would have ended a thread of the engine: once for each place, class and
 * second, and never throws itself. Errors for lack of memory or stack share a line
 * wherever they happen. A failure that cannot be logged, because memory is short, is kept
 * and logged later; until then a line that was prepared before says so on standard error.
 * Any thread.
 */
public final class SurvivedErrorLog {

	private static final Logger logger = LoggerFactory.getLogger("rpc.engine");

	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final byte[] CANNOT_LOG = ("RPC: a thread of the engine met an error that cannot be logged yet; "
			+ "the thread goes on" + System.lineSeparator())
		.getBytes(StandardCharsets.US_ASCII);

	private static final Error REHEARSAL = new AssertionError("rehearsal");

	/** Places and classes that have a line of their own. */
	private static final int MOST_WINDOWS = 256;

	private final LongSupplier nanoClock;

	private final Sink sink;

	/** By ordinal of {@link Kind}. */
	private final Window[] windows = { new Window(), new Window(), new Window(), new Window(), new Window() };

	private final Map<String, Window> places = new ConcurrentHashMap<>();

	private volatile @Nullable Throwable unreported;

	/** Create a log. */
	public SurvivedErrorLog() {
		this(System::nanoTime, SurvivedErrorLog::log);
	}

	SurvivedErrorLog(LongSupplier nanoClock, Sink sink) {
		this.nanoClock = nanoClock;
		this.sink = sink;
		survived("Rehearsal", REHEARSAL);
	}

	/**
	 * Throw an error that {@link #survived} says nothing of. A place that has to survive
	 * errors catches it once, early: HotSpot looks up the class of a catch clause when it
	 * is first used, and for that needs memory. Without a rehearsal, an OutOfMemoryError
	 * passes a clause for Throwable.
	 * @return never
	 */
	public static boolean rehearse() {
		throw REHEARSAL;
	}

	/** Where lines go. */
	interface Sink {

		void write(String where, Throwable failure, int leftOut);

	}

	/** What shares a line in a second, unless its place and class have one. */
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
	 * Report a failure that the calling thread has survived. Never throws.
	 * @param where what went on, a constant
	 * @param failure what was thrown
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

	/** Returns false if what shares its line has had one in this second. */
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

	private void keep(Throwable failure) {
		if (failure == REHEARSAL) {
			return;
		}
		this.unreported = failure;
		try {
			System.err.write(CANNOT_LOG, 0, CANNOT_LOG.length);
		}
		catch (Throwable ex) {
			// nothing is left to say it with
		}
	}

	/** Log what could not be logged when it happened, if there is such. Never throws. */
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
			// it stays, for a better time
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

		/** Returns how many were left out before this one, -1 if this one is, too. */
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
