package io.rpcboot.benchmarks.away;

import java.nio.file.Path;

import io.rpcboot.benchmarks.Numbers;

/**
 * Options of the measurement.
 *
 * @param rounds of each row
 * @param refusedMillis how long refused calls are measured
 * @param output directory of the results
 */
record AwayOptions(int rounds, long refusedMillis, Path output) {

	static final String USAGE = """
			--rounds=3               of each row
			--refused-millis=5000    how long refused calls are measured in a round
			--output=<directory>     where the results go (default: target/benchmarks)""";

	static AwayOptions parse(String... args) {
		int rounds = 3;
		long refusedMillis = 5000;
		Path output = Path.of("target", "benchmarks");
		for (String arg : args) {
			String[] parts = arg.split("=", 2);
			String value = (parts.length == 2) ? parts[1] : "";
			switch (parts[0]) {
				case "--rounds" -> rounds = Numbers.parse(arg, value, 99);
				case "--refused-millis" -> refusedMillis = Numbers.parse(arg, value, 60_000);
				case "--output" -> output = Path.of(value);
				default -> throw new IllegalArgumentException("option: " + arg + " (expected one of)\n" + USAGE);
			}
		}
		return new AwayOptions(rounds, refusedMillis, output);
	}

}
