package io.rpcboot.benchmarks.flat;

import java.nio.file.Path;

/**
 * How much to measure, and where.
 *
 * @param seconds length of each state
 * @param streams streams of the states with many
 * @param runs times that each state is measured
 * @param output directory of the results
 */
record FlatOptions(int seconds, int streams, int runs, Path output) {

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
				case "--seconds" -> new FlatOptions(number(arg, value), options.streams, options.runs, options.output);
				case "--streams" -> new FlatOptions(options.seconds, number(arg, value), options.runs, options.output);
				case "--runs" -> new FlatOptions(options.seconds, options.streams, number(arg, value), options.output);
				case "--output" -> new FlatOptions(options.seconds, options.streams, options.runs, Path.of(value));
				default -> throw new IllegalArgumentException("option: " + arg + " (expected one of)\n" + USAGE);
			};
		}
		return options;
	}

	private static int number(String arg, String value) {
		if (!value.matches("[1-9][0-9]{0,4}")) {
			throw new IllegalArgumentException(arg + " (expected: 1 to 99999)");
		}
		return Integer.parseInt(value);
	}

}
