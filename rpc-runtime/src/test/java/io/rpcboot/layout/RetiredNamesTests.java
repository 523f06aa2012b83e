package io.rpcboot.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names of classes that are not used, because a standard term says the same: no class has
 * one, and no link of a comment and no code span of a page points at one.
 */
class RetiredNamesTests {

	private static final Pattern LINKED = Pattern.compile("\\{@(?:link|linkplain|code) (\\w+)|@see (\\w+)");

	private static final Pattern CODE_SPAN = Pattern.compile("`(\\w+)(?:[.#(][^`]*)?`");

	@Test
	void classes_haveNoRetiredName() throws IOException {
		Set<String> retired = retired();
		assertThat(Modules.mainTexts().keySet().stream().filter((file) -> retired.contains(simpleName(file))))
			.isEmpty();
	}

	@Test
	void links_pointAtNoRetiredName() throws IOException {
		assertThat(found(Modules.mainTexts(), LINKED)).isEmpty();
	}

	@Test
	void pages_containNoRetiredName() throws IOException {
		Map<String, String> pages = pages();
		assertThat(pages).containsKeys("README.md", "CONTRIBUTING.md", "docs/architecture.md");
		assertThat(found(pages, CODE_SPAN)).isEmpty();
	}

	private static List<String> found(Map<String, String> texts, Pattern pattern) throws IOException {
		Set<String> retired = retired();
		List<String> found = new ArrayList<>();
		texts.forEach((file, text) -> pattern.matcher(text)
			.results()
			.map(RetiredNamesTests::name)
			.filter(retired::contains)
			.forEach((name) -> found.add(file + ": " + name)));
		return found;
	}

	private static String simpleName(String file) {
		return file.substring(file.lastIndexOf('/') + 1, file.length() - ".java".length());
	}

	private static String name(MatchResult match) {
		String first = match.group(1);
		return (first != null) ? first : match.group(2);
	}

	private static Set<String> retired() throws IOException {
		Set<String> names = new TreeSet<>(
				Files.readAllLines(Path.of("src", "test", "resources", "layout", "retired-names.txt")));
		assertThat(names).hasSizeGreaterThan(200);
		return names;
	}

	private static Map<String, String> pages() throws IOException {
		Map<String, String> result = new TreeMap<>();
		Path root = Path.of("..");
		for (Path folder : List.of(root, root.resolve("docs"))) {
			try (Stream<Path> files = Files.list(folder)) {
				for (Path each : files.filter((file) -> file.toString().endsWith(".md")).toList()) {
					result.put(root.relativize(each).toString(), Files.readString(each));
				}
			}
		}
		return result;
	}

}
