package io.rpcboot.benchmarks.transport;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.rpcboot.benchmarks.JmhResults;
import io.rpcboot.internal.transport.eventloop.EventLoopExecutor;
import io.rpcboot.internal.transport.write.TransportBenchmark;
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
		JmhResults.print(output.resolve("transport.txt"), (out) -> print(results, out));
	}

	private static void print(List<RunResult> results, PrintStream out) {
		out.printf(LINE, "", "frames", "body B", "ns per frame", "B per frame");
		for (RunResult result : results) {
			int frames = Integer.parseInt(result.getParams().getParam("frames"));
			out.printf(LINE, JmhResults.benchmark(result), frames, result.getParams().getParam("body"),
					JmhResults.figure(JmhResults.fastest(result) / frames),
					JmhResults.figure(JmhResults.allocated(result) / frames));
		}
	}

}
