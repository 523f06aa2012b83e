package io.rpcboot.benchmarks.startup;

import java.util.Arrays;

/**
 * What one process says.
 *
 * @param millis from the start of the JVM until the application is ready
 * @param cpuMillis processor time of all threads until then
 * @param heap used MB after a collection
 * @param metaspace used MB
 * @param callMillis for the first call of every method, one after the other
 * @param heapAfterCalls used MB after these calls and a collection
 */
record StartupFigures(double millis, double cpuMillis, double heap, double metaspace, double callMillis,
		double heapAfterCalls) {

	private static final int COUNT = 6;

	/**
	 * Read the line of a {@link StartupProbe}.
	 * @throws IllegalStateException if it is no such line
	 */
	static StartupFigures parse(String line) {
		String[] parts = line.substring(StartupProbe.FIGURES.length()).split(" ");
		if (parts.length != COUNT) {
			throw new IllegalStateException("figures: " + line + " (expected: " + COUNT + " numbers)");
		}
		double[] values = Arrays.stream(parts).mapToDouble(Double::parseDouble).toArray();
		return new StartupFigures(values[0], values[1], values[2], values[3], values[4], values[5]);
	}

}
