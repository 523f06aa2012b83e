package io.rpcboot.engine.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.engine.http.HttpPeer.Response;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.transport.SocketOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Clients of HTTP/1.1 that are slow, leave, or send more than they should. */
class HttpHostilePeersIntegrationTests extends AbstractHttpEngine {

	private static final String BEHIND = "POST " + SERVICE + "Nothing HTTP/1.1\r\nHost: x\r\n"
			+ "Content-Type: application/proto\r\nContent-Length: 0\r\n\r\n";

	private static final String CHUNKED = "POST " + SERVICE + "Echo HTTP/1.1\r\nHost: x\r\n"
			+ "Content-Type: application/proto\r\nTransfer-Encoding: chunked\r\n\r\n";

	/** Service with a stream. */
	public interface Streams {

		Flow.Publisher<String> all(String name);

	}

	/** Returns a message of protobuf with one field of bytes. */
	private static byte[] message(int length) {
		int size = length - 4;
		ByteArrayOutputStream out = new ByteArrayOutputStream(length);
		out.write(10);
		out.write((size & 0x7f) | 0x80);
		out.write(((size >>> 7) & 0x7f) | 0x80);
		out.write(size >>> 14);
		out.writeBytes(new byte[size]);
		return out.toByteArray();
	}

	/** A chunked body that is exactly as long as max-frame-size. */
	@ParameterizedTest
	@CsvSource({ "99900, ''", "100000, ''", "99999, ''", "99997, ''",
			"99970, 'X-Trailer: abcdefghijklmnopqrstuvwxyz0123456789\r\n'" })
	void chunkedBody_arrives_ifItIsAsLongAsAllowed(int length, String trailer) {
		start(builder().maxFrameSize(100_000));
		HttpPeer peer = connect();
		byte[] body = message(length);
		peer.send(CHUNKED + Integer.toHexString(length) + "\r\n")
			.send(body)
			.send("\r\n0\r\n" + trailer.replace("\\r\\n", "\r\n") + "\r\n");
		Response response = peer.read();
		assertThat(response.status()).isIn(200, 429);
	}

	@Test
	void memory_isBounded_ifClientSendsWithoutEndBehindTheLongestBody() {
		start(builder().maxFrameSize(100_000));
		HttpPeer peer = connect();
		peer.send(CHUNKED + Integer.toHexString(200_000) + "\r\n").send(new byte[99_999]);
		long most = 0;
		try {
			peer.send("");
			HttpPeer other = connect();
			other.send(CHUNKED + Integer.toHexString(100_000) + "\r\n").send(new byte[100_000]);
			byte[] rest = new byte[100_000];
			for (int i = 0; i < 300; i++) {
				other.send(rest);
				most = Math.max(most, this.accounts.of(Gauge.SERVER_MEMORY_INCOMING));
			}
		}
		catch (RuntimeException ex) {
			// closed
		}
		assertThat(most).isLessThan(5_000_000);
	}

