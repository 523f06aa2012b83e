package io.rpcboot.engine.http;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

import io.rpcboot.engine.http.HttpPeer.Response;
import io.rpcboot.engine.stream.Feeds;
import io.rpcboot.engine.stream.FeedsImpl;
import io.rpcboot.engine.stream.Uploads;
import io.rpcboot.engine.stream.UploadsImpl;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.server.RpcServerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Streams of Connect over HTTP/1.1, in both directions. */
class HttpStreamsIntegrationTests extends AbstractHttpEngine {

	private static final String FEEDS = "/io.rpcboot.engine.stream.Feeds/";

	private static final String UPLOADS = "/io.rpcboot.engine.stream.Uploads/";

	private static final String JSON = "application/connect+json";

	@Override
	protected RpcServerBuilder builder() {
		return super.builder().service(Feeds.class, new FeedsImpl()).service(Uploads.class, new UploadsImpl());
	}

	private static byte[] messages(String... messages) {
		ByteBuffer body = ByteBuffer.allocate(1 << 20);
		for (String each : messages) {
			byte[] bytes = each.getBytes(StandardCharsets.UTF_8);
			body.put((byte) 0).putInt(bytes.length).put(bytes);
		}
		return java.util.Arrays.copyOf(body.array(), body.position());
	}

	private static HttpPeer send(HttpPeer peer, String path, String... messages) {
		byte[] body = messages(messages);
		return peer.send(HttpPeer.head(path, JSON, body.length)).send(body);
	}

	/** Returns the messages of a body, the last one with its flag. */
	private static List<String> read(Response response) {
		ByteBuffer body = ByteBuffer.wrap(response.body().getBytes(StandardCharsets.ISO_8859_1));
		List<String> all = new ArrayList<>();
		while (body.hasRemaining()) {
			int flag = body.get();
			byte[] message = new byte[body.getInt()];
			body.get(message);
			all.add(((flag == 0) ? "" : flag + " ") + new String(message, StandardCharsets.UTF_8));
		}
		return all;
	}

