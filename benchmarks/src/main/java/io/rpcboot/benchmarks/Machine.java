package io.rpcboot.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import io.grpc.ManagedChannel;
import io.netty.util.Version;

/**
 * What the figures were measured on.
 */
final class Machine {

	private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

	private Machine() {
	}

	static List<String> describe(Options options) {
		List<String> lines = new ArrayList<>();
		lines.add(String.format(Locale.ROOT, "%d processors (%s), %s %s", Runtime.getRuntime().availableProcessors(),
				processor(), System.getProperty("os.name"), System.getProperty("os.version")));
		lines.add("Java: " + java(options.environment().java()) + "; where virtual threads are needed "
				+ java(options.environment().virtualJava()));
		lines.add("arguments of every process: " + String.join(" ", options.environment().jvmArgs()));
		lines.add("ours, raw and grpc-java " + ManagedChannel.class.getPackage().getImplementationVersion()
				+ " on Netty " + netty() + peers(options));
		Baseline baseline = options.environment().baseline();
		if (baseline != null) {
			lines.add("before: " + baseline.describe());
		}
		return lines;
	}

	private static String peers(Options options) {
		return options.parts()
			.stream()
			.flatMap((part) -> part.systems().stream())
			.distinct()
			.map((name) -> options.environment().system(name).versions())
			.filter((versions) -> !versions.isEmpty())
			.map((versions) -> "; " + versions)
			.collect(Collectors.joining());
	}

	private static String netty() {
		return Version.identify()
			.values()
			.stream()
			.map(Version::artifactVersion)
			.distinct()
			.collect(Collectors.joining("/"));
	}

	private static String processor() {
		try {
			return Files.readAllLines(PROCESSORS)
				.stream()
				.filter((line) -> line.startsWith("model name"))
				.map((line) -> line.substring(line.indexOf(':') + 1).trim())
				.findFirst()
				.orElse(System.getProperty("os.arch"));
		}
		catch (IOException ex) {
			return System.getProperty("os.arch");
		}
	}

	/** What the launcher says of itself. */
	private static String java(Path launcher) {
		try {
			Process process = new ProcessBuilder(launcher.toString(), "-version").redirectErrorStream(true).start();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			return output.lines().filter((line) -> line.contains("version")).findFirst().orElse(launcher.toString());
		}
		catch (IOException ex) {
			return launcher + " (does not start)";
		}
	}

}
