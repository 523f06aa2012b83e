package io.rpcboot.stress;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs the races of threads, written for jcstress. Arguments: minutes in all, the
 * directory to work in, and a pattern that is found in the names of the races to run.
 * Those with three actors need three cores.
 */
public final class StressRun {

	private static final String MAIN = "org.openjdk.jcstress.Main";

	private static final String RACES = "/META-INF/TestList";

	/** Each race runs with two settings of the compiler or the locks. */
	private static final int FORKS = 2;

	private static final int ITERATIONS = 5;

	private static final long MILLIS = 60_000;

	private StressRun() {
	}

	/** Entry point; see the class. */
	public static void main(String[] args) throws Exception {
		double minutes = Double.parseDouble(args[0]);
		long races = count(Pattern.compile(args[2]));
		long millis = Math.max(100, Math.round(minutes * MILLIS / (races * FORKS * ITERATIONS)));
		Path directory = Files.createDirectories(Path.of(args[1])).toAbsolutePath();
		// a race leaves its threads and buffers until the end of its stride
		List<String> command = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), MAIN, "-t", args[2], "-r",
				directory.resolve("report").toString(), "-sc", "false", "-f", "1", "-iters", String.valueOf(ITERATIONS),
				"-time", String.valueOf(millis), "-strideSize", "16", "-strideCount", "8", "-jvmArgs", "-Xmx512m");
		int exit = new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start().waitFor();
		if (exit != 0) {
			throw new IllegalStateException("stress: FOUND something, see above and " + directory.resolve("report"));
		}
		System.out.println("stress: nothing was found");
	}

	private static long count(Pattern pattern) throws IOException {
		try (InputStream list = StressRun.class.getResourceAsStream(RACES)) {
			if (list == null) {
				throw new IllegalStateException("stress: no races in " + RACES + " (expected: the profile stress)");
			}
			String names = new String(list.readAllBytes(), StandardCharsets.UTF_8);
			long count = names.lines().filter((name) -> pattern.matcher(name).find()).count();
			if (count == 0) {
				throw new IllegalStateException("stress.races: '%s' (expected: a part of a name)".formatted(pattern));
			}
			return count;
		}
	}

}
