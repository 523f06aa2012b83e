package io.rpcboot.benchmarks.fork;

import java.util.Arrays;

/**
 * What one client process measured in one turn.
 *
 * @param elapsedNanos from the first call to the last answer
 * @param latencies of the answered calls, each with the right answer
 * @param client what the client process used
 */
public record Slice(long elapsedNanos, Latencies latencies, ProcessCounters client) {

	static Slice of(long elapsedNanos, LatencyHistogram histogram, ProcessCounters client) {
		return new Slice(elapsedNanos, Latencies.of(histogram), client);
	}

	Slice withLatencies(LatencyHistogram histogram) {
		return of(this.elapsedNanos, histogram, this.client);
	}

	/**
	 * Answered calls.
	 * @return how many
	 */
	public long calls() {
		return this.latencies.calls();
	}

	String toLine() {
		return this.elapsedNanos + " " + this.latencies.toLine() + " " + toLine(this.client);
	}

	/**
	 * Write counters for {@link #parseCounters}.
	 * @param counters the counters
	 * @return the line after its first word
	 */
	public static String toLine(ProcessCounters counters) {
		return counters.cpuNanos() + " " + counters.allocatedBytes() + " " + counters.switches() + " "
				+ counters.collections() + " " + counters.collectionMillis();
	}

	/**
	 * Read what a client process wrote.
	 * @param line the line after its first word
	 * @return the slice
	 */
	public static Slice parse(String line) {
		long[] fields = fields(line);
		return new Slice(fields[0], Latencies.parse(fields, 1), counters(fields, 1 + Latencies.FIELDS));
	}

	/**
	 * Read what a server process wrote.
	 * @param line the line after its first word
	 * @return the counters
	 */
	public static ProcessCounters parseCounters(String line) {
		return counters(fields(line), 0);
	}

	private static ProcessCounters counters(long[] fields, int from) {
		return new ProcessCounters(fields[from], fields[from + 1], fields[from + 2], fields[from + 3],
				fields[from + 4]);
	}

	static long[] fields(String line) {
		return Arrays.stream(line.trim().split(" ")).mapToLong(Long::parseLong).toArray();
	}

}
