package io.rpcboot.benchmarks.sick;

import java.util.List;

/** What all but one in a hundred calls took at most, those that failed included. */
final class Percentiles {

	private Percentiles() {
	}

	static double p99(List<Call> calls, long from, long to) {
		return p99(calls.stream().filter((call) -> call.isOf(from, to)).toList());
	}

	/**
	 * In milliseconds.
	 * @return NaN of no calls
	 */
	static double p99(List<Call> calls) {
		double[] sorted = calls.stream().mapToDouble(Call::millis).sorted().toArray();
		return (sorted.length == 0) ? Double.NaN : sorted[(int) Math.ceil(0.99 * sorted.length) - 1];
	}

}
