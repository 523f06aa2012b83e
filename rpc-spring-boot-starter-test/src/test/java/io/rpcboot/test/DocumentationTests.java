package io.rpcboot.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each Java snippet of the page about tests stands in a class that is compiled, and so
 * does what other pages say of controllers and of Spring Security.
 */
class DocumentationTests {

	private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

	@Test
	void documentationSnippets_areCompiled() throws IOException {
		assertThat(compiled("../docs/testing.md", "", ".")).isGreaterThanOrEqualTo(5);
		assertThat(compiled("../docs/context.md", "", ".")).isEqualTo(14);
		assertThat(compiled("../docs/operations.md", "@RestControllerAdvice", ".")).isOne();
		assertThat(compiled("../docs/reliability.md", "StockBreaker", "../rpc-spring-boot-autoconfigure")).isEqualTo(2);
		assertThat(compiled("../docs/dashboard.md", "", "../rpc-spring-boot-dashboard")).isOne();
	}

	private static int compiled(String page, String with, String module) throws IOException {
		List<String> sources = sources(Path.of(module, "src/test/java"));
		Matcher snippets = SNIPPET.matcher(Files.readString(Path.of(page)));
		int count = 0;
		while (snippets.find()) {
			String snippet = withoutIndentation(snippets.group(1));
			if (snippet.contains(with)) {
				assertThat(sources).as("a class that holds%n%s", snippet)
					.anyMatch((source) -> source.contains(snippet));
				count++;
			}
		}
		return count;
	}

	private static List<String> sources(Path folder) throws IOException {
		List<String> sources = new ArrayList<>();
		try (Stream<Path> files = Files.walk(folder)) {
			for (Path file : files.filter((each) -> each.toString().endsWith(".java")).toList()) {
				sources.add(withoutIndentation(Files.readString(file)));
			}
		}
		return sources;
	}

	private static String withoutIndentation(String text) {
		return text.lines().map(String::strip).filter((line) -> !line.isEmpty()).collect(Collectors.joining("\n"));
	}

}
