package io.rpcboot.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that measures something, says it in lines, and ends.
 */
public final class ProbeProcess {

	private ProbeProcess() {
	}

	/**
	 * Run one.
	 * @param launcher its Java
	 * @param jvmArgs arguments of the JVM, the class path, the main class and its
	 * arguments
	 * @param log gets all that it prints
	 * @param patienceSeconds it is ended if it takes longer
	 * @param prefix with which a line of figures begins
	 * @return the lines of figures
	 * @throws IOException if it cannot be started or its log cannot be read
	 * @throws InterruptedException if this thread is interrupted
	 * @throws IllegalStateException if it takes too long
	 */
	public static List<String> figures(Path launcher, List<String> jvmArgs, Path log, int patienceSeconds,
			String prefix) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of(launcher.toString()));
		command.addAll(jvmArgs);
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
		if (!process.waitFor(patienceSeconds, TimeUnit.SECONDS)) {
			process.destroyForcibly();
			throw new IllegalStateException("no figures in %d s, see %s".formatted(patienceSeconds, log));
		}
		return Files.readAllLines(log).stream().filter((line) -> line.startsWith(prefix)).toList();
	}

}
