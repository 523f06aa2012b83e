package io.rpcboot.benchmarks;

import java.nio.file.Path;

/**
 * Java launchers of measured processes.
 */
public final class Launchers {

	/** A JDK 25 where Debian and Ubuntu install it; it may not be there. */
	public static final Path JAVA_25 = Path.of("/usr/lib/jvm/temurin-25-jdk-amd64/bin/java");

	private Launchers() {
	}

	/**
	 * The Java that runs this.
	 * @return its launcher
	 */
	public static Path own() {
		return Path.of(System.getProperty("java.home"), "bin", "java");
	}

}
