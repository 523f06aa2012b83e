package io.rpcboot.benchmarks.serialization;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.benchmarks.Launchers;

/**
 * What to run and for how long.
 *
 * @param setups the JVMs
 * @param rounds processes of each serializer for each figure
 * @param warmup iterations of 300 ms before the measured ones
 * @param iterations measured, of 150 ms
 * @param output directory of the results
 */
record SerializationOptions(List<Setup> setups, int rounds, int warmup, int iterations, Path output) {

	static final String USAGE = """
			--quick                  one round, only on the JDK that runs this
			--rounds=3               processes of each serializer for each figure
			--java25=<launcher>      a JDK 25 beside the one that runs this
			                         (default: /usr/lib/jvm/temurin-25-jdk-amd64/bin/java, if it is there)
			--output=<directory>     where the results go (default: target/benchmarks)""";

	static final int WARMUP_MILLIS = 300;

	static final int ITERATION_MILLIS = 150;

	private static final int JDK_25 = 25;

	static SerializationOptions parse(String... args) {
		int rounds = 3;
		boolean quick = false;
		Path java25 = Launchers.JAVA_25;
		Path output = Path.of("target", "benchmarks");
		for (String arg : args) {
			String[] parts = arg.split("=", 2);
			String value = (parts.length == 2) ? parts[1] : "";
			switch (parts[0]) {
				case "--quick" -> quick = true;
				case "--rounds" -> rounds = rounds(value);
				case "--java25" -> java25 = Path.of(value);
				case "--output" -> output = Path.of(value);
				default -> throw new IllegalArgumentException("option: " + arg + " (expected one of)\n" + USAGE);
			}
		}
		return new SerializationOptions(setups(quick, java25), quick ? 1 : rounds, 4, 5, output);
	}

	private static int rounds(String value) {
		if (!value.matches("[1-9][0-9]?")) {
			throw new IllegalArgumentException("--rounds: " + value + " (expected: 1 to 99)");
		}
		return Integer.parseInt(value);
	}

	private static List<Setup> setups(boolean quick, Path java25) {
		int running = Runtime.version().feature();
		List<Setup> setups = new ArrayList<>(Setup.of(Launchers.own(), running));
		if (!quick && running < JDK_25 && Files.isExecutable(java25)) {
			setups.addAll(Setup.of(java25, JDK_25));
		}
		return setups;
	}

}
