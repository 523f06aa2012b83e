package io.rpcboot.engine.http;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.engine.http.HttpPeer.Response;
import io.rpcboot.engine.stream.Feeds;
import io.rpcboot.engine.stream.FeedsImpl;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.grpc.Base64Body;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.server.GrpcServiceDefinition;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls of gRPC-Web, as bytes and as text, over HTTP/1.1 and HTTP/2. */
class GrpcWebIntegrationTests extends AbstractHttpEngine {

	private static final String BINARY = "application/grpc-web+proto";

	private static final String TEXT = "application/grpc-web-text";

	private static final String FEEDS = "/io.rpcboot.engine.stream.Feeds/";

	@Override
	protected RpcServerBuilder builder() {
		return super.builder().protocols(Protocol.GRPC, Protocol.GRPC_WEB).service(Feeds.class, new FeedsImpl());
	}

	/** Frame of a response: its flag, and its bytes or trailers. */
	private record Frame(int flag, byte[] bytes) {

		String text() {
			return new String(this.bytes, StandardCharsets.UTF_8);
		}

	}

	private static byte[] body(String type, byte[] messages) {
		return type.contains("text") ? Base64.getEncoder().encode(messages) : messages;
	}

	private static List<Frame> frames(String type, byte[] body) {
		ByteBuffer in = ByteBuffer.wrap(type.contains("text") ? new Base64Body().decode(body, 0, body.length) : body);
		List<Frame> all = new ArrayList<>();
		while (in.hasRemaining()) {
			int flag = in.get() & 0xff;
			byte[] bytes = new byte[in.getInt()];
			in.get(bytes);
			all.add(new Frame(flag, bytes));
		}
		return all;
	}

