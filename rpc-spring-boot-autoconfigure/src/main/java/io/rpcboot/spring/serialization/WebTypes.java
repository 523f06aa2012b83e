package io.rpcboot.spring.serialization;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.serialization.Delegate;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;

/**
 * Delegates for types of Spring Web.
 *
 * @since 0.1.0
 */
public final class WebTypes {

	private WebTypes() {
	}

	static List<Delegate<?, ?>> delegates() {
		return List.of(
				new Delegate<HttpHeaders, Headers>(HttpHeaders.class, Headers.class, WebTypes::headers,
						WebTypes::headers),
				new Delegate<>(HttpStatusCode.class, Integer.class, HttpStatusCode::value, HttpStatusCode::valueOf),
				new Delegate<>(HttpMethod.class, String.class, HttpMethod::name, HttpMethod::valueOf),
				new Delegate<>(MediaType.class, String.class, MediaType::toString, MediaType::parseMediaType));
	}

	private static Headers headers(HttpHeaders headers) {
		Map<String, List<String>> values = new LinkedHashMap<>();
		headers.forEach(values::put);
		return new Headers(values);
	}

	private static HttpHeaders headers(Headers surrogate) {
		HttpHeaders headers = new HttpHeaders();
		surrogate.values().forEach(headers::put);
		return headers;
	}

	/**
	 * Surrogate of {@link HttpHeaders}.
	 *
	 * @param values by name, in their order
	 */
	public record Headers(Map<String, List<String>> values) {
	}

}
