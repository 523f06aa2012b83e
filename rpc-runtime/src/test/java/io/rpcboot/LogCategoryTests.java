package io.rpcboot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Loggers of main code are the categories of docs/operations.md, whatever class logs. */
class LogCategoryTests {

	private static final Path DOCUMENT = Path.of("..", "docs", "operations.md");

	private static final Pattern ROW = Pattern.compile("^\\| `(rpc[\\w.]*)` \\| ", Pattern.MULTILINE);

	private static final Pattern LITERAL = Pattern.compile(
			"(?:getLogger|getLog|new RateLimitedLog)\\(\"([^\"]*)\"|(?:LOGGER|CLIENT|SERVER) = \"(rpc\\.[^\"]*)\"");

	private static final Pattern OF_CLASS = Pattern
		.compile("(?:getLogger|getLog|new RateLimitedLog)\\(\\s*(?:\\w+\\.class|getClass\\(\\))");

	@Test
	void logCategories_matchDocument() throws IOException {
		String document = Files.readString(DOCUMENT);
		String section = document.substring(document.indexOf("## Log categories"), document.indexOf("## Log lines"));
		Set<String> documented = ROW.matcher(section)
			.results()
			.map((row) -> row.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
		Set<String> used = new TreeSet<>();
		try (Stream<Path> files = Files.walk(Path.of(".."), 16)) {
			for (Path each : files.filter(LogCategoryTests::isMainCode).toList()) {
				String source = Files.readString(each);
				assertThat(OF_CLASS.matcher(source).find()).as("a logger named after a class in %s", each).isFalse();
				Matcher names = LITERAL.matcher(source);
				names.results().map(LogCategoryTests::name).forEach(used::add);
			}
		}
		assertThat(used).isEqualTo(documented);
	}

	private static String name(MatchResult found) {
		return (found.group(1) != null) ? found.group(1) : found.group(2);
	}

	private static boolean isMainCode(Path file) {
		String path = file.toString().replace('\\', '/');
		return path.startsWith("../rpc-") && path.contains("/src/main/java/") && path.endsWith(".java");
	}

}