	@Test
	void elements_areMessages_andEndIsTheLast() {
		HttpPeer peer = connect();
		Response response = send(peer, FEEDS + "Flux", "{\"count\":3}").read();
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.field("content-type")).isEqualTo(JSON);
		assertThat(read(response)).containsExactly("{\"value\":{\"text\":\"tick 0\"}}",
				"{\"value\":{\"number\":1,\"text\":\"tick 1\"}}", "{\"value\":{\"number\":2,\"text\":\"tick 2\"}}",
				"2 {}");
		assertThat(read(send(peer, FEEDS + "Flux", "{\"count\":0}").read())).containsExactly("2 {}");
		assertThat(peer.post(SERVICE + "Greet", "{\"name\":\"Ann\"}").read().body())
			.isEqualTo("{\"value\":\"hello Ann\"}");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1000, 20_000 })
	void longStreams_arrive_inOrder(int count) {
		List<String> all = read(send(connect(), FEEDS + "Flux", "{\"count\":%d}".formatted(count)).read());
		assertThat(all).hasSize(count + 1);
		assertThat(all.get(count - 1)).contains("\"tick " + (count - 1) + "\"");
	}

	@Test
	void failureInTheMiddle_isTheEnd() {
		List<String> all = read(
				send(connect(), FEEDS + "Failing", "{\"count\":2,\"how\":\"FEEDS_FAILURE_DECLARED\"}").read());
		assertThat(all).hasSize(3);
		assertThat(all.get(2)).startsWith("2 {\"error\":{\"code\":\"unknown\",\"message\":\"OutOfTicksException:")
			.contains("\"details\":[{\"type\":\"io.rpcboot.engine.stream.FeedsOutOfTicksException\"");
	}

	@Test
	void unknownMethod_isTheEnd_andConnectionStays() {
		HttpPeer peer = connect();
		Response response = send(peer, FEEDS + "Flu", "{}").read();
		assertThat(response.status()).isEqualTo(200);
		assertThat(read(response)).singleElement().asString().contains("\"code\":\"unimplemented\"", "(nearest: Flux)");
		assertThat(read(send(peer, FEEDS + "Flux", "{\"count\":0}").read())).containsExactly("2 {}");
	}

	@Test
	void methodWithoutStream_isRefused() {
		assertThat(read(send(connect(), SERVICE + "Greet", "{}").read())).singleElement()
			.asString()
			.contains("\"code\":\"unimplemented\"", "the method has no stream");
	}

	@Test
	void streamByOneMessage_isRefused() {
		Response response = connect().post(FEEDS + "Flux", "{\"count\":1}").read();
		assertThat(response.status()).isEqualTo(501);
		assertThat(response.body()).contains("application/connect+json");
	}

	@Test
	void upload_isTaken() {
		List<String> all = read(send(connect(), UPLOADS + "SumOfIterator", "{\"ticks\":{\"number\":1}}",
				"{\"ticks\":{\"number\":2}}", "{\"ticks\":{\"number\":39}}")
			.read());
		assertThat(all).containsExactly("{\"value\":\"42\"}", "2 {}");
	}

	@Test
	void exchange_isAnswered() {
		String tick = "{\"ticks\":{\"number\":1,\"text\":\"one\"}}";
		List<String> all = read(send(connect(), UPLOADS + "Echo", tick, tick).read());
		assertThat(all).containsExactly(tick.replace("ticks", "value"), tick.replace("ticks", "value"), "2 {}");
	}

	@Test
	void badElement_endsCall() {
		List<String> all = read(send(connect(), UPLOADS + "Sum", "{\"ticks\":{\"number\":\"x\"}}").read());
		assertThat(all).singleElement().asString().contains("\"code\":\"invalid_argument\"", "ticks.number");
	}

	@ParameterizedTest
	@CsvSource({ "gzip, true", "br, false" })
	void longElements_areCompressed_ifClientReadsGzip(String accepted, boolean isCompressed) throws Exception {
		start(builder().grpc(GrpcOptions.defaults().withCompression(GrpcOptions.Compression.GZIP)));
		HttpPeer peer = connect();
		byte[] request = messages("{\"count\":2,\"length\":3000}");
		Response response = peer
			.send(HttpPeer.head(FEEDS + "Blobs", JSON, request.length, "Connect-Accept-Encoding: " + accepted))
			.send(request)
			.read();
		assertThat(response.field("connect-content-encoding")).isEqualTo(isCompressed ? "gzip" : null);
		ByteBuffer body = ByteBuffer.wrap(response.body().getBytes(StandardCharsets.ISO_8859_1));
		for (int i = 0; i < 2; i++) {
			assertThat(body.get()).isEqualTo((byte) (isCompressed ? 1 : 0));
			byte[] message = new byte[body.getInt()];
			body.get(message);
			byte[] json = isCompressed ? new GZIPInputStream(new ByteArrayInputStream(message)).readAllBytes()
					: message;
			assertThat(new String(json, StandardCharsets.UTF_8)).isEqualTo("{\"value\":\"" + "A".repeat(4000) + "\"}");
		}
		assertThat(body.get()).isEqualTo((byte) 2);
	}

	@Test
	void head_arrives_beforeTheFirstElement() {
		HttpPeer peer = connect();
		send(peer, FEEDS + "Silent", "{}").readHead();
		awaitInFlight(1);
		peer.close();
		Eventually.until("it has ended", () -> this.server.inFlightCalls() == 0);
	}

	/** HTTP/1.1 has no PING: the client sends nothing while a feed is open. */
	@Test
	void quietFeed_keepsItsConnection_longerThanIdleTimeout() {
		start(builder().idleTimeout(Duration.ofMillis(400)));
		HttpPeer peer = connect();
		send(peer, FEEDS + "Silent", "{}").readHead();
		awaitInFlight(1);
		Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1500)); // several
																					// checks
		assertThat(this.server.inFlightCalls()).isOne();
		peer.close();
		Eventually.until("it has ended", () -> this.server.inFlightCalls() == 0);
	}

	@Test
	void feed_endsWithItsClient() {
		HttpPeer peer = connect();
		send(peer, FEEDS + "Endless", "{}").readHead();
		assertThat(peer.readChunk()).isNotEmpty();
		awaitInFlight(1);
		peer.close();
		Eventually.until("it has ended", () -> this.server.inFlightCalls() == 0);
	}

	@Test
	void streamOverHttp10_isRefused() {
		HttpPeer peer = connect();
		peer.send("POST " + FEEDS + "Flux HTTP/1.0\r\nContent-Type: " + JSON + "\r\nContent-Length: 0\r\n\r\n");
		assertThat(peer.read().status()).isEqualTo(400);
	}

}
