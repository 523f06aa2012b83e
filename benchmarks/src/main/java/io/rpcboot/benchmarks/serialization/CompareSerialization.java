package io.rpcboot.benchmarks.serialization;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;

import io.rpcboot.benchmarks.JmhResults;
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
		PrintStream progress = new PrintStream(System.out, true, StandardCharsets.UTF_8);
		Figures figures = new Figures(options.rounds());
		for (int round = 1; round <= options.rounds(); round++) {
			for (Setup setup : options.setups()) {
				progress.println("round " + round + " of " + options.rounds() + ": " + setup.label());
				if (setup.denied()) {
					new DeniedRun(options, figures, options.output().resolve("denied-" + round + ".log")).run(setup);
				}
				else {
					run(options, setup, round, figures);
				}
			}
		}
		JmhResults.print(options.output().resolve("serialization.txt"),
				(out) -> new SerializationReport(options, figures, out).print());
	}

	/** What fails has no figure. */
	private static void run(SerializationOptions options, Setup setup, int round, Figures figures)
			throws RunnerException {
		String log = "jmh-" + setup.label().replaceAll("[^a-zA-Z0-9]+", "-") + "-" + round + ".log";
		Runner runner = new Runner(new OptionsBuilder().include(SerializationBenchmark.class.getName())
			.jvm(setup.java().toString())
			.jvmArgs(setup.jvmArgs().toArray(String[]::new))
			.forks(1)
			.warmupIterations(options.warmup())
			.warmupTime(TimeValue.milliseconds(SerializationOptions.WARMUP_MILLIS))
			.measurementIterations(options.iterations())
			.measurementTime(TimeValue.milliseconds(SerializationOptions.ITERATION_MILLIS))
			.addProfiler(GCProfiler.class)
			.shouldFailOnError(false)
			.output(options.output().resolve(log).toString())
			.build());
		for (RunResult each : runner.run()) {
			Figures.Row row = new Figures.Row(setup, Sample.valueOf(each.getParams().getParam("sample")),
					Serializers.valueOf(each.getParams().getParam("serializer")));
			figures.add(new Figures.Key(row, JmhResults.benchmark(each)),
					new Figures.Figure(JmhResults.fastest(each), JmhResults.allocated(each)));
		}
	}

}
