package io.rpcboot.engine.http;

import java.time.Duration;

import io.rpcboot.engine.http.HttpPeer.Response;
import io.rpcboot.server.CorsOptions;
import io.rpcboot.server.HttpOptions;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Pages in browsers: of other origins, of the same origin, and what a form may send. */
class CorsIntegrationTests extends AbstractHttpEngine {

	private static final String SHOP = "https://shop.example";

	private void start(CorsOptions cors) {
		start(builder().http(HttpOptions.defaults().withCors(cors)));
	}

	private Response preflight(String origin, String method, String headers) {
		return connect()
			.send("OPTIONS " + SERVICE + "Greet HTTP/1.1\r\nHost: rpc.example\r\nOrigin: " + origin
					+ "\r\nAccess-Control-Request-Method: " + method + "\r\n"
					+ (headers.isEmpty() ? "" : "Access-Control-Request-Headers: " + headers + "\r\n") + "\r\n")
			.read();
	}

	@Test
	void preflight_isRefused_withoutCors() {
		Response response = preflight(SHOP, "POST", "content-type");
		assertThat(response.status()).isEqualTo(405);
		assertThat(response.field("access-control-allow-origin")).isNull();
	}

	@Test
	void callOfNamedOrigin_isServed() {
		start(CorsOptions.defaults()
			.withAllowedOrigins(SHOP, "http://localhost:3000")
			.withAllowedHeaders("Content-Type", "Connect-Timeout-Ms")
			.withExposedHeaders("Trailer-Cost")
			.withMaxAge(Duration.ofMinutes(10)));
		Response asked = preflight(SHOP, "POST", "content-type, connect-timeout-ms");
		assertThat(asked.status()).isEqualTo(204);
		assertThat(asked.body()).isEmpty();
		assertThat(asked.field("access-control-allow-origin")).isEqualTo(SHOP);
		assertThat(asked.field("access-control-allow-methods")).isEqualTo("GET, POST");
		assertThat(asked.field("access-control-allow-headers")).isEqualTo("content-type, connect-timeout-ms");
		assertThat(asked.field("access-control-max-age")).isEqualTo("600");
		assertThat(asked.field("access-control-allow-credentials")).isNull();
		assertThat(asked.field("vary")).contains("origin");
		Response response = call("Greet", "{\"name\":\"Ann\"}", "Origin: " + SHOP);
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.field("access-control-allow-origin")).isEqualTo(SHOP);
		assertThat(response.field("access-control-expose-headers")).isEqualTo("trailer-cost");
		assertThat(response.field("vary")).isEqualTo("origin");
	}

	@Test
	void failure_isReadableByPage() {
		start(CorsOptions.defaults().withAllowedOrigins(SHOP));
		Response response = call("BreakDown", "{\"message\":\"no\"}", "Origin: " + SHOP);
		assertThat(response.status()).isEqualTo(500);
		assertThat(response.field("access-control-allow-origin")).isEqualTo(SHOP);
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://evil.example", "http://shop.example", "https://shop.example.evil", "null",
			"https://shop.example:8443", "HTTPS://SHOP.EXAMPLE" })
	void callOfOtherOrigin_isRefused_andNotRun(String origin) {
		start(CorsOptions.defaults().withAllowedOrigins(SHOP));
		assertThat(preflight(origin, "POST", "").status()).isEqualTo(405);
		Response response = call("Greet", "{\"name\":\"Ann\"}", "Origin: " + origin);
		assertThat(response.status()).isEqualTo(403);
		assertThat(response.body()).contains("rpc.server.http.cors.allowed-origins");
		assertThat(response.field("access-control-allow-origin")).isNull();
	}

	@Test
	void callOfSameOrigin_isServed() {
		start(CorsOptions.defaults().withAllowedOrigins(SHOP));
		assertThat(call("Greet", "{\"name\":\"Ann\"}", "Origin: http://localhost").status()).isEqualTo(200);
	}

	@Test
	void callOfNoPage_isServed() {
		start(CorsOptions.defaults().withAllowedOrigins(SHOP));
		Response response = call("Greet", "{\"name\":\"Ann\"}");
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.field("vary")).as("caches know that others may differ").isEqualTo("origin");
	}

	@Test
	void refusals_areReadableByPage() {
		start(CorsOptions.defaults().withAllowedOrigins(SHOP));
		Response response = connect().send(HttpPeer.head(SERVICE + "Greet", "text/plain", 0, "Origin: " + SHOP)).read();
		assertThat(response.status()).isEqualTo(415);
		assertThat(response.field("access-control-allow-origin")).isEqualTo(SHOP);
	}

	@Test
	void allOrigins_areNamedInAnswer_butNotThatOfFiles() {
		start(CorsOptions.defaults().withAllowedOrigins("*"));
		assertThat(preflight(SHOP, "POST", "x-any").field("access-control-allow-origin")).isEqualTo(SHOP);
		assertThat(preflight("null", "POST", "").status()).isEqualTo(405);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PUT", "HEAD", "get", "post" })
	void otherMethods_areRefused(String method) {
		start(CorsOptions.defaults().withAllowedOrigins(SHOP));
		assertThat(preflight(SHOP, method, "").status()).isEqualTo(405);
	}

	@Test
	void otherHeaders_areRefused() {
		start(CorsOptions.defaults().withAllowedOrigins(SHOP).withAllowedHeaders("content-type"));
		assertThat(preflight(SHOP, "POST", "content-type, x-other").status()).isEqualTo(405);
	}

	/** Without a question before, a browser sends these alone. */
	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
			"text/plain; charset=application/json" })
	void request_ofForm_runsNothing(String type) {
		String body = "{\"name\":\"Ann\"}";
		HttpPeer peer = connect();
		peer.send(HttpPeer.head(SERVICE + "Greet", type, body.length(), "Origin: https://evil.example")).send(body);
		assertThat(peer.read().status()).isEqualTo(415);
	}

	@Test
	void wildcardWithCredentials_endsStart() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> CorsOptions.defaults().withAllowedOrigins("*").withCredentials(true))
			.withMessageContaining("http.cors.allowed-origins");
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> CorsOptions.defaults().withCredentials(true).withAllowedOrigins("*"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "shop.example", "https://shop.example/", "https://shop.example/app", "https://", "",
			"https://*.shop.example", "https://user@shop.example" })
	void originThatIsNone_endsStart(String origin) {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> CorsOptions.defaults().withAllowedOrigins(origin))
			.withMessageContaining("'" + origin + "'");
	}

}
