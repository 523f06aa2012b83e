package io.rpcboot.engine.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

import io.rpcboot.engine.http.HttpPeer.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls of Connect over HTTP/1.1, with JSON and protobuf. */
class HttpCallsIntegrationTests extends AbstractHttpEngine {

	@Test
	void call_isAnswered_inJson() {
		Response response = call("Greet", "{\"name\":\"Ann\"}");
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.body()).isEqualTo("{\"value\":\"hello Ann\"}");
		assertThat(response.field("content-type")).isEqualTo("application/json");
		assertThat(response.field("connection")).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "Add | {\"left\":1,\"right\":2} | {\"value\":3}",
			"Add | {\"left\":\"1\",\"right\":1e1} | {\"value\":11}", "Add | {} | {}", "Nothing | {} | {}",
			"Reverse | {\"words\":[\"a\",\"b\"]} | {\"value\":[\"b\",\"a\"]}",
			"greet | {\"name\":\"x\"} | {\"value\":\"hello x\"}", "Later | {\"name\":\"x\"} | {\"value\":\"later x\"}",
			"Echo | {\"bytes\":\"AQI\"} | {\"value\":\"AQI=\"}" })
	void methods_ofAllStyles_areCalled(String method, String request, String result) {
		Response response = call(method, request);
		assertThat(response.body()).isEqualTo(result);
		assertThat(response.status()).isEqualTo(200);
	}

	@Test
	void message_ofProtobuf_isAnsweredInProtobuf() {
		HttpPeer peer = connect();
		byte[] request = { 10, 3, 'A', 'n', 'n' };
		peer.send(HttpPeer.head(SERVICE + "Greet", "application/proto", request.length)).send(request);
		Response response = peer.read();
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.field("content-type")).isEqualTo("application/proto");
		assertThat(response.body()).isEqualTo("\n\thello Ann");
	}

	@Test
	void connection_carriesOneCallAfterTheOther_alsoIfTheyArriveTogether() {
		HttpPeer peer = connect();
		for (int i = 0; i < 100; i++) {
			assertThat(peer.post(SERVICE + "Add", "{\"left\":%d,\"right\":1}".formatted(i)).read().body())
				.isEqualTo("{\"value\":%d}".formatted(i + 1));
		}
		StringBuilder together = new StringBuilder();
		for (int i = 0; i < 100; i++) {
			String body = "{\"left\":%d,\"right\":1}".formatted(i);
			together.append(HttpPeer.head(SERVICE + "Add", "application/json", body.length())).append(body);
		}
		peer.send(together.toString());
		for (int i = 0; i < 100; i++) {
			assertThat(peer.read().body()).isEqualTo("{\"value\":%d}".formatted(i + 1));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 1000, 40_000, 66_000, 300_000, 3_000_000 })
	void bodyOfAnyLength_arrives_wholeOrInChunks(int length) {
		byte[] bytes = new byte[length];
		Arrays.fill(bytes, (byte) 7);
		String json = "{\"bytes\":\"%s\"}".formatted(Base64.getEncoder().encodeToString(bytes));
		String expected = json.replace("bytes", "value");
		HttpPeer peer = connect();
		assertThat(peer.post(SERVICE + "Echo", json).read().body()).isEqualTo(expected);
		peer.send("POST " + SERVICE + "Echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
				+ "Transfer-Encoding: chunked\r\n\r\n");
		byte[] all = json.getBytes(StandardCharsets.US_ASCII);
		int step = Math.max(1, all.length / 7);
		for (int at = 0; at < all.length; at += step) {
			int count = Math.min(step, all.length - at);
			peer.send(Integer.toHexString(count) + "\r\n");
			peer.send(Arrays.copyOfRange(all, at, at + count));
			peer.send("\r\n");
		}
		peer.send("0\r\n\r\n");
		assertThat(peer.read().body()).isEqualTo(expected);
	}

	@Test
	void bodyThatIsNoGzip_isBadRequest() {
		byte[] body = HexFormat.of().parseHex("1f8b080000000000000061626364650000000001000000");
		HttpPeer peer = connect();
		for (byte[] each : new byte[][] { body, Arrays.copyOf(body, 5), { 'x' } }) {
			peer.send(HttpPeer.head(SERVICE + "Nothing", "application/json", each.length, "Content-Encoding: gzip"))
				.send(each);
			Response response = peer.read();
			assertThat(response.status()).as(response.body()).isEqualTo(400);
			assertThat(response.body()).startsWith("{\"code\":\"invalid_argument\",").contains("gzip");
		}
	}

	@Test
	void binaryFieldThatIsNoBase64_isBadRequest() {
		Response response = call("Nothing", "{}", "X-Mine-Bin: ***");
		assertThat(response.status()).isEqualTo(400);
		assertThat(response.body()).contains("\"code\":\"invalid_argument\"", "x-mine-bin (expected: Base64)");
	}

	@Test
	void declaredException_isInDetails() {
		Response response = call("Refuse", "{\"reason\":\"no\"}");
		assertThat(response.status()).isEqualTo(500);
		assertThat(response.field("content-type")).isEqualTo("application/json");
		assertThat(response.field("rpc-executed")).isEqualTo("true");
		assertThat(response.body())
			.startsWith("{\"code\":\"unknown\",\"message\":\"RefusedException: no\",\"details\":[")
			.contains("\"type\":\"io.rpcboot.engine.fixture.RefusedException\"");
	}

}
