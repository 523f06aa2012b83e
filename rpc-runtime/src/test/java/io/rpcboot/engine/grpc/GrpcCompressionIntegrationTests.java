package io.rpcboot.engine.grpc;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

import io.netty.handler.codec.http2.Http2Headers;
import io.rpcboot.RpcException;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.engine.stream.Feeds;
import io.rpcboot.engine.stream.FeedsImpl;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.server.GrpcOptions.Compression;
import io.rpcboot.server.GrpcServiceDefinition;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Responses that are compressed, at both ends. */
class GrpcCompressionIntegrationTests extends AbstractGrpcEngine {

	private void startCompressing() {
		start(builder().grpc(GrpcOptions.defaults().withCompression(Compression.GZIP)));
	}

	/** Calls a method that returns its argument. */
	private GrpcExchange echo(byte[] argument, String accepted) throws Exception {
		Http2Peer peer = connect();
		Http2Headers headers = GrpcBytes.request(Http2Peer.path("Echo"));
		if (!accepted.isEmpty()) {
			headers.add("grpc-accept-encoding", accepted);
		}
		GrpcExchange call = peer.open(headers, false);
		peer.data(call, GrpcBytes.message(GrpcBytes.field(1, argument)), true);
		call.await();
		return call;
	}

	private static void assertPlain(GrpcExchange call, byte[] result) throws Exception {
		assertThat(call.headers.get(0).get("grpc-encoding")).isNull();
		assertThat(call.data()[0]).isZero();
		assertThat(call.result()).isEqualTo(result);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1100, 20_000, 300_000 })
	void response_isCompressed_ifClientReadsGzip(int size) throws Exception {
		startCompressing();
		GrpcExchange call = echo(new byte[size], "identity, deflate,gzip");
		assertThat(call.headers.get(0).get("grpc-encoding")).asString().isEqualTo("gzip");
		assertThat(call.data()[0]).isOne();
		assertThat(call.data()).hasSizeLessThan(size / 10);
		byte[] message = GrpcBytes.messages(call.data()).get(0);
		try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(message))) {
			assertThat(in.readAllBytes()).isEqualTo(GrpcBytes.field(1, new byte[size]));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "identity", "deflate" })
	void response_isPlain_ifClientDoesNotReadGzip(String accepted) throws Exception {
		startCompressing();
		assertPlain(echo(new byte[5000], accepted), new byte[5000]);
	}

	@Test
	void response_isPlain_ifCompressionDoesNotPay() throws Exception {
		startCompressing();
		assertPlain(echo(new byte[1000], "gzip"), new byte[1000]);
		byte[] random = new byte[5000];
		new Random(1).nextBytes(random);
		assertPlain(echo(random, "gzip"), random);
		this.server.close();
		start(builder());
		assertPlain(echo(new byte[5000], "gzip"), new byte[5000]);
	}

	/** Returns the messages of a stream that the server sends, each with its prefix. */
	private GrpcExchange blobs(int count, int length, String accepted) throws Exception {
		Http2Headers headers = GrpcBytes.request("/io.rpcboot.engine.stream.Feeds/Blobs")
			.add("grpc-accept-encoding", accepted);
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(headers, false);
		peer.data(call, GrpcBytes.message(GrpcBytes.numbers(count, length)), true);
		assertThat(call.status()).isZero();
		return call;
	}

	@ParameterizedTest
	@CsvSource({ "1, 2000", "40, 2000", "3, 20000", "3, 200000" })
	void elements_areCompressed_ifClientReadsGzip(int count, int length) throws Exception {
		start(builder().service(Feeds.class, new FeedsImpl())
			.grpc(GrpcOptions.defaults().withCompression(Compression.GZIP)));
		GrpcExchange call = blobs(count, length, "gzip");
		assertThat(call.headers.get(0).get("grpc-encoding")).asString().isEqualTo("gzip");
		assertThat(call.data()).hasSizeLessThan(count * length / 10);
		ByteBuffer in = ByteBuffer.wrap(call.data());
		for (int i = 0; i < count; i++) {
			assertThat(in.get()).as("flag of element %d", i).isOne();
			byte[] message = new byte[in.getInt()];
			in.get(message);
			byte[] inflated = new GZIPInputStream(new ByteArrayInputStream(message)).readAllBytes();
			assertThat(inflated).isEqualTo(GrpcBytes.field(1, new byte[length]));
		}
		assertThat(in.hasRemaining()).isFalse();
	}

	@Test
	void elements_arePlain_ifCompressionDoesNotPay() throws Exception {
		start(builder().service(Feeds.class, new FeedsImpl())
			.grpc(GrpcOptions.defaults().withCompression(Compression.GZIP)));
		GrpcExchange small = blobs(3, 100, "gzip");
		assertThat(small.data()[0]).isZero();
		assertThat(GrpcBytes.messages(small.data())).hasSize(3).containsOnly(GrpcBytes.field(1, new byte[100]));
		GrpcExchange unread = blobs(3, 2000, "deflate");
		assertThat(unread.headers.get(0).get("grpc-encoding")).isNull();
		assertThat(GrpcBytes.messages(unread.data())).hasSize(3).containsOnly(GrpcBytes.field(1, new byte[2000]));
	}

	/**
	 * Messages of a service may be files of gzip, which must not pass for compressed
	 * ones.
	 */
	@Test
	void messagesThatAreGzip_areCompressedAgain() throws Exception {
		byte[] file = Arrays.copyOfRange(GrpcBytes.gzip((byte) 1), 5, GrpcBytes.gzip((byte) 1).length);
		start(builder()
			.grpcService(
					new GrpcServiceDefinition("acme.Files", Map.of(), Map.of("All",
							(call, requests) -> JdkFlowAdapter.publisherToFlowPublisher(Flux.just(file, file)))),
					ServiceOptions.defaults())
			.grpc(GrpcOptions.defaults().withCompression(Compression.GZIP)));
		for (String accepted : List.of("gzip", "identity")) {
			Http2Peer peer = connect();
			GrpcExchange call = peer.open(GrpcBytes.request("/acme.Files/All").add("grpc-accept-encoding", accepted),
					false);
			peer.data(call, GrpcBytes.message(), true);
			assertThat(call.status()).isZero();
			assertThat(call.data()[0]).isEqualTo((byte) (accepted.equals("gzip") ? 1 : 0));
			for (byte[] each : GrpcBytes.messages(call.data())) {
				assertThat(accepted.equals("gzip") ? new GZIPInputStream(new ByteArrayInputStream(each)).readAllBytes()
						: each)
					.isEqualTo(file);
			}
		}
	}

	@Test
	void streamOfHostedService_hasNoOtherEncoding() throws Exception {
		start(builder()
			.grpcService(new GrpcServiceDefinition("acme.Files", Map.of(), Map.of("All", (call, requests) -> {
				String problem = catchThrowableOfType(IllegalArgumentException.class, () -> call.encoding("deflate"))
					.getMessage();
				return JdkFlowAdapter.publisherToFlowPublisher(Flux.just(problem.getBytes(StandardCharsets.UTF_8)));
			})), ServiceOptions.defaults()));
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(GrpcBytes.request("/acme.Files/All"), false);
		peer.data(call, GrpcBytes.message(), true);
		assertThat(call.status()).isZero();
		assertThat(GrpcBytes.messages(call.data())).singleElement()
			.isEqualTo("encoding: 'deflate' (expected: gzip or identity in a stream)".getBytes(StandardCharsets.UTF_8));
		assertThat(call.headers.get(0).get("grpc-encoding")).isNull();
	}

	@Test
	void references_readCompressedElements() {
		Accounts levels = new Accounts();
		start(builder().service(Feeds.class, new FeedsImpl())
			.grpc(GrpcOptions.defaults().withCompression(Compression.GZIP)));
		try (RpcClient client = RpcClient.builder().protocol(Protocol.GRPC).metrics(levels).build()) {
			Feeds feeds = client.reference(Feeds.class, ReferenceStates.at(this.server));
			for (int length : new int[] { 10, 2000, 300_000 }) {
				assertThat(feeds.blobs(50, length).map((each) -> each.length).collectList().block()).hasSize(50)
					.containsOnly(length);
			}
		}
		levels.awaitEmpty();
	}

	@Test
	void references_readCompressedReplies() throws Exception {
		startCompressing();
		Accounts levels = new Accounts();
		try (RpcClient client = RpcClient.builder().protocol(Protocol.GRPC).metrics(levels).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
			for (int size : new int[] { 0, 10, 2000, 100_000, 3_000_000 }) {
				assertThat(calls.grow(size)).hasSize(size);
				assertThat(calls.echoLater(new byte[size]).get(20, TimeUnit.SECONDS)).isEqualTo(new byte[size]);
			}
			assertThat(CallOptions.with("name", "value").call(() -> calls.grow(5000))).hasSize(5000);
		}
		levels.awaitEmpty();
	}

	@Test
	void reply_isRefused_ifItIsTooLongAfterInflation() {
		startCompressing();
		try (RpcClient client = RpcClient.builder().protocol(Protocol.GRPC).maxFrameSize(64 * 1024).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
			RpcException failure = catchThrowableOfType(RpcException.class, () -> calls.grow(1_000_000));
			assertThat(failure).hasMessageContaining("rpc.client.max-frame-size");
			assertThat(failure.mayHaveExecuted()).isTrue();
			assertThat(calls.grow(60_000)).hasSize(60_000);
		}
	}

}
