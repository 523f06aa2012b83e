package io.rpcboot.benchmarks.flat;

import java.nio.file.Path;

import io.rpcboot.benchmarks.Numbers;

/**
 * Options of the measurement.
 *
 * @param seconds length of each state
 * @param streams streams of the states with many
 * @param runs times that each state is measured
 * @param output directory of the results
 */
record FlatOptions(int seconds, int streams, int runs, Path output) {

	private static final int MOST = 99_999;

	static final String USAGE = """
			--seconds=60             length of each state
			--streams=1000           streams of the states with many
			--runs=3                 times that each state is measured
			--output=<directory>     where the results go (default: target/benchmarks)""";

	static FlatOptions parse(String... args) {
		FlatOptions options = new FlatOptions(60, 1000, 3, Path.of("target", "benchmarks"));
		for (String arg : args) {
			String[] parts = arg.split("=", 2);
			String value = (parts.length == 2) ? parts[1] : "";
			options = switch (parts[0]) {
				case "--seconds" ->
					new FlatOptions(Numbers.parse(arg, value, MOST), options.streams, options.runs, options.output);
				case "--streams" ->
					new FlatOptions(options.seconds, Numbers.parse(arg, value, MOST), options.runs, options.output);
				case "--runs" ->
					new FlatOptions(options.seconds, options.streams, Numbers.parse(arg, value, MOST), options.output);
				case "--output" -> new FlatOptions(options.seconds, options.streams, options.runs, Path.of(value));
				default -> throw new IllegalArgumentException("option: " + arg + " (expected one of)\n" + USAGE);
			};
		}
		return options;
	}

}
