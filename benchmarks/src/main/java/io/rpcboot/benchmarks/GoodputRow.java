package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.rpcboot.benchmarks.fork.Ends;

/**
 * What one system made of one cell.
 *
 * @param system its name
 * @param cell the server and the load
 * @param seconds how long the load lasted
 * @param reference answers in time per second that blocking callers reached in the same
 * processes
 * @param ends how the calls of all clients ended
 * @param executed calls that the server executed
 * @param heaps used heap after garbage collection
 */
record GoodputRow(String system, GoodputCell cell, long seconds, double reference, Ends ends, long executed,
		Heaps heaps) {

	private static final double LEAST_RATIO = 0.9;

	private static final double MOST_VERY_LATE = 0.001;

	private static final double MOST_BEYOND_PAUSE_MILLIS = 50;

	private static final double MOST_HEAP_GROWTH_MIB = 5;

	private static final double MIB = 1024 * 1024;

	private static final double NANOS_PER_MILLI = 1e6;

	/**
	 * Used heap after garbage collection, in bytes.
	 *
	 * @param clientBefore of the client process whose heap grew most, before the load
	 * @param clientAfter of the same process after it
	 * @param serverBefore of the server before
	 * @param serverAfter of the server after
	 */
	record Heaps(long clientBefore, long clientAfter, long serverBefore, long serverAfter) {

		double growthMiB() {
			return Math.max(this.clientAfter - this.clientBefore, this.serverAfter - this.serverBefore) / MIB;
		}

	}

	/** Answers in time per second, without those that came after the load had ended. */
	double goodput() {
		return (double) this.ends.inWindow() / this.seconds;
	}

	double ratio() {
		return goodput() / this.reference;
	}

	/** The part of the server's work that somebody waited for. */
	double useful() {
		return (double) this.ends.inTime() / this.executed;
	}

	double lateP999Millis() {
		return this.ends.lateP999Nanos() / NANOS_PER_MILLI;
	}

	double lateMaxMillis() {
		return this.ends.lateMaxNanos() / NANOS_PER_MILLI;
	}

	double longestPauseMillis() {
		return this.ends.longestPauseNanos() / NANOS_PER_MILLI;
	}

	/**
	 * The bounds that were missed.
	 * @return each with its figure; empty if all were held
	 */
	List<String> misses() {
		List<String> misses = new ArrayList<>();
		if (this.reference == 0 || ratio() < LEAST_RATIO) {
			misses
				.add(text("answered in time %.3f of blocking callers (expected: at least %.1f)", ratio(), LEAST_RATIO));
		}
		double veryLate = (double) this.ends.veryLate() / Math.max(this.ends.started(), 1);
		if (veryLate > MOST_VERY_LATE) {
			misses.add(text("%.2f %% of ends over 100 ms late (expected: at most %.1f %%)", 100 * veryLate,
					100 * MOST_VERY_LATE));
		}
		double latest = MOST_BEYOND_PAUSE_MILLIS + longestPauseMillis();
		if (lateMaxMillis() > latest) {
			misses.add(text("latest end %.0f ms late (expected: at most %.0f, 50 more than the longest pause)",
					lateMaxMillis(), latest));
		}
		if (this.ends.unended() > 0) {
			misses.add(this.ends.unended() + " calls never ended (expected: none)");
		}
		if (this.heaps.growthMiB() > MOST_HEAP_GROWTH_MIB) {
			misses.add(
					text("used heap %+.1f MiB (expected: at most %.0f)", this.heaps.growthMiB(), MOST_HEAP_GROWTH_MIB));
		}
		return misses;
	}

	private static String text(String format, Object... values) {
		return String.format(Locale.ROOT, format, values);
	}

}
