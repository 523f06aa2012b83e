package io.rpcboot.benchmarks.chain;

import java.nio.file.Path;

import io.rpcboot.benchmarks.Numbers;

/**
 * Options of the measurement.
 *
 * @param chains that are measured
 * @param callers threads that call at once
 * @param deadlineMillis what the first caller waits
 * @param output directory of the results
 */
record ChainOptions(int chains, int callers, int deadlineMillis, Path output) {

	private static final int MOST = 99_999;

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
				case "--chains" -> new ChainOptions(Numbers.parse(arg, value, MOST), options.callers,
						options.deadlineMillis, options.output);
				case "--callers" -> new ChainOptions(options.chains, Numbers.parse(arg, value, MOST),
						options.deadlineMillis, options.output);
				case "--deadline" ->
					new ChainOptions(options.chains, options.callers, Numbers.parse(arg, value, MOST), options.output);
				case "--output" ->
					new ChainOptions(options.chains, options.callers, options.deadlineMillis, Path.of(value));
				default -> throw new IllegalArgumentException("option: " + arg + " (expected one of)\n" + USAGE);
			};
		}
		return options;
	}

}
