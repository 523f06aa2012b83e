package io.rpcboot.engine.http;

import java.nio.charset.StandardCharsets;

import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.engine.http.HttpPeer.Response;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.SharedSecret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Health of a server by JSON. */
class HealthByJsonIntegrationTests extends AbstractHttpEngine {

	private static final String HEALTH = "/grpc.health.v1.Health/";

	private static final String SECRET = "0123456789abcdef";

	private Response ask(String method, String json, String... fields) {
		return connect().post(HEALTH + method, json, fields).read();
	}

	private void startWithSecret() {
		start(builder().access(AccessOptions.defaults()
			.withAuthenticator(new SharedSecret(SECRET))
			.withClearTextCredentials(true)
			.withAnonymousCallers(false)));
	}

	@Test
	void check_isAnswered() {
		HttpPeer peer = connect();
		for (int i = 0; i < 40; i++) {
			Response response = peer.post(HEALTH + "Check", "{}").read();
			assertThat(response.status()).isEqualTo(200);
			assertThat(response.field("content-type")).isEqualTo("application/json");
			assertThat(response.body()).isEqualTo("{\"status\":\"SERVING\"}");
		}
		assertThat(ask("Check", "{\"service\":\"io.rpcboot.engine.fixture.Calls\"}").body()).contains("SERVING");
		assertThat(ask("List", "{}").body()).startsWith("{\"statuses\":{\"\":{\"status\":\"SERVING\"}");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "Check | {\"service\":\"x.Y\"} | 404 | is not offered here",
					"Check | {\"servce\":1} | 400 | servce", "Check | '' | 400 | no body", "Check | [] | 400 | object",
					"Watch | {} | 404 | to POST", "Chek | {} | 404 | nearest: Check" })
	void badRequest_isNamed(String method, String json, int status, String text) {
		Response response = ask(method, json);
		assertThat(response.status()).isEqualTo(status);
		assertThat(response.body()).contains(text);
	}

	@Test
	void longRequest_isRefused_withAndWithoutItsLength() {
		String json = "{\"service\":\"" + "x".repeat(2000) + "\"}";
		assertThat(ask("Check", json).status()).isEqualTo(400);
		Response response = connect().send("POST " + HEALTH
				+ "Check HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
				+ Integer.toHexString(json.length()) + "\r\n" + json + "\r\n0\r\n\r\n")
			.read();
		assertThat(response.status()).isEqualTo(400);
		assertThat(response.body()).contains("expected: at most 1024");
	}

	@Test
	void expectedContinue_isSent_orTheAnswer() {
		HttpPeer peer = connect();
		String head = "POST " + HEALTH + "%s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
				+ "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n";
		assertThat(peer.send(head.formatted("Check")).read().status()).isEqualTo(100);
		assertThat(peer.send("{}").read().status()).isEqualTo(200);
		startAnother();
		HttpPeer stranger = connect().send(head.formatted("List"));
		int status = stranger.read().status(); // the decision may come later
		assertThat((status == 100) ? stranger.send("{}").read().status() : status).isEqualTo(401);
	}

	/** Replaces the server by one that knows its callers. */
	private void startAnother() {
		this.server.close();
		startWithSecret();
	}

	@Test
	void compressedRequest_isRefused() {
		assertThat(ask("Check", "{}", "Content-Encoding: gzip").status()).isEqualTo(501);
	}

	@Test
	void strangers_learnTheServerAlone() {
		startWithSecret();
		assertThat(ask("Check", "{}").status()).isEqualTo(200);
		assertThat(ask("Check", "{\"service\":\"liveness\"}").status()).isEqualTo(200);
		for (String service : new String[] { "io.rpcboot.engine.fixture.Calls", "x.Y" }) {
			Response response = ask("Check", "{\"service\":\"" + service + "\"}");
			assertThat(response.status()).as(service).isEqualTo(401);
			assertThat(response.field("rpc-executed")).isEqualTo("false");
		}
		assertThat(ask("List", "{}").status()).isEqualTo(401);
		assertThat(ask("List", "{}", "Authorization: Bearer " + SECRET).status()).isEqualTo(200);
		assertThat(ask("Check", "{\"service\":\"x.Y\"}", "Authorization: Bearer " + SECRET).status()).isEqualTo(404);
	}

	@Test
	void requestsOfStrangers_areGivenBack() {
		startWithSecret();
		HttpPeer peer = connect();
		for (int i = 0; i < 40; i++) { // over the limit of open ones
			assertThat(peer.post(HEALTH + "Check", "{}").read().status()).isEqualTo(200);
			assertThat(ask("List", "{}").status()).isEqualTo(401);
		}
	}

	@Test
	void checkInProtobuf_isAnswered_overHttp2() throws Exception {
		Http2Peer peer = Http2Peer.connect(port(), new Http2Settings());
		atEnd(peer::close);
		Http2Headers headers = GrpcBytes.request(HEALTH + "Check").set("content-type", "application/proto");
		GrpcExchange call = peer.open(headers, true).await();
		assertThat(call.httpStatus()).isEqualTo("200");
		assertThat(call.data()).containsExactly(8, 1);
		GrpcExchange named = peer.open(headers, false);
		peer.data(named, GrpcBytes.text("x.Y"), true);
		assertThat(named.await().httpStatus()).isEqualTo("404");
		assertThat(new String(named.data(), StandardCharsets.UTF_8)).contains("\"code\":\"not_found\"");
	}

}
