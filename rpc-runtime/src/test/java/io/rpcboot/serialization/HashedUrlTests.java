package io.rpcboot.serialization;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The hash code of a URL asks the network, so none is read where hash codes are computed.
 */
public class HashedUrlTests {

	/** Without a host, so that the tests may hash it. */
	private static final URL FILE = file();

	static List<Serializer> serializers() {
		return SilentChangesTests.serializers().toList();
	}

	private static URL file() {
		try {
			return URI.create("file:/a").toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Object echo(Serializer serializer, String method, Object value) {
		return SilentChangesTests.echo(SilentChangesTests.method(serializer, Service.class, method), value);
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void url_isRefused_withinSetOrKey(Serializer serializer) {
		Endpoint endpoint = new Endpoint(FILE, "a");
		Map<String, Object> values = new TreeMap<>(Map.of("endpoints", Set.of(endpoint), "lists", Set.of(List.of(FILE)),
				"optionals", Map.of(Optional.of(FILE), "a"), "records", Map.of(endpoint, "a")));
		values.put("any", Set.of(List.of(endpoint)));
		values.put("anyKeys", Map.of(endpoint, "a"));
		values.forEach((method, value) -> assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> echo(serializer, method, value))
			.withMessageContaining("." + method + "(): result")
			.withMessageEndingWith(
					": a URL in a set or a key, whose hash code asks the network for the address of its host (expected: java.net.URI)"));
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void url_isRead_outsideSetsAndKeys(Serializer serializer) {
		Endpoint endpoint = new Endpoint(FILE, "a");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> echo(serializer, "endpoints", Set.of(endpoint)));
		Set<Endpoint> without = Set.of(new Endpoint(null, "a"), new Endpoint(null, "b"));
		assertThat(echo(serializer, "endpoints", without)).isEqualTo(without);
		Map<Endpoint, List<URL>> values = Map.of(new Endpoint(null, "a"), List.of(FILE), new Endpoint(null, "b"),
				List.of(FILE, FILE));
		assertThat(echo(serializer, "values", values)).isEqualTo(values);
		List<Object> behind = new ArrayList<>(List.of(Set.of(new Endpoint(null, "a")), endpoint));
		assertThat(echo(serializer, "any", behind)).isEqualTo(behind);
	}

	/** Where a URL would be hashed, and where not. */
	public interface Service {

		Set<Endpoint> endpoints();

		Set<List<URL>> lists();

		Map<Optional<URL>, String> optionals();

		Map<Endpoint, String> records();

		Map<Endpoint, List<URL>> values();

		Object any();

		Map<Object, String> anyKeys();

	}

	/** Its hash code is made of that of its URL. */
	public record Endpoint(URL url, String name) {
	}

}
