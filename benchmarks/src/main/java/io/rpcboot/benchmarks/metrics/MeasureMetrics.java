package io.rpcboot.benchmarks.metrics;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.benchmarks.JmhResults;
import io.rpcboot.benchmarks.JmhRuns;
import org.openjdk.jmh.results.RunResult;

/**
 * Runs the JMH benchmark of the recorders and prints what one call takes: the fastest of
 * many short iterations, which other processes have not disturbed.
 */
public final class MeasureMetrics {

	private static final String LINE = "%-8s %-14s %8s %14s %14s%n";

	private MeasureMetrics() {
	}

	/**
	 * Run it.
	 * @param args {@code --quick} for one short process of each
	 * @throws Exception if it cannot run or a benchmark fails
	 */
	public static void main(String[] args) throws Exception {
		boolean quick = List.of(args).contains("--quick");
		Path output = Path.of("target", "benchmarks");
		Files.createDirectories(output);
		List<RunResult> results = new ArrayList<>();
		for (int threads : new int[] { 1, 2 }) {
			results.addAll(JmhRuns.run(MetricsBenchmark.class, threads, 200, quick,
					output.resolve("jmh-metrics-" + threads + ".log")));
		}
		JmhResults.print(output.resolve("metrics.txt"), (out) -> print(results, out));
	}

	private static void print(List<RunResult> results, PrintStream out) {
		out.printf(LINE, "", "metrics", "threads", "ns per call", "B per call");
		for (RunResult result : results) {
			out.printf(LINE, JmhResults.benchmark(result), result.getParams().getParam("metrics"),
					result.getParams().getThreads(), JmhResults.figure(JmhResults.fastest(result)),
					JmhResults.figure(JmhResults.allocated(result)));
		}
	}

}
