package io.rpcboot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The engine names the options of a server, a client, a registry and types without the
 * prefix of their properties: the starter alone knows it, and adds it. The names of
 * meters and of the loggers of calls look the same and are the engine's own.
 */
class PropertyNamesTests {

	private static final Path SOURCES = Path.of("src", "main", "java", "io", "rpcboot");

	private static final List<Path> OTHER_NAMES = List.of(SOURCES.resolve(Path.of("metrics", "micrometer")),
			SOURCES.resolve(Path.of("internal", "logging")));

	private static final Pattern PROPERTY = Pattern.compile("\\brpc\\.(server|client|registry|serialization)\\.");

	@Test
	void engineCode_namesNoSpringProperty() throws IOException {
		List<Path> sources;
		try (Stream<Path> all = Files.walk(SOURCES)) {
			sources = all.filter((path) -> path.toString().endsWith(".java"))
				.filter((path) -> OTHER_NAMES.stream().noneMatch(path::startsWith))
				.toList();
		}
		assertThat(sources).hasSizeGreaterThan(100);
		for (Path each : sources) {
			assertThat(Files.readAllLines(each)).as(each.toString())
				.noneMatch((line) -> PROPERTY.matcher(line).find() && !line.contains("LoggerFactory.getLogger("));
		}
	}

}
