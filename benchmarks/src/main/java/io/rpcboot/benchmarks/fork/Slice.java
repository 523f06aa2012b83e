package io.rpcboot.benchmarks.fork;

import java.util.Arrays;

/**
 * What one client process measured in one turn.
 *
 * @param calls answered calls, each with the right answer
 * @param elapsedNanos from the first call to the last answer
 * @param p50Nanos latency that half of the calls did not exceed
 * @param p99Nanos latency that 99 of 100 calls did not exceed
 * @param client what the client process used
 */
public record Slice(long calls, long elapsedNanos, long p50Nanos, long p99Nanos, ProcessCounters client) {

	String toLine() {
		return this.calls + " " + this.elapsedNanos + " " + this.p50Nanos + " " + this.p99Nanos + " "
				+ toLine(this.client);
	}

	static String toLine(ProcessCounters counters) {
		return counters.cpuNanos() + " " + counters.allocatedBytes() + " " + counters.switches();
	}

	/**
	 * Read what a client process wrote.
	 * @param line the line after its first word
	 * @return the slice
	 */
	public static Slice parse(String line) {
		long[] fields = fields(line);
		return new Slice(fields[0], fields[1], fields[2], fields[3], counters(fields, 4));
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
		return new ProcessCounters(fields[from], fields[from + 1], fields[from + 2]);
	}

	private static long[] fields(String line) {
		return Arrays.stream(line.trim().split(" ")).mapToLong(Long::parseLong).toArray();
	}

}
