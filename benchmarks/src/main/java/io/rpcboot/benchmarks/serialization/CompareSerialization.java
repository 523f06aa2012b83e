package io.rpcboot.benchmarks.serialization;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the JMH benchmark on each JVM, several rounds of one short process for each
 * figure, and prints the table. Processes that are compared follow each other, so what
 * disturbs one disturbs the other.
 */
public final class CompareSerialization {

	private static final TimeValue WARMUP = TimeValue.milliseconds(300);

	private static final TimeValue ITERATION = TimeValue.milliseconds(150);

	private static final String ALLOCATED = "gc.alloc.rate.norm";

	private CompareSerialization() {
	}

	/**
	 * Run the comparison.
	 * @param args options, see the README of this module
	 * @throws Exception if it cannot run
	 */
	public static void main(String[] args) throws Exception {
		if (List.of(args).contains("--help")) {
			System.out.println(SerializationOptions.USAGE);
			return;
		}
		SerializationOptions options = SerializationOptions.parse(args);
		Files.createDirectories(options.output());
		PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
		Figures figures = new Figures(options.rounds());
		for (int round = 1; round <= options.rounds(); round++) {
			for (Setup setup : options.setups()) {
				out.println("round " + round + " of " + options.rounds() + ": " + setup.label());
				run(options, setup, round, figures);
			}
		}
		try (PrintStream file = new PrintStream(options.output().resolve("serialization.txt").toFile(),
				StandardCharsets.UTF_8)) {
			new SerializationReport(options, figures, out).print();
			new SerializationReport(options, figures, file).print();
		}
	}

	/** What fails has no figure: protostuff without Unsafe. */
	private static void run(SerializationOptions options, Setup setup, int round, Figures figures)
			throws RunnerException {
		String log = "jmh-" + setup.label().replaceAll("[^a-zA-Z0-9]+", "-") + "-" + round + ".log";
		Runner runner = new Runner(new OptionsBuilder().include(SerializationBenchmark.class.getName())
			.jvm(setup.java().toString())
			.jvmArgs(setup.jvmArgs().toArray(String[]::new))
			.forks(1)
			.warmupIterations(options.warmup())
			.warmupTime(WARMUP)
			.measurementIterations(options.iterations())
			.measurementTime(ITERATION)
			.addProfiler(GCProfiler.class)
			.shouldFailOnError(false)
			.output(options.output().resolve(log).toString())
			.build());
		for (RunResult each : runner.run()) {
			String benchmark = each.getParams().getBenchmark();
			Figures.Row row = new Figures.Row(setup, Sample.valueOf(each.getParams().getParam("sample")),
					Serializers.valueOf(each.getParams().getParam("serializer")));
			figures.add(new Figures.Key(row, benchmark.substring(benchmark.lastIndexOf('.') + 1)),
					new Figures.Figure(each.getPrimaryResult().getStatistics().getMin(), allocated(each)));
		}
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
