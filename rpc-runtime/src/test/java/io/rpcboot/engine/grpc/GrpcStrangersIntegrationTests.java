package io.rpcboot.engine.grpc;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.netty.handler.codec.http2.Http2Headers;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.security.AccessOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A caller without a valid proof does not learn which services and methods there are. */
class GrpcStrangersIntegrationTests extends AbstractGrpcEngine {

	private static final List<String> EXISTING = List.of(Http2Peer.path("Greet"), "/grpc.health.v1.Health/List",
			"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo");

	private static final List<String> OTHERS = List.of(Http2Peer.path("Missing"), "/shop.Missing/Any", "/",
			"/grpc.health.v1.Health/Missing", "/grpc.reflection.v2.ServerReflection/ServerReflectionInfo");

	private final CountDownLatch released = new CountDownLatch(1);

	/** A request of a stranger. */
	enum Request {

		NO_CREDENTIALS((headers) -> {
		}, GrpcBytes.message(), true),

		WRONG_CREDENTIALS((headers) -> headers.set("authorization", "Bearer wrong"), GrpcBytes.message(), true),

		MALFORMED_CREDENTIALS((headers) -> headers.set("authorization", "wrong"), GrpcBytes.message(), true),

		UNFINISHED((headers) -> headers.set("authorization", "Bearer slow"), GrpcBytes.message(), false),

		FINISHED((headers) -> headers.set("authorization", "Bearer slow"), GrpcBytes.message(), true),

		WITHOUT_MESSAGE((headers) -> headers.set("authorization", "Bearer slow"), new byte[0], true),

		CUT_OFF((headers) -> headers.set("authorization", "Bearer slow"), GrpcBytes.message(0, 9), true),

		UNKNOWN_ENCODING((headers) -> headers.set("authorization", "Bearer slow").set("grpc-encoding", "zstd"),
				GrpcBytes.message(), false),

		UNKNOWN_ENCODING_WITHOUT_CREDENTIALS((headers) -> headers.set("grpc-encoding", "zstd"), GrpcBytes.message(),
				false),

		BAD_TIMEOUT((headers) -> headers.set("authorization", "Bearer slow").set("grpc-timeout", "soon"),
				GrpcBytes.message(), false),

		BAD_METADATA((headers) -> headers.set("authorization", "Bearer slow").set("a-bin", "%%"), GrpcBytes.message(),
				true),

		COMPRESSED_WITHOUT_ENCODING((headers) -> headers.set("authorization", "Bearer slow"), GrpcBytes.message(1, 0),
				false),

		TOO_LONG((headers) -> headers.set("authorization", "Bearer slow"), GrpcBytes.message(0, -1), false),

		LONG((headers) -> headers.set("authorization", "Bearer slow"), GrpcBytes.message(0, 20_000, new byte[20_000]),
				true),

		OTHER_VERSION((headers) -> headers.set("authorization", "Bearer slow").set("rpc-version", "7"),
				GrpcBytes.message(), true);

		private final Consumer<Http2Headers> fields;

		private final byte[] body;

		private final boolean ends;

		Request(Consumer<Http2Headers> fields, byte[] body, boolean ends) {
			this.fields = fields;
			this.body = body;
			this.ends = ends;
		}

		private GrpcExchange send(Http2Peer peer, String path) {
			Http2Headers headers = GrpcBytes.request(path);
			this.fields.accept(headers);
			GrpcExchange call = peer.open(headers, false);
			peer.data(call, this.body, this.ends);
			return call;
		}

		private boolean isSlow() {
			Http2Headers headers = GrpcBytes.request("/");
			this.fields.accept(headers);
			return "Bearer slow".contentEquals(headers.get("authorization", ""));
		}

	}

	@BeforeEach
	void startGuarded() {
		start(builder().access(AccessOptions.defaults().withClearTextCredentials(true).withAuthenticator((given) -> {
			try {
				assertThat(!given.value().equals("slow") || this.released.await(30, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			throw new RpcException(RpcStatus.UNAUTHENTICATED, "not known", false);
		})));
	}

	@AfterEach
	void release() {
		this.released.countDown();
	}

	@ParameterizedTest
	@EnumSource(Request.class)
	void refusal_isTheSame_whetherMethodExistsOrNot(Request request) throws Exception {
		Http2Peer peer = connect();
		List<GrpcExchange> existing = EXISTING.stream().map((path) -> request.send(peer, path)).toList();
		List<GrpcExchange> others = OTHERS.stream().map((path) -> request.send(peer, path)).toList();
		if (request.isSlow()) {
			peer.call("Greet").status(); // all others have arrived
			assertThat(existing).as("before the check has ended").noneMatch((call) -> call.end.isDone());
			assertThat(others).noneMatch((call) -> call.end.isDone());
			this.released.countDown();
		}
		GrpcExchange other = others.get(0).await();
		assertThat(other.status()).isEqualTo(16);
		assertThat(other.field("rpc-executed")).isEqualTo("false");
		for (GrpcExchange call : existing) {
			assertThat(call.await().headers).as(call.toString()).isEqualTo(other.headers);
			assertThat(call.data()).isEmpty();
			if (!request.ends) {
				Eventually.until("RST_STREAM", () -> call.error != null && other.error != null);
			}
		}
		for (GrpcExchange call : others) {
			assertThat(call.await().headers).isEqualTo(other.headers);
		}
	}

}
