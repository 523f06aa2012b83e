package io.rpcboot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages of the engine name the property of the side that sets a limit, because they
 * cross the wire. Each of these properties is documented. Options of a builder have names
 * without a prefix; the starter adds it.
 */
class PropertyNamesTests {

	private static final Path SOURCES = Path.of("src", "main", "java", "io", "rpcboot");

	private static final List<Path> OTHER_NAMES = List.of(SOURCES.resolve(Path.of("metrics", "micrometer")),
			SOURCES.resolve(Path.of("internal", "logging")));

	private static final Pattern PROPERTY = Pattern
		.compile("\\brpc\\.(?:server|client|registry|serialization)\\.[a-z.-]*[a-z]");

	@Test
	void engineMessages_nameDocumentedProperties() throws IOException {
		String page = Files.readString(Path.of("..", "docs", "configuration.md"));
		String documented = page + page.replace("rpc.{server,client}.", "rpc.server.")
				+ page.replace("rpc.{server,client}.", "rpc.client.");
		List<Path> sources;
		try (Stream<Path> all = Files.walk(SOURCES)) {
			sources = all.filter((path) -> path.toString().endsWith(".java"))
				.filter((path) -> OTHER_NAMES.stream().noneMatch(path::startsWith))
				.toList();
		}
		List<String> named = new ArrayList<>();
		for (Path each : sources) {
			Files.readAllLines(each)
				.stream()
				.filter((line) -> !line.contains("LoggerFactory.getLogger("))
				.flatMap((line) -> PROPERTY.matcher(line).results().map(MatchResult::group))
				.forEach(named::add);
		}
		assertThat(named).hasSizeGreaterThan(10)
			.allSatisfy((property) -> assertThat(documented).contains("`" + property + "`"));
	}

}
