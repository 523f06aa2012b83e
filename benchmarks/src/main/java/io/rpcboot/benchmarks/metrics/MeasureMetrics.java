package io.rpcboot.benchmarks.metrics;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.benchmarks.JmhResults;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

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
			results.addAll(run(threads, quick, output));
		}
		JmhResults.print(output.resolve("metrics.txt"), (out) -> print(results, out));
	}

	private static List<RunResult> run(int threads, boolean quick, Path output) throws RunnerException {
		return List.copyOf(new Runner(new OptionsBuilder().include(MetricsBenchmark.class.getName())
			.threads(threads)
			.forks(quick ? 1 : 3)
			.warmupIterations(5)
			.warmupTime(TimeValue.milliseconds(200))
			.measurementIterations(quick ? 50 : 200)
			.measurementTime(TimeValue.milliseconds(10))
			.addProfiler(GCProfiler.class)
			.shouldFailOnError(true)
			.output(output.resolve("jmh-metrics-" + threads + ".log").toString())
			.build()).run());
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
