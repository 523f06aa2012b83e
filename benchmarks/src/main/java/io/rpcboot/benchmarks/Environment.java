package io.rpcboot.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Where the measured processes run.
 *
 * @param java their Java launcher
 * @param virtualJava the launcher of those that need virtual threads
 * @param jvmArgs arguments of every measured process
 * @param output directory of the results
 * @param baseline the older build of this project, if there is one
 */
record Environment(Path java, Path virtualJava, List<String> jvmArgs, Path output, @Nullable Baseline baseline) {

	static final List<String> JVM_ARGS = List.of("-Xms1g", "-Xmx1g", "-XX:+UseG1GC",
			"--enable-native-access=ALL-UNNAMED");

	/** Of processes in which memory may run out: such a process ends at once. */
	static final List<String> SMALL_JVM_ARGS = List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC",
			"-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED");

	private static final int VIRTUAL_THREADS_SINCE = 21;

	/**
	 * A Java with virtual threads.
	 * @param java the one of the other processes, taken if nothing better is there
	 */
	static Path virtualJava(Path java) {
		if (Runtime.version().feature() >= VIRTUAL_THREADS_SINCE && java.equals(Launchers.own())) {
			return java;
		}
		return Files.isExecutable(Launchers.JAVA_25) ? Launchers.JAVA_25 : java;
	}

	Environment withVirtualThreads() {
		return new Environment(this.virtualJava, this.virtualJava, this.jvmArgs, this.output, this.baseline);
	}

	/**
	 * The system with this name.
	 * @throws IllegalArgumentException if it cannot be started here
	 */
	MeasuredSystem system(String name) {
		return MeasuredSystem.of(name, this.baseline);
	}

}