	/** Its requests are many, and its responses so short that many fit into a batch. */
	@Test
	void clientThatReadsNothing_hasFewCallsInFlight() throws Exception {
		int count = 20_000;
		start(builder().socket(SocketOptions.defaults().withSendBuffer(16 * 1024)));
		try (Socket socket = new Socket()) {
			socket.setReceiveBufferSize(4096);
			socket.connect(new InetSocketAddress("127.0.0.1", port()));
			byte[] some = BEHIND.repeat(100).getBytes(StandardCharsets.US_ASCII);
			CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
				try {
					for (int i = 0; i < count / 100; i++) {
						socket.getOutputStream().write(some);
					}
				}
				catch (IOException ex) {
					throw new AssertionError(ex);
				}
			});
			InputStream in = socket.getInputStream();
			byte[] buffer = new byte[1024];
			int lines = 0;
			while (lines < 4 * count) { // status, type, length, end
				assertThat(this.server.inFlightCalls()).isLessThan(40);
				int read = in.read(buffer);
				for (int i = 0; i < read; i++) {
					lines += (buffer[i] == '\n') ? 1 : 0;
				}
			}
			sent.get(20, TimeUnit.SECONDS);
		}
	}

	@Test
	void firstRequest_isAnswered_whileServerDrains() throws Exception {
		start(builder());
		HttpPeer busy = connect();
		HttpPeer idle = connect();
		busy.post(SERVICE + "WaitForGate", "{\"name\":\"a\"}");
		assertThat(this.implementation.entered.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		CompletableFuture<Void> shutdown = CompletableFuture
			.runAsync(() -> this.server.shutdown(Duration.ofSeconds(30)));
		Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1500));
		idle.post(SERVICE + "Greet", "{\"name\":\"a\"}");
		CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> {
			try {
				return String.valueOf(idle.read().status());
			}
			catch (RuntimeException ex) {
				return "closed " + ex;
			}
		});
		try {
			assertThat(answer).succeedsWithin(Duration.ofSeconds(8));
		}
		finally {
			this.implementation.gate.countDown();
			shutdown.get(40, TimeUnit.SECONDS);
		}
	}

	/** Reads everything until the end, slowly. */
	private static int readSlowly(Socket socket, int pauseFirst, int perSecond) throws Exception {
		Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseFirst));
		InputStream in = socket.getInputStream();
		byte[] bytes = new byte[perSecond / 20];
		int all = 0;
		int count;
		while ((count = in.read(bytes)) > 0) {
			all += count;
			Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1000L * count / perSecond));
		}
		return all;
	}

	private Socket narrow() throws IOException {
		connect();
		Socket socket = new Socket();
		socket.setReceiveBufferSize(8192);
		socket.setSoTimeout(20_000);
		socket.connect(new InetSocketAddress("127.0.0.1", this.server.port()));
		return socket;
	}

	@ParameterizedTest
	@ValueSource(ints = { 300_000, 1_000_000, 4_000_000 })
	void response_isWhole_ifConnectionEndsAndClientReadsSlowly(int size) throws Exception {
		byte[] body = ("{\"size\":" + size + "}").getBytes(StandardCharsets.US_ASCII);
		try (Socket socket = narrow()) {
			socket.getOutputStream()
				.write((HttpPeer.head(SERVICE + "Grow", "application/json", body.length, "Connection: close")
						+ new String(body, StandardCharsets.US_ASCII))
					.getBytes(StandardCharsets.US_ASCII));
			int all;
			try {
				all = readSlowly(socket, 2500, 1_000_000);
			}
			catch (IOException ex) {
				throw new AssertionError("cut: " + ex);
			}
			assertThat(all).isGreaterThan(size);
		}
	}

	/** A client that sends its whole body and reads then. */
	private String sendAndRead(String head, byte[] body, boolean chunked) throws Exception {
		connect();
		try (Socket socket = new Socket("127.0.0.1", this.server.port())) {
			socket.setSoTimeout(20_000);
			try {
				socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
				if (chunked) {
					socket.getOutputStream()
						.write((Integer.toHexString(body.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
				}
				socket.getOutputStream().write(body);
				if (chunked) {
					socket.getOutputStream().write("\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				}
				byte[] first = socket.getInputStream().readNBytes(12);
				return new String(first, StandardCharsets.US_ASCII);
			}
			catch (IOException ex) {
				return ex.toString();
			}
		}
	}

	@Test
	void bodyThatIsTooLong_isAnswered_withLength() throws Exception {
		start(builder().maxFrameSize(1_000_000));
		assertThat(sendAndRead(HttpPeer.head(SERVICE + "Echo", "application/proto", 30_000_000), new byte[30_000_000],
				false))
			.isEqualTo("HTTP/1.1 429");
	}

	@Test
	void bodyThatIsTooLong_isAnswered_inChunks() throws Exception {
		start(builder().maxFrameSize(1_000_000));
		assertThat(sendAndRead(CHUNKED, new byte[30_000_000], true)).isEqualTo("HTTP/1.1 429");
	}

	@Test
	void bodyOfAnotherFormat_isAnswered_thoughItIsLong() throws Exception {
		assertThat(sendAndRead(HttpPeer.head(SERVICE + "Echo", "text/plain", 30_000_000), new byte[30_000_000], false))
			.isEqualTo("HTTP/1.1 415");
	}

	@Test
	void refusal_isRead_thoughBodyIsLongAndCredentialsTakeTime() throws Exception {
		start(builder()
			.access(AccessOptions.defaults().withClearTextCredentials(true).withAuthenticator((credentials) -> {
				sleep(500);
				throw new RpcException(RpcStatus.UNAUTHENTICATED, "no", false);
			})));
		assertThat(
				sendAndRead(HttpPeer.head(SERVICE + "Echo", "application/proto", 8_000_000, "Authorization: Bearer x"),
						new byte[8_000_000], false))
			.isEqualTo("HTTP/1.1 401");
	}

	private static void sleep(int millis) {
		Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\r\n", BEHIND })
	void call_isCancelled_ifClientLeaves(String behind) throws Exception {
		HttpPeer peer = connect();
		String body = "{\"name\":\"a\"}";
		peer.send(HttpPeer.head(SERVICE + "LaterAtGate", "application/json", body.length()) + body + behind);
		awaitInFlight(1);
		Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200));
		peer.close();
		Eventually.until("no connection is open", () -> this.server.connections().isEmpty());
	}

	@Test
	void stranger_doesNotLearn_whichMethodsThereAre() {
		start(builder().service(Streams.class, (name) -> null)
			.access(AccessOptions.defaults()
				.withClearTextCredentials(true)
				.withAnonymousCallers(false)
				.withAuthenticator((credentials) -> {
					throw new RpcException(RpcStatus.UNAUTHENTICATED, "no", false);
				})));
		String service = "/io.rpcboot.engine.http.HttpHostilePeersIntegrationTests.Streams/";
		Response known = connect().post(SERVICE + "Greet", "{}").read();
		Response stream = null;
		for (String each : new String[] { "/io.rpcboot.engine.http.Streams/All",
				"/io.rpcboot.engine.http.HttpHostilePeersIntegrationTests/All", service + "All" }) {
			Response response = connect().post(each, "{}").read();
			stream = (response.status() != 401) ? response : (stream == null) ? response : stream;
		}
		assertThat(known.status()).isEqualTo(401);
		assertThat(stream.status()).isEqualTo(401);
	}

	@Test
	void request_isRefused_withFieldsOfOldWebSockets() {
		HttpPeer peer = connect();
		peer.send("GET / HTTP/1.1\r\nHost: x\r\nSec-WebSocket-Key1: a\r\nSec-WebSocket-Key2: b\r\n\r\n" + BEHIND);
		assertThat(peer.read().status()).isEqualTo(400);
		assertThat(peer.isAtEnd()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { " 5", "5 ", "5 garbage", "5\u0001x", "\t5", "5\t", "5\u000b1", "005", "5 ;a=b" })
	void chunkSize_isRefused_ifItHasMoreThanDigits(String size) {
		HttpPeer peer = connect();
		peer.send(CHUNKED.replace("Echo", "Nothing") + size + "\r\n" + "\n\3abc" + "\r\n0\r\n\r\n" + BEHIND);
		Response response = peer.read();
		assertThat(response.status()).as(size).isEqualTo(size.equals("005") ? 200 : 400);
	}

	@ParameterizedTest
	@ValueSource(strings = { "POST\u000b/x HTTP/1.1", "POST\r/x HTTP/1.1", "POST /x\fHTTP/1.1", "POST /x\rHTTP/1.1",
			"POST  /x  HTTP/1.1", "POST /x\u0001y HTTP/1.1", "POST /x\u0000y HTTP/1.1" })
	void requestLine_isRefused_ifItHasOtherBlanks(String line) {
		HttpPeer peer = connect();
		peer.send(line + "\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
		assertThat(peer.read().status()).isEqualTo(400);
	}

	@ParameterizedTest
	@ValueSource(strings = { ":path: /x", "Transfer-Encoding:\u000bchunked", "Content-Length: 0_0", "Content-Length:",
			"Content-Length: 0x0", "Transfer-Encoding:", "Transfer-Encoding: chunked,", "Transfer-Encoding: ,chunked",
			"Transfer-Encoding: chunked;a=b", "Host:", "X\u00e9: a" })
	void header_isRefused_ifItIsStrange(String line) {
		HttpPeer peer = connect();
		boolean isHost = line.startsWith("Host");
		peer.send("POST " + SERVICE + "Nothing HTTP/1.1\r\nContent-Type: application/proto\r\n"
				+ (isHost ? "" : "Host: x\r\n") + line + "\r\n\r\n");
		Response response = peer.read();
		assertThat(response.status()).isEqualTo(isHost ? 200 : 400);
	}

	@Test
	void connect_isAnswered_beforeConnectionEnds() {
		HttpPeer peer = connect();
		peer.send("CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n");
		assertThat(peer.read().status()).isBetween(400, 499);
	}

	@Test
	void deadline_isAnswered_ifCallDoesNotEnd() {
		HttpPeer peer = connect();
		peer.post(SERVICE + "LaterAtGate", "{\"name\":\"a\"}", "Connect-Timeout-Ms: 300");
		Response response = peer.read();
		assertThat(response.status()).isEqualTo(504);
	}

	@Test
	void connectionOfHttp10_isToldToStay_ifClientAsks() {
		HttpPeer peer = connect();
		peer.send("POST " + SERVICE
				+ "Nothing HTTP/1.0\r\nContent-Type: application/proto\r\nConnection: keep-alive\r\n\r\n");
		Response response = peer.read();
		assertThat(response.field("connection")).isNotNull();
	}

	@Test
	void body_isNotAskedFor_ifItsFormatIsRefused() {
		HttpPeer peer = connect();
		peer.send(HttpPeer.head(SERVICE + "Greet", "text/plain", 5, "Expect: 100-continue"));
		assertThat(peer.read().status()).isEqualTo(415);
	}

	@Test
	void oneWayCall_isAnswered_inJson() throws Exception {
		HttpPeer peer = connect();
		Response response = peer.post(SERVICE + "Notice", "{\"word\":\"a\"}").read();
		assertThat(response.status()).isEqualTo(200);
		assertThat(this.implementation.noticed.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
	}

	@Test
	void nesting_isBounded_inUnknownField() {
		HttpPeer peer = connect();
		String json = "{\"zzz\":" + "[".repeat(1_000_000) + "]".repeat(1_000_000) + "}";
		Response response = peer.post(SERVICE + "Greet", json).read();
		assertThat(response.status()).isEqualTo(400);
		assertThat(peer.post(SERVICE + "Greet", "{\"name\":\"x\"}").read().status()).isEqualTo(200);
	}

}
