package io.rpcboot.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The jars of an older build of this project.
 *
 * @param folder where they are
 * @param jars by artifact, such as {@code rpc-runtime}
 */
public record Baseline(Path folder, Map<String, Path> jars) {

	/** What {@code baseline.sh} writes beside the jars. */
	private static final String COMMIT = "commit.txt";

	private static final List<String> NEEDED = List.of("rpc-runtime", "rpc-spring-boot-autoconfigure");

	private static final Pattern JAR = Pattern.compile("(.+?)-[0-9].*(?<!-sources|-javadoc|-tests)\\.jar");

	/**
	 * Read the folder.
	 * @param folder what {@code baseline.sh} wrote
	 * @return its jars
	 * @throws IllegalArgumentException if it holds no older build
	 */
	public static Baseline of(Path folder) {
		Map<String, Path> jars = new TreeMap<>();
		try (Stream<Path> files = Files.list(folder)) {
			for (Path file : files.sorted().toList()) {
				Path same = artifact(file).isEmpty() ? null : jars.put(artifact(file), file);
				if (same != null) {
					throw expected(folder, "one version of " + artifact(file));
				}
			}
		}
		catch (IOException ex) {
			throw expected(folder, "a folder, which benchmarks/baseline.sh writes");
		}
		if (!jars.keySet().containsAll(NEEDED)) {
			throw expected(folder, "jars of " + NEEDED + ", which benchmarks/baseline.sh writes");
		}
		return new Baseline(folder, jars);
	}

	private static IllegalArgumentException expected(Path folder, String rule) {
		return new IllegalArgumentException("--baseline: " + folder + " (expected: " + rule + ")");
	}

	/**
	 * The class path of the older build.
	 * @param current that of this build
	 * @return the jars of the folder, then what they do not replace: everything but this
	 * project's own modules and other versions of the same artifacts
	 */
	public String classPath(String current) {
		List<String> entries = new ArrayList<>();
		this.jars.values().forEach((jar) -> entries.add(jar.toString()));
		Predicate<Path> own = Baseline::isOwn;
		Arrays.stream(current.split(File.pathSeparator))
			.filter((entry) -> own.or((path) -> this.jars.containsKey(artifact(path))).negate().test(Path.of(entry)))
			.forEach(entries::add);
		return String.join(File.pathSeparator, entries);
	}

	/** Whether it is a module of this project, but not one of the benchmarks. */
	private static boolean isOwn(Path entry) {
		String module = artifact(entry);
		if (module.isEmpty() && entry.endsWith(Path.of("target", "classes")) && entry.getNameCount() > 2) {
			module = entry.getName(entry.getNameCount() - 3).toString();
		}
		return module.startsWith("rpc-") && !module.startsWith("rpc-benchmarks");
	}

	/** What the jar is of, without its version; empty if it is no jar of classes. */
	private static String artifact(Path entry) {
		Matcher matcher = JAR.matcher(String.valueOf(entry.getFileName()));
		return matcher.matches() ? matcher.group(1) : "";
	}

	/** Which build it is, for the report. */
	String describe() {
		String names = this.jars.values()
			.stream()
			.map((jar) -> String.valueOf(jar.getFileName()))
			.collect(Collectors.joining(", "));
		try {
			return Files.readString(this.folder.resolve(COMMIT)).trim() + ": " + names;
		}
		catch (IOException ex) {
			return names; // the jars came from elsewhere
		}
	}

}
