package io.rpcboot.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Lines for people, to be read at once and kept. */
public final class TextReport {

	private TextReport() {
	}

	/**
	 * Print the lines, and write them to a file.
	 * @param lines with their ends
	 * @param file replaced if it is there
	 * @throws IOException if it cannot be written
	 */
	public static void print(List<String> lines, Path file) throws IOException {
		try (PrintStream kept = new PrintStream(file.toFile(), StandardCharsets.UTF_8)) {
			lines.forEach(kept::print);
		}
		lines.forEach(new PrintStream(System.out, true, StandardCharsets.UTF_8)::print);
	}

}
