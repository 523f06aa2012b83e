package io.rpcboot.benchmarks.hanging;

import java.nio.file.Files;
import java.nio.file.Path;

import io.rpcboot.benchmarks.Launchers;

import org.jspecify.annotations.Nullable;

/**
 * How often to measure, and where.
 *
 * @param rounds of each row
 * @param java launcher of the measured processes
 * @param virtualJava launcher of those with virtual threads; null if there is none
 * @param output directory of the results
 */
record HangingOptions(int rounds, Path java, @Nullable Path virtualJava, Path output) {

	static final String USAGE = """
			--rounds=5               of each row
			--java25=<launcher>      a JDK 25 for virtual threads (default: /usr/lib/jvm/temurin-25-jdk-amd64/bin/java)
			--output=<directory>     where the results go (default: target/benchmarks)""";

	private static final int VIRTUAL_THREADS = 21;

	static HangingOptions parse(String... args) {
		int rounds = 5;
		Path java = Launchers.own();
		Path java25 = Launchers.JAVA_25;
		Path output = Path.of("target", "benchmarks");
		for (String arg : args) {
			String[] parts = arg.split("=", 2);
			String value = (parts.length == 2) ? parts[1] : "";
			switch (parts[0]) {
				case "--rounds" -> rounds = rounds(value);
				case "--java25" -> java25 = Path.of(value);
				case "--output" -> output = Path.of(value);
				default -> throw new IllegalArgumentException("option: " + arg + " (expected one of)\n" + USAGE);
			}
		}
		Path virtual = (Runtime.version().feature() >= VIRTUAL_THREADS) ? java : java25;
		return new HangingOptions(rounds, java, Files.isExecutable(virtual) ? virtual : null, output);
	}

	private static int rounds(String value) {
		if (!value.matches("[1-9][0-9]?")) {
			throw new IllegalArgumentException("--rounds: " + value + " (expected: 1 to 99)");
		}
		return Integer.parseInt(value);
	}

}
