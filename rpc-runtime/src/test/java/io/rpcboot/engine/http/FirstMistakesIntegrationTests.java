package io.rpcboot.engine.http;

import io.rpcboot.engine.http.HttpPeer.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Mistakes that people make with curl: the answer names the remedy. */
class FirstMistakesIntegrationTests extends AbstractHttpEngine {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			Greet   | ~~                        | no body (expected: a JSON object; {} has no parameters)
			Greet   | Ann                       | no JSON at byte
			Greet   | "Ann"                     | a text (expected: an object
			Greet   | [1]                       | an array (expected: an object
			Greet   | {name:1}                  | no JSON at byte
			Greet   | {"nam":"x"}               | name
			Greet   | {"name":1}                | name: an integer (expected: a text
			Greet   | {"name":"a","name":"b"}   | name
			Add     | {"left":"x"}              | left:
			Add     | {"left":3000000000}       | left:
			Add     | {} {}                     | behind
			Reverse | {"words":"a"}             | words: a text (expected: an array
			Reverse | {"words":["a",2]}         | words[1]:
			""")
	void badBody_isNamed(String method, String json, String text) {
		Response response = call(method, json);
		assertThat(response.body()).startsWith("{\"code\":\"invalid_argument\",\"message\":\"").contains(text);
		assertThat(response.status()).isEqualTo(400);
		assertThat(response.field("rpc-executed")).isEqualTo("false");
	}

	@Test
	void charset_isAccepted() {
		String json = "{\"name\":\"Ännchen\"}";
		HttpPeer peer = connect();
		byte[] bytes = json.getBytes(java.nio.charset.StandardCharsets.UTF_8);
		peer.send(HttpPeer.head(SERVICE + "Greet", "application/json; charset=UTF-8", bytes.length)).send(bytes);
		assertThat(peer.read().body()).isEqualTo("{\"value\":\"hello Ännchen\"}");
	}

	@Test
	void otherService_isNamed() {
		Response response = connect().post("/Calls/Greet", "{}").read();
		assertThat(response.status()).isEqualTo(404);
		assertThat(response.body())
			.contains("service 'Calls' is not offered here (nearest: io.rpcboot.engine.fixture.Calls)");
	}

	@Test
	void methodOfOneWay_isAnswered() {
		Response response = call("Notice", "{\"word\":\"x\"}");
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.body()).isEqualTo("{}");
	}

	@Test
	void exception_isInternalDetail_andNamed() {
		Response response = call("BreakDown", "{\"message\":\"secret\"}");
		assertThat(response.status()).isEqualTo(500);
		assertThat(response.body()).startsWith("{\"code\":\"unknown\"").contains("IllegalStateException");
	}

	@Test
	void timeout_isKept() {
		Response response = call("WaitForGate", "{\"name\":\"x\"}", "Connect-Timeout-Ms: 100");
		assertThat(response.status()).isEqualTo(504);
		assertThat(response.body()).startsWith("{\"code\":\"deadline_exceeded\"");
	}

	@ParameterizedTest
	@CsvSource({ "-1", "12345678901", "1s", "''" })
	void badTimeout_isNamed(String value) {
		Response response = call("Greet", "{}", "Connect-Timeout-Ms: " + value);
		assertThat(response.status()).isEqualTo(400);
		assertThat(response.body()).contains("connect-timeout-ms: '" + value + "' (expected: 1 to 10 digits)");
	}

}
