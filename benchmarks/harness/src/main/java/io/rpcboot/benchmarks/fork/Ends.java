package io.rpcboot.benchmarks.fork;

import java.util.Map;
import java.util.TreeMap;

/**
 * How the calls of one or several client processes ended.
 *
 * @param started calls that were made
 * @param inTime answered rightly within the timeout, by the clock of the caller
 * @param inWindow those of them that were answered before the load ended
 * @param answeredLate answered rightly, but after their timeout
 * @param unended calls without any end
 * @param late ends after the timeout, whether answered or failed
 * @param veryLate ends more than 100 ms after the timeout
 * @param lateP999Nanos 99.9 % of the late ends were at most this long after their
 * timeout; of several processes the greatest
 * @param lateMaxNanos the latest of them
 * @param longestPauseNanos the longest that a thread was held up which does nothing but
 * wake every millisecond
 * @param failures number of the failed calls by status
 */
public record Ends(long started, long inTime, long inWindow, long answeredLate, long unended, long late, long veryLate,
		long lateP999Nanos, long lateMaxNanos, long longestPauseNanos, Map<String, Long> failures) {

	private static final int NUMBERS = 10;

	/**
	 * Read what a client process wrote.
	 * @param line the line after its first word
	 * @return the result
	 */
	public static Ends parse(String line) {
		String[] words = line.split(" ");
		long[] numbers = new long[NUMBERS];
		for (int i = 0; i < NUMBERS; i++) {
			numbers[i] = Long.parseLong(words[i]);
		}
		Map<String, Long> failures = new TreeMap<>();
		for (int i = NUMBERS; i < words.length; i++) {
			String[] pair = words[i].split("=");
			failures.put(pair[0], Long.valueOf(pair[1]));
		}
		return new Ends(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7],
				numbers[8], numbers[9], failures);
	}

	String toLine() {
		StringBuilder line = new StringBuilder(this.started + " " + this.inTime + " " + this.inWindow + " "
				+ this.answeredLate + " " + this.unended + " " + this.late + " " + this.veryLate + " "
				+ this.lateP999Nanos + " " + this.lateMaxNanos + " " + this.longestPauseNanos);
		this.failures.forEach((status, count) -> line.append(' ').append(status).append('=').append(count));
		return line.toString();
	}

	/**
	 * Those of two processes together.
	 * @param other the other ones
	 * @return the sums, and the greater of the times
	 */
	public Ends and(Ends other) {
		Map<String, Long> all = new TreeMap<>(this.failures);
		other.failures.forEach((status, count) -> all.merge(status, count, Long::sum));
		return new Ends(this.started + other.started, this.inTime + other.inTime, this.inWindow + other.inWindow,
				this.answeredLate + other.answeredLate, this.unended + other.unended, this.late + other.late,
				this.veryLate + other.veryLate, Math.max(this.lateP999Nanos, other.lateP999Nanos),
				Math.max(this.lateMaxNanos, other.lateMaxNanos),
				Math.max(this.longestPauseNanos, other.longestPauseNanos), all);
	}

	/**
	 * How many calls failed.
	 * @return the sum over all statuses
	 */
	public long failed() {
		return this.failures.values().stream().mapToLong(Long::longValue).sum();
	}

}
