package io.rpcboot.benchmarks.serialization;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM to measure on.
 *
 * @param label in the table
 * @param java its launcher
 * @param jvmArgs its arguments
 * @param denied whether it denies access to memory by {@code sun.misc.Unsafe}
 */
record Setup(String label, Path java, List<String> jvmArgs, boolean denied) {

	private static final List<String> JVM_ARGS = List.of("-Xms1g", "-Xmx1g", "-XX:+UseG1GC");

	/** Since this version a JVM can deny it. */
	private static final int DENIES_SINCE = 24;

	private static final String UNSAFE = "--sun-misc-unsafe-memory-access=";

	/** The JVMs of one JDK: one, or with and without access by Unsafe. */
	static List<Setup> of(Path java, int feature) {
		String label = "JDK " + feature;
		if (feature < DENIES_SINCE) {
			return List.of(new Setup(label, java, JVM_ARGS, false));
		}
		return List.of(new Setup(label, java, with(UNSAFE + "allow"), false),
				new Setup(label + ", Unsafe denied", java, with(UNSAFE + "deny"), true));
	}

	private static List<String> with(String arg) {
		List<String> args = new ArrayList<>(JVM_ARGS);
		args.add(arg);
		return args;
	}

}
