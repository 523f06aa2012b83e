package io.rpcboot.engine.http;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.engine.http.HttpPeer.Response;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.SharedSecret;
import io.rpcboot.server.CorsOptions;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.server.HttpOptions;
import io.rpcboot.server.RpcServerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls of Connect by GET: of methods without side effects, and of no others. */
class HttpGetIntegrationTests extends AbstractHttpEngine {

	private static final String STOCK = "/io.rpcboot.engine.http.Stock/";

	private static final String QUERY = "?connect=v1&encoding=json&message=%7B%22article%22%3A%22a+b%22%2C%22count%22%3A2%7D";

	private final List<String> run = new CopyOnWriteArrayList<>();

	@Override
	protected RpcServerBuilder builder() {
		return super.builder().service(Stock.class, new Stock() {
			@Override
			public String find(String article, int count) {
				HttpGetIntegrationTests.this.run.add("find");
				return (article + " ").repeat(count);
			}

			@Override
			public String set(String article, int count) {
				HttpGetIntegrationTests.this.run.add("set");
				return article;
			}

			@Override
			public String fail(String why) {
				throw new RpcException(RpcStatus.valueOf(why), "as asked", true);
			}
		});
	}

	private Response get(String target, String... fields) {
		return connect()
			.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + String.join("\r\n", fields)
					+ ((fields.length > 0) ? "\r\n\r\n" : "\r\n"))
			.read();
	}

	@Test
	void safeMethod_isCalled() {
		Response response = get(STOCK + "Find" + QUERY);
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.field("content-type")).isEqualTo("application/json");
		assertThat(response.body()).isEqualTo("{\"value\":\"a b a b \"}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "encoding=json&message=%7B%22article%22:%22%C3%A4%22,%22count%22:1%7D",
			"message=eyJhcnRpY2xlIjoiw6QiLCJjb3VudCI6MX0&base64=1&encoding=json&compression=identity",
			"base64=1&encoding=json&message=eyJhcnRpY2xlIjoiw6QiLCJjb3VudCI6MX0%3D&other=1&also",
			"encoding=json&base64=0&connect=v1&message={\"article\":\"%c3%a4\",\"count\":1}" })
	void query_mayHaveOtherForms(String query) {
		assertThat(get(STOCK + "Find?" + query).body()).isEqualTo("{\"value\":\"ä \"}");
	}

	@Test
	void message_mayBeProtobufOrCompressed() throws Exception {
		byte[] request = { 10, 1, 'x', 16, 3 };
		String plain = Base64.getUrlEncoder().encodeToString(request);
		Response response = get(STOCK + "Find?connect=v1&encoding=proto&base64=1&message=" + plain);
		assertThat(response.field("content-type")).isEqualTo("application/proto");
		assertThat(response.body()).isEqualTo("\n\006x x x ");
		String compressed = Base64.getUrlEncoder()
			.withoutPadding()
			.encodeToString(GrpcBytes.messages(GrpcBytes.gzip(request)).get(0));
		assertThat(get(STOCK + "Find?encoding=proto&compression=gzip&base64=1&message=" + compressed).body())
			.isEqualTo("\n\006x x x ");
		assertThat(get(STOCK + "Find?encoding=proto").body()).as("no message is an empty one").isEqualTo("\n\000");
	}

	@Test
	void response_isCompressed_andCachesAreTold() throws Exception {
		start(builder().grpc(GrpcOptions.defaults().withCompression(GrpcOptions.Compression.GZIP)));
		HttpPeer peer = connect().send("GET " + STOCK + "Find?encoding=json&message={\"article\":\"x\",\"count\":2000}"
				+ " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");
		HttpPeer.Raw raw = peer.readRaw();
		assertThat(raw.field("content-encoding")).isEqualTo("gzip");
		assertThat(raw.field("vary")).isEqualTo("accept-encoding");
		assertThat(new String(new GZIPInputStream(new ByteArrayInputStream(raw.body())).readAllBytes(),
				StandardCharsets.UTF_8))
			.isEqualTo("{\"value\":\"" + "x ".repeat(2000) + "\"}");
	}

	@ParameterizedTest
	@CsvSource({ "/io.rpcboot.engine.http.Stock/Set, 405, @RpcMethod(safe = true)",
			"/io.rpcboot.engine.fixture.Calls/Greet, 405, POST", "/io.rpcboot.engine.http.Stock/Fond, 404, nearest: F",
			"/grpc.health.v1.Health/Check, 404, to POST" })
	void otherMethod_isNotCalled(String path, int status, String text) {
		Response response = get(path + QUERY);
		assertThat(response.status()).isEqualTo(status);
		assertThat(response.body()).contains("\"code\":\"unimplemented\"", text);
		assertThat(response.field("allow")).isEqualTo((status == 405) ? "POST" : null);
		assertThat(response.field("cache-control")).isEqualTo("no-store");
		assertThat(response.field("rpc-executed")).isEqualTo("false");
		assertThat(this.run).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "encoding=json | no message in the query", "encoding=json&message= | no message in the query",
					"encoding=json&message=%7 | percent sign", "encoding=json&message=%zz | percent sign",
					"encoding=json&base64=1&message=*** | Base64", "encoding=json&base64=2&message=e30 | base64: '2'",
					"encoding=json&connect=v2&message={} | connect: 'v2'", "encoding=json&message={}&message={} | once",
					"encoding=json&message=%7B%22count%22:%22x%22%7D | count", "encoding=json&message=%ff%fe | UTF-8",
					"encoding=json&compression=br&message={} | compression: 'br'",
					"encoding=json&compression=gzip&message={} | compression=gzip", "encoding=json&message=[] | object",
					"encoding=proto&message=%ff | find" })
	void badQuery_isRefused(String query, String text) {
		Response response = get(STOCK + "Find?" + query);
		assertThat(response.status()).isEqualTo(400);
		assertThat(response.body()).contains("\"code\":\"invalid_argument\"").containsIgnoringCase(text);
		assertThat(this.run).isEmpty();
	}

	@Test
	void unknownEncoding_is415_andNone405() {
		assertThat(get(STOCK + "Find?encoding=xml&message={}").status()).isEqualTo(415);
		assertThat(get(STOCK + "Find?connect=v1&message={}").status()).isEqualTo(405);
		assertThat(get(STOCK + "Find").status()).isEqualTo(405);
		assertThat(this.run).isEmpty();
	}

	@Test
	void body_isRefused() {
		Response response = connect()
			.send("GET " + STOCK + "Find" + QUERY + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
			.read();
		assertThat(response.status()).isEqualTo(400);
		assertThat(response.body()).contains("GET with a body");
		assertThat(this.run).isEmpty();
	}

	@Test
	void longQuery_is414() {
		assertThat(get(STOCK + "Find?encoding=json&message=" + "a".repeat(64 * 1024)).status()).isEqualTo(414);
	}

	@Test
	void failure_hasItsStatus_alsoIfTheMethodRan() {
		String query = "Fail?encoding=json&message={\"why\":\"%s\"}";
		assertThat(get(STOCK + query.formatted("PERMISSION_DENIED")).status()).isEqualTo(403);
		assertThat(get(STOCK + query.formatted("UNIMPLEMENTED")).status()).isEqualTo(501);
	}

	@Test
	void timeout_ofHeader_holds() {
		Response response = get(STOCK + "Find" + QUERY, "Connect-Timeout-Ms: 123456789012");
		assertThat(response.status()).isEqualTo(400);
		assertThat(get(STOCK + "Find" + QUERY, "Connect-Timeout-Ms: 20000").status()).isEqualTo(200);
	}

	@Test
	void methods_areUnknownToStrangers() {
		start(builder().access(AccessOptions.defaults()
			.withAuthenticator(new SharedSecret("0123456789abcdef"))
			.withClearTextCredentials(true)
			.withAnonymousCallers(false)));
		for (String method : List.of("Find", "Set", "Nothing")) {
			Response response = get(STOCK + method + QUERY);
			assertThat(response.status()).as(method).isEqualTo(401);
		}
		assertThat(get(STOCK + "Find" + QUERY, "Authorization: Bearer 0123456789abcdef").status()).isEqualTo(200);
		assertThat(get(STOCK + "Set" + QUERY, "Authorization: Bearer 0123456789abcdef").status()).isEqualTo(405);
		assertThat(this.run).containsExactly("find");
	}

	@Test
	void methods_areUnknownToStrangers_whateverElseIsWrong() {
		start(builder().access(AccessOptions.defaults()
			.withAuthenticator(new SharedSecret("0123456789abcdef"))
			.withClearTextCredentials(true)
			.withAnonymousCallers(false)));
		for (String method : List.of("Find", "Set", "Nothing")) {
			for (String field : List.of("Content-Encoding: br", "Connect-Protocol-Version: 9",
					"Connect-Timeout-Ms: x")) {
				assertThat(get(STOCK + method + QUERY, field).status()).as("%s, %s", method, field).isEqualTo(401);
				assertThat(connect().post(STOCK + method, "{}", field).read().status()).as("%s, %s", method, field)
					.isEqualTo(401);
			}
		}
	}

	@Test
	void requestWithTwoFaults_isAnsweredOnce_andOthersGoOn() throws Exception {
		Http2Peer peer = Http2Peer.connect(port(), new Http2Settings());
		atEnd(peer::close);
		for (int i = 0; i < 200; i++) {
			GrpcExchange before = peer.call("Greet", GrpcBytes.text("a"));
			GrpcExchange faulty = peer.open(new DefaultHttp2Headers().method("GET")
				.scheme("http")
				.authority("x")
				.path(STOCK + "Find?encoding=json&base64=7")
				.set("content-length", "99999999"), false);
			GrpcExchange behind = peer.call("Greet", GrpcBytes.text("b"));
			assertThat(faulty.await().httpStatus()).isIn("400", "429");
			assertThat(before.text()).isEqualTo("hello a");
			assertThat(behind.text()).isEqualTo("hello b");
		}
	}

	@Test
	void pageOfOtherOrigin_readsIfAllowed() {
		start(builder()
			.http(HttpOptions.defaults().withCors(CorsOptions.defaults().withAllowedOrigins("https://shop.example"))));
		Response response = get(STOCK + "Find" + QUERY, "Origin: https://shop.example");
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.field("access-control-allow-origin")).isEqualTo("https://shop.example");
		assertThat(get(STOCK + "Find" + QUERY, "Origin: https://evil.example").status()).isEqualTo(403);
		assertThat(this.run).containsExactly("find");
	}

	@Test
	void safeMethod_isCalled_overHttp2() throws Exception {
		Http2Peer peer = Http2Peer.connect(port(), new Http2Settings());
		atEnd(peer::close);
		Http2Headers headers = new DefaultHttp2Headers().method("GET")
			.scheme("http")
			.authority("x")
			.path(STOCK + "Find" + QUERY);
		GrpcExchange call = peer.open(headers, true).await();
		assertThat(call.httpStatus()).isEqualTo("200");
		assertThat(new String(call.data(), StandardCharsets.UTF_8)).isEqualTo("{\"value\":\"a b a b \"}");
		GrpcExchange withBody = peer.open(headers, false);
		peer.data(withBody, new byte[] { 1, 2, 3, 4, 5, 6 }, true);
		assertThat(withBody.await().httpStatus()).isEqualTo("400");
		assertThat(this.run).containsExactly("find");
	}

}
