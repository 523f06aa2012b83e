package io.rpcboot.engine.http;

import java.util.stream.Stream;

import io.rpcboot.engine.http.HttpPeer.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Requests that two servers in a row may read differently (RFC 9112, sections 6 and 11),
 * and those that are no calls. The former end the connection.
 */
class HttpStrictnessIntegrationTests extends AbstractHttpEngine {

	private static final String BEHIND = "POST " + SERVICE + "Nothing HTTP/1.1\r\nHost: x\r\n"
			+ "Content-Type: application/proto\r\nContent-Length: 0\r\n\r\n";

	private static String post(String fields, String body) {
		return "POST " + SERVICE + "Nothing HTTP/1.1\r\nHost: x\r\nContent-Type: application/proto\r\n" + fields
				+ "\r\n" + body;
	}

	static Stream<Arguments> ambiguous() {
		return Stream.of(
				arguments("both lengths", post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
				arguments("several lengths", post("Content-Length: 0\r\nContent-Length: 5\r\n", "12345")),
				arguments("the same length twice", post("Content-Length: 0\r\nContent-Length: 0\r\n", "")),
				arguments("a list of lengths", post("Content-Length: 0, 0\r\n", "")),
				arguments("a negative length", post("Content-Length: -1\r\n", "")),
				arguments("a length with a sign", post("Content-Length: +0\r\n", "")),
				arguments("gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")),
				arguments("chunked twice",
						post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
				arguments("another coding", post("Transfer-Encoding: identity\r\n", "")),
				arguments("a hidden coding", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n")),
				arguments("a coding in HTTP/1.0",
						"POST " + SERVICE + "Nothing HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
				arguments("a fold", post("X-One: a\r\n b\r\nContent-Length: 0\r\n", "")),
				arguments("a fold with a tab", post("X-One: a\r\n\tb\r\nContent-Length: 0\r\n", "")),
				arguments("a blank before the colon", post("Content-Length : 0\r\n", "")),
				arguments("a line feed alone", post("X-One: a\nContent-Length: 0\r\n", "")),
				arguments("a carriage return in a value", post("X-One: a\rb\r\nContent-Length: 0\r\n", "")),
				arguments("a zero in a value", post("X-One: a\0b\r\nContent-Length: 0\r\n", "")),
				arguments("no host", "POST " + SERVICE + "Nothing HTTP/1.1\r\nContent-Length: 0\r\n\r\n"),
				arguments("two hosts", post("Host: y\r\nContent-Length: 0\r\n", "")),
				arguments("another version", "POST " + SERVICE + "Nothing HTTP/1.2\r\nHost: x\r\n\r\n"),
				arguments("no version", "POST " + SERVICE + "Nothing\r\nHost: x\r\n\r\n"),
				arguments("no path", "POST Nothing HTTP/1.1\r\nHost: x\r\n\r\n"),
				arguments("a chunk size that is no number", post("Transfer-Encoding: chunked\r\n", "x\r\n\r\n")),
				arguments("a negative chunk size", post("Transfer-Encoding: chunked\r\n", "-1\r\n\r\n")),
				arguments("a chunk size with a prefix", post("Transfer-Encoding: chunked\r\n", "0x0\r\n\r\n")),
				arguments("a huge chunk size", post("Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n\r\n")),
				arguments("a chunk without an end", post("Transfer-Encoding: chunked\r\n", "1\r\na0\r\n\r\n")),
				arguments("a chunk that ends by a line feed",
						post("Transfer-Encoding: chunked\r\n", "1\r\na\n0\r\n\r\n")));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("ambiguous")
	void ambiguousRequest_isRefused_andNothingBehindItIsRead(String what, String request) {
		HttpPeer peer = connect();
		peer.send(request + BEHIND);
		Response response = peer.read();
		assertThat(response.status()).as(response.toString()).isEqualTo(400);
		assertThat(response.field("connection")).isEqualTo("close");
		assertThat(response.body()).startsWith("The request cannot be read: ");
		assertThat(peer.isAtEnd()).isTrue();
		assertThat(this.log.messages()).anyMatch((each) -> each.contains("Connection closed"));
	}

	@Test
	void longHead_isAnsweredWith431() {
		HttpPeer peer = connect();
		peer.send(post("X-One: " + "a".repeat(60_000) + "\r\n", ""));
		assertThat(peer.read().status()).isEqualTo(431);
		assertThat(peer.isAtEnd()).isTrue();
	}

	@Test
	void longLine_isAnsweredWith414() {
		HttpPeer peer = connect();
		peer.send("POST /" + "a".repeat(9_000) + " HTTP/1.1\r\nHost: x\r\n\r\n");
		assertThat(peer.read().status()).isEqualTo(414);
		assertThat(peer.isAtEnd()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE" })
	void otherVerbs_areAnsweredWith405_andConnectionStays(String verb) {
		HttpPeer peer = connect();
		peer.send(verb + " " + SERVICE + "Nothing HTTP/1.1\r\nHost: x\r\n\r\n");
		Response response = peer.read();
		assertThat(response.status()).isEqualTo(405);
		assertThat(response.field("allow")).isEqualTo("POST");
		assertThat(response.body()).contains("POST to /package.Service/Method");
		assertThat(peer.send(BEHIND).read().status()).isEqualTo(200);
	}

	@Test
	void head_isAnsweredWithoutBody() {
		HttpPeer peer = connect();
		peer.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
		assertThat(peer.read().status()).isEqualTo(405);
		assertThat(peer.send(BEHIND).read().status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n",
			"Content-Type: multipart/form-data; boundary=x\r\n", "Content-Type: application/json; charset=utf-16\r\n",
			"Content-Type: application/grpc\r\n" })
	void otherFormats_areAnsweredWith415(String type) {
		HttpPeer peer = connect();
		peer.send("POST " + SERVICE + "Nothing HTTP/1.1\r\nHost: x\r\n" + type + "Content-Length: 2\r\n\r\n{}");
		Response response = peer.read();
		assertThat(response.status()).isEqualTo(415);
		assertThat(response.field("accept-post"))
			.startsWith("application/json, application/proto, application/connect+json");
		assertThat(response.body()).contains("content-type: application/json, application/proto");
		assertThat(response.body())
			.contains("curl -H 'Content-Type: application/json' -d '{}' x" + SERVICE + "Nothing");
		assertThat(peer.send(BEHIND).read().status()).isEqualTo(200);
	}

	@Test
	void http10_isServed_andConnectionEnds() {
		HttpPeer peer = connect();
		peer.send("POST " + SERVICE + "Nothing HTTP/1.0\r\nContent-Type: application/proto\r\n\r\n");
		Response response = peer.read();
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.field("connection")).isEqualTo("close");
		assertThat(peer.isAtEnd()).isTrue();
	}

	@Test
	void connectionClose_isKept() {
		HttpPeer peer = connect();
		peer.send(post("Connection: close\r\nContent-Length: 0\r\n", ""));
		assertThat(peer.read().field("connection")).isEqualTo("close");
		assertThat(peer.isAtEnd()).isTrue();
	}

	@Test
	void wholeAddress_isReadAsItsPath() {
		HttpPeer peer = connect();
		peer.send(BEHIND.replace("POST /", "POST http://localhost:1/"));
		assertThat(peer.read().status()).isEqualTo(200);
	}

	@Test
	void upgrade_isIgnored() {
		HttpPeer peer = connect();
		peer.send(post("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
				+ "Content-Length: 0\r\n", ""));
		assertThat(peer.read().status()).isEqualTo(200);
	}

	@Test
	void body_isAskedFor_ifClientWaits() {
		HttpPeer peer = connect();
		byte[] body = { 10, 3, 'A', 'n', 'n' };
		peer.send(HttpPeer.head(SERVICE + "Greet", "application/proto", body.length, "Expect: 100-continue"));
		assertThat(peer.read().status()).isEqualTo(100);
		assertThat(peer.send(body).read().body()).isEqualTo("\n\thello Ann");
	}

	@Test
	void body_isNotAskedFor_ifCallIsRefused() {
		HttpPeer peer = connect();
		peer.send(HttpPeer.head("/no.Service/Any", "application/proto", 5, "Expect: 100-continue"));
		Response response = peer.read();
		assertThat(response.status()).isEqualTo(404);
		assertThat(response.field("connection")).isEqualTo("close");
		assertThat(peer.isAtEnd()).isTrue();
	}

	@Test
	void unknownMethods_areAnsweredWith404_andNearest() {
		HttpPeer peer = connect();
		peer.send(BEHIND.replace("Nothing", "Nothin"));
		Response response = peer.read();
		assertThat(response.status()).isEqualTo(404);
		assertThat(response.field("rpc-executed")).isEqualTo("false");
		assertThat(response.body()).startsWith("{\"code\":\"unimplemented\",\"message\":\"")
			.contains("(nearest: Nothing)");
		assertThat(peer.send(BEHIND).read().status()).isEqualTo(200);
	}

	/** One byte a time: each state of the reader is left and entered again. */
	@Test
	void singleBytes_makeRequest() throws Exception {
		HttpPeer peer = connect();
		String request = post("Transfer-Encoding: chunked\r\n",
				"2\r\n\n\0\r\n3;a=b\r\nabc\r\n0\r\nX-Trailer: y\r\n\r\n")
			.replace("Nothing", "Greet");
		for (byte each : (request + BEHIND).getBytes(java.nio.charset.StandardCharsets.US_ASCII)) {
			peer.send(new byte[] { each });
		}
		assertThat(peer.read().status()).isEqualTo(400);
		assertThat(peer.read().status()).isEqualTo(200);
	}

}