	private List<Frame> call(HttpPeer peer, String type, String path, byte[] messages, String... fields) {
		byte[] body = body(type, messages);
		Response response = peer.send(HttpPeer.head(path, type, body.length, fields)).send(body).read();
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.field("content-type"))
			.isEqualTo(type.contains("text") ? "application/grpc-web-text+proto" : BINARY);
		return frames(type, response.body().getBytes(StandardCharsets.ISO_8859_1));
	}

	@ParameterizedTest
	@ValueSource(strings = { BINARY, "application/grpc-web", TEXT, "application/grpc-web-text+proto" })
	void call_isAnswered_andTrailersAreTheLastFrame(String type) {
		HttpPeer peer = connect();
		for (int i = 0; i < 3; i++) {
			List<Frame> frames = call(peer, type, SERVICE + "Greet", GrpcBytes.message(GrpcBytes.text("Ann")));
			assertThat(frames).hasSize(2);
			assertThat(frames.get(0).flag).isZero();
			assertThat(frames.get(0).text()).isEqualTo("\n\thello Ann");
			assertThat(frames.get(1).flag).isEqualTo(0x80);
			assertThat(frames.get(1).text()).isEqualTo("grpc-status: 0\r\n");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { BINARY, TEXT })
	void failure_isInTheLastFrame(String type) {
		List<Frame> frames = call(connect(), type, SERVICE + "Refuse", GrpcBytes.message(GrpcBytes.text("nö")));
		assertThat(frames).singleElement();
		assertThat(frames.get(0).flag).isEqualTo(0x80);
		assertThat(frames.get(0).text()).startsWith("grpc-status: 2\r\ngrpc-message: RefusedException: n%C3%B6\r\n")
			.contains("grpc-status-details-bin: ", "rpc-executed: true\r\n");
	}

	@Test
	void unknownMethod_isUnimplemented() {
		List<Frame> frames = call(connect(), BINARY, SERVICE + "Gret", GrpcBytes.message());
		assertThat(frames).singleElement();
		assertThat(frames.get(0).text()).contains("grpc-status: 12\r\n", "nearest: Greet", "rpc-executed: false");
	}

	@ParameterizedTest
	@CsvSource({ BINARY + ", 3", TEXT + ", 3", BINARY + ", 5000", TEXT + ", 5000" })
	void stream_isAnswered(String type, int count) {
		HttpPeer peer = connect();
		List<Frame> frames = call(peer, type, FEEDS + "Flux", GrpcBytes.message(GrpcBytes.number(count)));
		assertThat(frames).hasSize(count + 1);
		assertThat(frames.get(count - 1).text()).contains("tick " + (count - 1));
		assertThat(frames.get(count).text()).isEqualTo("grpc-status: 0\r\n");
	}

	@ParameterizedTest
	@CsvSource({ BINARY + ", 1", TEXT + ", 1", TEXT + ", 16000", TEXT + ", 60000", TEXT + ", 66000", TEXT + ", 900000",
			BINARY + ", 900000" })
	void longMessage_arrives_overBothVersions(String type, int length) throws Exception {
		byte[] bytes = new byte[length];
		Arrays.fill(bytes, (byte) 'x');
		byte[] message = GrpcBytes.message(GrpcBytes.field(1, bytes));
		List<Frame> frames = call(connect(), type, SERVICE + "Echo", message);
		assertThat(GrpcBytes.firstField(frames.get(0).bytes)).isEqualTo(bytes);
		Http2Peer peer = Http2Peer.connect(port(), new Http2Settings());
		atEnd(peer::close);
		Http2Headers headers = new DefaultHttp2Headers().method("POST")
			.scheme("http")
			.authority("x")
			.path(SERVICE + "Echo");
		GrpcExchange call = peer.open(headers.set("content-type", type), false);
		peer.data(call, body(type, message), true);
		List<Frame> overHttp2 = frames(type, call.await().data());
		assertThat(GrpcBytes.firstField(overHttp2.get(0).bytes)).isEqualTo(bytes);
		assertThat(overHttp2.get(1).text()).isEqualTo("grpc-status: 0\r\n");
	}

	@Test
	void compressedRequest_isRead() throws Exception {
		List<Frame> frames = call(connect(), BINARY, SERVICE + "Greet", GrpcBytes.gzip(GrpcBytes.text("Ann")),
				"grpc-encoding: gzip");
		assertThat(frames.get(0).text()).isEqualTo("\n\thello Ann");
	}

	@ParameterizedTest
	@ValueSource(strings = { BINARY, TEXT })
	void longMessages_areCompressed_ifClientReadsGzip(String type) throws Exception {
		start(builder().grpc(GrpcOptions.defaults().withCompression(GrpcOptions.Compression.GZIP)));
		byte[] message = GrpcBytes.message(GrpcBytes.field(1, new byte[3000]));
		byte[] stream = GrpcBytes.message(GrpcBytes.numbers(2, 3000));
		for (List<Frame> frames : List.of(
				call(connect(), type, SERVICE + "Echo", message, "grpc-accept-encoding: gzip"),
				call(connect(), type, FEEDS + "Blobs", stream, "grpc-accept-encoding: gzip"))) {
			Frame last = frames.get(frames.size() - 1);
			assertThat(last.text()).isEqualTo("grpc-status: 0\r\n");
			for (Frame each : frames.subList(0, frames.size() - 1)) {
				assertThat(each.flag).isOne();
				assertThat(new GZIPInputStream(new ByteArrayInputStream(each.bytes)).readAllBytes())
					.isEqualTo(GrpcBytes.field(1, new byte[3000]));
			}
		}
		assertThat(call(connect(), type, SERVICE + "Echo", message).get(0).flag).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "*", "AAAAAA==*", "AAAAAAUK" })
	void badText_isRefused(String body) {
		Response response = connect().send(HttpPeer.head(SERVICE + "Greet", TEXT, body.length())).send(body).read();
		List<Frame> frames = frames(TEXT, response.body().getBytes(StandardCharsets.ISO_8859_1));
		assertThat(frames).singleElement();
		assertThat(frames.get(0).text()).containsAnyOf("grpc-status: 3\r\n", "grpc-status: 13\r\n")
			.contains("rpc-executed: false");
		assertThat(this.implementation.executed).hasValue(0);
	}

	@Test
	void timeout_isThatOfGrpc() {
		List<Frame> frames = call(connect(), BINARY, SERVICE + "Greet", GrpcBytes.message(GrpcBytes.text("x")),
				"grpc-timeout: 1n", "connect-timeout-ms: 60000");
		assertThat(frames.get(0).text()).contains("grpc-status: 4\r\n");
	}

	@Test
	void feed_endsWithItsClient() {
		HttpPeer peer = connect();
		byte[] body = GrpcBytes.message();
		peer.send(HttpPeer.head(FEEDS + "Endless", TEXT, body(TEXT, body).length)).send(body(TEXT, body)).readHead();
		assertThat(peer.readChunk()).isNotEmpty();
		awaitInFlight(1);
		peer.close();
		Eventually.until("it has ended", () -> this.server.inFlightCalls() == 0);
	}

	@Test
	void fieldsOfHostedService_arrive() {
		start(builder().grpcService(new GrpcServiceDefinition("acme.Talk", Map.of("Say", (call) -> {
			call.headers(List.of(Map.entry("x-head", "1")));
			call.trailers(List.of(Map.entry("x-tail", "3\r\ngrpc-status: 7")));
			return CompletableFuture.completedFuture(call.message());
		}), Map.of()), ServiceOptions.defaults()));
		byte[] message = GrpcBytes.message(GrpcBytes.text("a"));
		Response response = connect().send(HttpPeer.head("/acme.Talk/Say", BINARY, message.length))
			.send(message)
			.read();
		assertThat(response.field("x-head")).isEqualTo("1");
		List<Frame> frames = frames(BINARY, response.body().getBytes(StandardCharsets.ISO_8859_1));
		assertThat(frames.get(0).bytes).isEqualTo(GrpcBytes.text("a"));
		assertThat(frames.get(1).text()).isEqualTo("grpc-status: 0\r\nx-tail: 3??grpc-status: 7\r\n");
	}

	@Test
	void callOverHttp10_isRefused() {
		Response response = connect()
			.send("POST " + SERVICE + "Greet HTTP/1.0\r\nContent-Type: " + BINARY + "\r\nContent-Length: 0\r\n\r\n")
			.read();
		assertThat(response.status()).isEqualTo(400);
	}

	@Test
	void port_speaksIt_onDemandAlone() {
		start(super.builder());
		byte[] message = GrpcBytes.message(GrpcBytes.text("a"));
		Response response = connect().send(HttpPeer.head(SERVICE + "Greet", BINARY, message.length))
			.send(message)
			.read();
		assertThat(response.status()).isEqualTo(415);
		assertThat(response.body()).doesNotContain("grpc-web");
	}

	@Test
	void connect_isRefused_ifNotOffered() {
		Response response = call("Greet", "{\"name\":\"Ann\"}");
		assertThat(response.status()).isEqualTo(415);
		assertThat(response.body()).contains("application/grpc-web+proto");
	}

}
