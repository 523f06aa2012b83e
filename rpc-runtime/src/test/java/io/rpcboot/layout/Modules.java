package io.rpcboot.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The modules of the build and their source files, without the benchmarks. */
final class Modules {

	private static final Path ROOT = Path.of("..");

	private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

	private Modules() {
	}

	/** Folders of the modules, relative to the root. */
	static List<String> names() throws IOException {
		return MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")))
			.results()
			.map((MatchResult match) -> match.group(1))
			.filter((name) -> !name.startsWith("benchmarks"))
			.toList();
	}

	/** Java files of a module, none if it has no such tree. */
	private static List<Path> sources(String module, String tree) throws IOException {
		Path folder = folder(module, tree);
		if (!Files.isDirectory(folder)) {
			return List.of();
		}
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.toString().endsWith(".java")).sorted().toList();
		}
	}

	/** Number of files of each package: "module tree package". */
	static Map<String, Integer> packages() throws IOException {
		Map<String, Integer> result = new TreeMap<>();
		for (String module : names()) {
			for (String tree : List.of("main", "test")) {
				for (Path file : sources(module, tree)) {
					String name = folder(module, tree).relativize(file.getParent()).toString().replace('/', '.');
					result.merge("%s %s %s".formatted(module, tree, name), 1, Integer::sum);
				}
			}
		}
		return result;
	}

	/** Text of each file of main code: "module/src/main/java/package/Name.java". */
	static Map<String, String> mainTexts() throws IOException {
		return texts("main");
	}

	/** Text of each file of test code: "module/src/test/java/package/Name.java". */
	static Map<String, String> testTexts() throws IOException {
		return texts("test");
	}

	private static Map<String, String> texts(String tree) throws IOException {
		Map<String, String> result = new TreeMap<>();
		for (String module : names()) {
			for (Path file : sources(module, tree)) {
				result.put(ROOT.relativize(file).toString(), Files.readString(file));
			}
		}
		return result;
	}

	private static Path folder(String module, String tree) {
		return ROOT.resolve(module).resolve(Path.of("src", tree, "java"));
	}

}
