package io.rpcboot.spring.autoconfigure.properties;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.spring.autoconfigure.client.RpcClientProperties;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import tools.jackson.databind.json.JsonMapper;

/** Properties of the metadata, and the tests that name them in {@link PropertyEffect}. */
final class PropertyEffects {

	private PropertyEffects() {
	}

	/** Returns the names of all properties of this module. */
	@SuppressWarnings("unchecked")
	static Set<String> ofMetadata() {
		try (InputStream in = RpcClientProperties.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			Map<String, List<Map<String, Object>>> metadata = JsonMapper.shared().readValue(in, Map.class);
			Set<String> names = new TreeSet<>();
			metadata.get("properties").forEach((property) -> names.add((String) property.get("name")));
			return names;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the names in the tables of the page about configuration, also those of
	 * single references, services and methods, which the metadata does not have.
	 */
	static Set<String> ofDocument() {
		try {
			return Pattern.compile("(?m)^\\| `((?:rpc|management)\\.[^` ]+)` (?:\\|[^|]+){3}\\|$")
				.matcher(Files.readString(Path.of("../docs/configuration.md")))
				.results()
				.map((row) -> row.group(1).replace("[<class>]", ""))
				.flatMap((name) -> Stream.of(name.replace("{server,client}", "server"),
						name.replace("{server,client}", "client")))
				.filter((name) -> !name.startsWith("rpc.dashboard."))
				.collect(Collectors.toCollection(TreeSet::new));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the tests by the property that they name. */
	static SortedMap<String, List<DiscoverySelector>> tests() {
		SortedMap<String, List<DiscoverySelector>> tests = new TreeMap<>();
		Path root = Path
			.of(URI.create(PropertyEffects.class.getProtectionDomain().getCodeSource().getLocation().toString()));
		try (Stream<Path> files = Files.walk(root)) {
			files.map((file) -> root.relativize(file).toString())
				.filter((file) -> file.matches(".*Tests(\\$.*)?\\.class"))
				.sorted()
				.forEach((file) -> addTests(load(file), tests));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return tests;
	}

	private static Class<?> load(String file) {
		String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
		try {
			return Class.forName(name, false, PropertyEffects.class.getClassLoader());
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void addTests(Class<?> type, SortedMap<String, List<DiscoverySelector>> tests) {
		addTest(type.getAnnotation(PropertyEffect.class), DiscoverySelectors.selectClass(type), tests);
		for (Method method : type.getDeclaredMethods()) {
			addTest(method.getAnnotation(PropertyEffect.class), DiscoverySelectors.selectMethod(type, method), tests);
		}
	}

	private static void addTest(PropertyEffect effect, DiscoverySelector test,
			SortedMap<String, List<DiscoverySelector>> tests) {
		if (effect != null) {
			for (String property : effect.value()) {
				tests.computeIfAbsent(property, (name) -> new ArrayList<>()).add(test);
			}
		}
	}

}
