package io.rpcboot.engine.grpc;

import java.io.ByteArrayInputStream;
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
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.server.GrpcOptions.Compression;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
