package io.rpcboot.benchmarks.chain;

import java.nio.file.Path;

/**
 * How much to measure, and where.
 *
 * @param chains that are measured
 * @param callers threads that call at once
 * @param deadlineMillis what the first caller waits
 * @param output directory of the results
 */
record ChainOptions(int chains, int callers, int deadlineMillis, Path output) {

	static final String USAGE = """
			--chains=1000            calls of the first process
			--callers=16             threads that call at once
			--deadline=300           what the first caller waits, in milliseconds
			--output=<directory>     where the results go (default: target/benchmarks)""";

	static ChainOptions parse(String... args) {
		ChainOptions options = new ChainOptions(1000, 16, 300, Path.of("target", "benchmarks"));
		for (String arg : args) {
			String[] parts = arg.split("=", 2);
			String value = (parts.length == 2) ? parts[1] : "";
			options = switch (parts[0]) {
				case "--chains" ->
					new ChainOptions(number(arg, value), options.callers, options.deadlineMillis, options.output);
				case "--callers" ->
					new ChainOptions(options.chains, number(arg, value), options.deadlineMillis, options.output);
				case "--deadline" ->
					new ChainOptions(options.chains, options.callers, number(arg, value), options.output);
				case "--output" ->
					new ChainOptions(options.chains, options.callers, options.deadlineMillis, Path.of(value));
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
