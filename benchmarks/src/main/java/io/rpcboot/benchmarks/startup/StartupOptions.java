package io.rpcboot.benchmarks.startup;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.benchmarks.Baseline;
import io.rpcboot.benchmarks.Launchers;

import org.jspecify.annotations.Nullable;

/**
 * What to start and how often.
 *
 * @param services the number of services, and of references to them
 * @param rounds processes of each application
 * @param java launcher of the measured processes
 * @param jvmArgs their arguments
 * @param output directory of the results
 * @param baseline the older build of this project, if there is one
 */
record StartupOptions(int services, int rounds, Path java, List<String> jvmArgs, Path output,
		@Nullable Baseline baseline) {

	static final String USAGE = """
			--services=200           services, and references to them in the same process
			--rounds=7               processes of each application
			--baseline=<folder>      jars of an older build, which is started too
			--java=<launcher>        of the measured processes (default: that of this one)
			--jvm-args=<arguments>   added to the arguments of the measured processes
			--output=<directory>     where the results go (default: target/benchmarks)""";

	private static final List<String> JVM_ARGS = List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC",
			"--enable-native-access=ALL-UNNAMED");

	static StartupOptions parse(String... args) {
		int services = 200;
		int rounds = 7;
		Path java = Launchers.own();
		List<String> jvmArgs = new ArrayList<>(JVM_ARGS);
		Path output = Path.of("target", "benchmarks");
		Baseline baseline = null;
		for (String arg : args) {
			String[] parts = arg.split("=", 2);
			String value = (parts.length == 2) ? parts[1] : "";
			switch (parts[0]) {
				case "--services" -> services = number(arg, value, 1000);
				case "--rounds" -> rounds = number(arg, value, 99);
				case "--java" -> java = Path.of(value);
				case "--jvm-args" -> jvmArgs.addAll(List.of(value.trim().split("\\s+")));
				case "--output" -> output = Path.of(value);
				case "--baseline" -> baseline = Baseline.of(Path.of(value));
				default -> throw new IllegalArgumentException("option: " + arg + " (expected one of)\n" + USAGE);
			}
		}
		return new StartupOptions(services, rounds, java, List.copyOf(jvmArgs), output, baseline);
	}

	private static int number(String arg, String value, int most) {
		if (!value.matches("[1-9][0-9]{0,3}") || Integer.parseInt(value) > most) {
			throw new IllegalArgumentException(arg + " (expected: 1 to " + most + ")");
		}
		return Integer.parseInt(value);
	}

}
