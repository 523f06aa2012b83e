package io.rpcboot.benchmarks;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

import org.openjdk.jmh.results.RunResult;

/** What is read from a result of JMH, and where the table made of it goes. */
public final class JmhResults {

	private static final String ALLOCATED = "gc.alloc.rate.norm";

	private JmhResults() {
	}

	/**
	 * The method that was measured.
	 * @param result a result
	 * @return its simple name
	 */
	public static String benchmark(RunResult result) {
		String benchmark = result.getParams().getBenchmark();
		return benchmark.substring(benchmark.lastIndexOf('.') + 1);
	}

	/**
	 * The fastest iteration, which other processes have not disturbed.
	 * @param result a result
	 * @return the score, in the unit of the benchmark
	 */
	public static double fastest(RunResult result) {
		return result.getPrimaryResult().getStatistics().getMin();
	}

	/**
	 * What an operation allocated.
	 * @param result a result of a run with JMH's profiler of garbage collection
	 * @return bytes; not a number without that profiler
	 */
	public static double allocated(RunResult result) {
		return result.getSecondaryResults()
			.keySet()
			.stream()
			.filter((each) -> each.endsWith(ALLOCATED))
			.mapToDouble((each) -> Objects.requireNonNull(result.getSecondaryResults().get(each)).getScore())
			.findFirst()
			.orElse(Double.NaN);
	}

	/**
	 * A number of the table.
	 * @param value the number
	 * @return with one digit behind the point
	 */
	public static String figure(double value) {
		return String.format(Locale.ROOT, "%.1f", value);
	}

	/**
	 * Print a table to the console and into a file.
	 * @param file the file, in a folder that exists
	 * @param table prints it
	 * @throws Exception if the file cannot be written, or what the table throws
	 */
	public static void print(Path file, Table table) throws Exception {
		table.print(new PrintStream(System.out, true, StandardCharsets.UTF_8));
		try (PrintStream out = new PrintStream(file.toFile(), StandardCharsets.UTF_8)) {
			table.print(out);
		}
	}

	/** A table of results. */
	public interface Table {

		/**
		 * Print it.
		 * @param out where
		 * @throws Exception if it cannot be made
		 */
		void print(PrintStream out) throws Exception;

	}

}
