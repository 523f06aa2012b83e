package io.rpcboot.spring.autoconfigure.properties;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.rpcboot.spring.autoconfigure.client.RpcClientProperties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ConfigurationMetadataTests {

	/**
	 * Empty until someone sets them: a map, and what is derived from other properties.
	 */
	private static final List<String> WITHOUT_DEFAULT = List.of("rpc.server.limits.connections-per-address",
			"rpc.client.references", "rpc.client.routing.zone", "rpc.client.services", "rpc.client.forward-attachments",
			"rpc.client.serializer", "rpc.registry.discovery-client.applications", "rpc.registry.type",
			"rpc.registry.zookeeper.sasl.enabled", "rpc.registry.zookeeper.ssl.enabled", "rpc.relay.port",
			"rpc.relay.routes", "rpc.serialization.subtypes", "rpc.server.address-filter.allow",
			"rpc.server.address-filter.deny", "rpc.server.dispatch", "rpc.server.http.cors.allowed-origins",
			"rpc.server.http.cors.exposed-headers", "rpc.server.log-attachments", "rpc.server.preferred-networks",
			"rpc.server.limits.tls-handshakes", "rpc.server.proxy-protocol.from", "rpc.server.serializers",
			"rpc.server.services", "rpc.tracing.enabled");

	private static final List<Map<String, Object>> properties = new ArrayList<>();

	private static final List<Object> hints = new ArrayList<>();

	@BeforeAll
	@SuppressWarnings("unchecked")
	static void read() throws IOException {
		try (InputStream in = RpcClientProperties.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			Map<String, Object> metadata = JsonMapper.shared().readValue(in, Map.class);
			properties.addAll((List<Map<String, Object>>) metadata.get("properties"));
			((List<Map<String, Object>>) metadata.get("hints")).forEach((hint) -> hints.add(hint.get("name")));
		}
		properties.removeIf((property) -> !name(property).startsWith("rpc."));
	}

	@Test
	void properties_haveDescriptions() {
		assertThat(properties).isNotEmpty()
			.allSatisfy((property) -> assertThat((String) property.get("description")).as(name(property))
				.isNotNull()
				.matches("(?s)[A-Z].*\\."));
	}

	@Test
	void properties_haveDefaultValues() {
		assertThat(properties).filteredOn((property) -> !WITHOUT_DEFAULT.contains(name(property)))
			.allSatisfy((property) -> assertThat(property.get("defaultValue")).as(name(property)).isNotNull());
	}

	/**
	 * What nothing binds ends the start: properties that only conditions look at, too.
	 */
	@Test
	void documentedProperties_areInMetadata() throws IOException {
		List<String> documented = Pattern.compile("(?m)^\\| `(rpc\\.[a-z.-]+)` (\\|[^|]+){3}\\|$")
			.matcher(Files.readString(Path.of("../docs/configuration.md")))
			.results()
			.map((each) -> each.group(1))
			.filter((name) -> !name.startsWith("rpc.client.references.") && !name.startsWith("rpc.dashboard."))
			.toList();
		assertThat(documented).hasSizeGreaterThan(50);
		assertThat(properties).extracting(ConfigurationMetadataTests::name).containsAll(documented);
	}

	@Test
	void enumProperties_haveHints() {
		assertThat(properties).filteredOn((property) -> ((String) property.get("type")).startsWith("io.rpcboot."))
			.isNotEmpty()
			.allSatisfy((property) -> assertThat(hints).contains(name(property)));
	}

	@Test
	void clientProperties_shareNamesWithServer() {
		List<String> server = names("rpc.server.");
		assertThat(names("rpc.client.")).filteredOn((name) -> name.matches("(batching|event-loop|memory|socket)\\..*"))
			.isNotEmpty()
			.isSubsetOf(server);
	}

	private static List<String> names(String prefix) {
		return properties.stream()
			.map(ConfigurationMetadataTests::name)
			.filter((name) -> name.startsWith(prefix))
			.map((name) -> name.substring(prefix.length()))
			.toList();
	}

	private static String name(Map<String, Object> property) {
		return (String) property.get("name");
	}

}
