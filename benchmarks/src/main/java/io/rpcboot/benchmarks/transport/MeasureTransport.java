package io.rpcboot.benchmarks.transport;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import io.rpcboot.internal.transport.EventLoopExecutor;
import io.rpcboot.internal.transport.TransportBenchmark;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the JMH benchmark of the write queue and the frame decoder and prints what one
 * frame takes.
 */
public final class MeasureTransport {

	private static final String LINE = "%-14s %8s %8s %16s %16s%n";

	private static final String ALLOCATED = "gc.alloc.rate.norm";

	private MeasureTransport() {
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
		Runner runner = new Runner(new OptionsBuilder().include(TransportBenchmark.class.getName())
			.jvmArgsAppend("-Djmh.executor=CUSTOM", "-Djmh.executor.class=" + EventLoopExecutor.class.getName())
			.forks(quick ? 1 : 3)
			.warmupIterations(quick ? 3 : 8)
			.warmupTime(TimeValue.milliseconds(250))
			.measurementIterations(quick ? 2 : 6)
			.measurementTime(TimeValue.milliseconds(250))
			.addProfiler(GCProfiler.class)
			.shouldFailOnError(true)
			.output(output.resolve("jmh-transport.log").toString())
			.build());
		List<RunResult> results = List.copyOf(runner.run());
		PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
		try (PrintStream file = new PrintStream(output.resolve("transport.txt").toFile(), StandardCharsets.UTF_8)) {
			print(results, out);
			print(results, file);
		}
	}

	private static void print(List<RunResult> results, PrintStream out) {
		out.printf(LINE, "", "frames", "body B", "ns per frame", "B per frame");
		for (RunResult result : results) {
			String benchmark = result.getParams().getBenchmark();
			int frames = Integer.parseInt(result.getParams().getParam("frames"));
			out.printf(LINE, benchmark.substring(benchmark.lastIndexOf('.') + 1), frames,
					result.getParams().getParam("body"),
					figure(result.getPrimaryResult().getStatistics().getMin() / frames),
					figure(allocated(result) / frames));
		}
	}

	private static String figure(double value) {
		return String.format(Locale.ROOT, "%.1f", value);
	}

	private static double allocated(RunResult result) {
		return result.getSecondaryResults()
			.keySet()
			.stream()
			.filter((each) -> each.endsWith(ALLOCATED))
			.mapToDouble((each) -> Objects.requireNonNull(result.getSecondaryResults().get(each)).getScore())
			.findFirst()
			.orElse(Double.NaN);
	}

}
