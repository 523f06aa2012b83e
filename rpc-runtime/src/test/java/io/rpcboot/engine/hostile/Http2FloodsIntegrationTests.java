package io.rpcboot.engine.hostile;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Floods of one client of HTTP/2: how its connection ends, and who notices. */
@Timeout(120)
class Http2FloodsIntegrationTests {

	private static final int SETTINGS = 4;

	private static final int PRIORITY = 2;

	private static final int PING = 6;

	private static final int UNKNOWN = 99;

	/** More than twice the limit of streams, which grows while they are open. */
	private static final int MANY = 50_000;

	private final CallsImpl implementation = new CallsImpl();

	private final LogRecorder log = new LogRecorder("rpc.server");

	private RpcServer server;

	private Http2Peer honest;

	private Http2Peer hostile;

	@BeforeEach
	void start() throws Exception {
		this.server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Calls.class, this.implementation)
			.start();
		this.honest = Http2Peer.connect(this.server.port());
		this.hostile = Http2Peer.connect(this.server.port());
		assertThat(this.honest.call("Greet", GrpcBytes.text("a")).text()).isEqualTo("hello a");
	}

	@AfterEach
	void stop() {
		this.implementation.gate.countDown();
		this.implementation.futures.forEach((each) -> each.complete("late"));
		this.honest.close();
		this.hostile.close();
		this.server.close();
		this.log.close();
	}

	/** The client was told why, one line is logged, and no other client notices. */
	private void assertEnded(Http2Error error, String reason) throws Exception {
		this.hostile.awaitClose();
		assertThat(this.hostile.frames()).as("GOAWAY")
			.anyMatch((each) -> each.startsWith("GOAWAY") && each.contains(error.name()) && each.contains(reason));
		assertLogged(reason);
	}

	private void assertLogged(String reason) throws Exception {
		this.hostile.awaitClose();
		Eventually.until("logged: %s, not %s".formatted(reason, this.log.messages()),
				() -> this.log.messages().stream().anyMatch((line) -> line.contains(reason)));
		assertThat(this.honest.call("Greet", GrpcBytes.text("b")).text()).isEqualTo("hello b");
		Eventually.until("only the honest client is connected", () -> this.server.connections().size() == 1);
		assertThat(this.log.messages()).filteredOn((line) -> line.startsWith("Connection closed")).hasSize(1);
	}

	private static byte[] frame(int type, int flags, int streamId, byte... payload) {
		return ByteBuffer.allocate(9 + payload.length)
			.putInt(payload.length << Byte.SIZE | type)
			.put((byte) flags)
			.putInt(streamId)
			.put(payload)
			.array();
	}

	private void flood(byte[] frame, int count) {
		ByteArrayOutputStream burst = new ByteArrayOutputStream();
		for (int i = 0; i < count; i++) {
			burst.writeBytes(frame);
		}
		this.hostile.raw(burst.toByteArray());
	}

	/** Refuses a request for what its client has asked. */
	private GrpcExchange refused(String kind) {
		return switch (kind) {
			case "path" -> this.hostile.open(GrpcBytes.request("/unknown/Method"), true);
			case "method" -> this.hostile.open(GrpcBytes.request(Http2Peer.path("Unknown")), true);
			case "405" -> this.hostile.open(GrpcBytes.request(Http2Peer.path("Greet")).method("GET"), true);
			case "415" -> {
				Http2Headers headers = GrpcBytes.request(Http2Peer.path("Greet"));
				headers.set("content-type", "text/plain");
				yield this.hostile.open(headers, true);
			}
			case "431" ->
				this.hostile.open(GrpcBytes.request(Http2Peer.path("Greet")).add("x", "~".repeat(16_000)), true);
			case "encoding" ->
				this.hostile.open(GrpcBytes.request(Http2Peer.path("Greet")).add("grpc-encoding", "br"), true);
			case "empty" -> this.hostile.open(GrpcBytes.request(Http2Peer.path("Greet")), true);
			default -> {
				GrpcExchange call = this.hostile.open(GrpcBytes.request(Http2Peer.path("Greet")), false);
				this.hostile.data(call, GrpcBytes.message(0, 100_000_000), false);
				yield call;
			}
		};
	}

	@ParameterizedTest
	@ValueSource(strings = { "path", "method", "405", "415", "431", "encoding", "empty", "large" })
	void rapidReset_endsConnection_behindRefusalsOfTheClient(String kind) throws Exception {
		for (int i = 0; i < 2000 && !this.hostile.isClosed(); i++) {
			GrpcExchange first = refused(kind);
			GrpcExchange call = this.hostile.call("LaterAtGate", GrpcBytes.text("x"));
			this.hostile.reset(call, Http2Error.CANCEL);
			Eventually.until("the first is refused", () -> first.end.isDone() || this.hostile.isClosed());
		}
		assertEnded(Http2Error.ENHANCE_YOUR_CALM, "streams that were reset before their response");
	}

	/** The windows of all streams change; it is paid as the work that it is. */
	@Test
	void settingsFlood_endsConnection_afterFewFramesWithManyStreams() throws Exception {
		List<GrpcExchange> calls = new ArrayList<>();
		for (int i = 1; i <= 600; i++) {
			calls.add(this.hostile.call("LaterAtGate", GrpcBytes.text("x")));
			if (i % 50 == 0) {
				this.hostile.awaitRead(i);
			}
		}
		Eventually.until("600 are open", () -> this.server.inFlightCalls() == 600);
		byte[] first = frame(SETTINGS, 0, 0, (byte) 0, (byte) 4, (byte) 0, (byte) 0, (byte) 3, (byte) -24);
		byte[] second = frame(SETTINGS, 0, 0, (byte) 0, (byte) 4, (byte) 0, (byte) 0, (byte) 7, (byte) -48);
		for (int i = 0; i < 300; i++) {
			this.hostile.raw(first);
			this.hostile.raw(second);
		}
		assertEnded(Http2Error.ENHANCE_YOUR_CALM, "or as much work");
	}

	/** Its calls run on, and count until their threads have ended. */
	@Test
	void rapidReset_endsConnection() throws Exception {
		for (int i = 0; i < MANY && !this.hostile.isClosed(); i++) {
			GrpcExchange call = this.hostile.call("LaterAtGate", GrpcBytes.text("x"));
			this.hostile.reset(call, Http2Error.CANCEL);
		}
		assertEnded(Http2Error.ENHANCE_YOUR_CALM, "streams that were reset before their response");
	}

	@Test
	void resetBlockingCalls_countUntilTheyEnd() throws Exception {
		List<GrpcExchange> calls = new ArrayList<>();
		for (int i = 0; i < 150; i++) {
			GrpcExchange call = this.hostile.call("WaitForGate", GrpcBytes.text("x"));
			calls.add(call);
			this.hostile.reset(call, Http2Error.CANCEL);
		}
		this.hostile.awaitRead(1);
		assertThat(this.server.inFlightCalls()).isLessThanOrEqualTo(150);
		assertThat(this.implementation.entered.size()).isLessThanOrEqualTo(150);
		this.implementation.gate.countDown();
		Eventually.until("they have ended", () -> this.server.inFlightCalls() == 0);
		assertThat(this.hostile.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void madeYouReset_endsConnection(boolean byWindow) throws Exception {
		for (int i = 0; i < MANY && !this.hostile.isClosed(); i++) {
			GrpcExchange call = this.hostile.call("LaterAtGate", GrpcBytes.text("x"));
			if (byWindow) {
				this.hostile.windowUpdate(call.streamId, Integer.MAX_VALUE);
			}
			else {
				this.hostile.dataAtOnce(call, new byte[1], 0, false);
			}
		}
		assertEnded(Http2Error.ENHANCE_YOUR_CALM, "streams that were reset before their response");
	}

	@Test
	void errorsOfOneStream_endConnection() throws Exception {
		GrpcExchange call = this.hostile.call("LaterAtGate", GrpcBytes.text("x"));
		for (int i = 0; i < MANY && !this.hostile.isClosed(); i++) {
			this.hostile.raw(frame(8, 0, call.streamId, new byte[4]));
		}
		assertEnded(Http2Error.ENHANCE_YOUR_CALM, "streams that were reset before their response");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 1000 })
	void continuationFlood_endsConnection(int length) throws Exception {
		this.hostile.raw(frame(1, 0, 1, (byte) 0x83));
		flood(frame(9, 0, 1, new byte[length]), 100);
		assertEnded(Http2Error.ENHANCE_YOUR_CALM, "CONTINUATION: too long a block");
	}

	/** A busy machine may read fewer than the limit in its first seconds. */
	@ParameterizedTest
	@ValueSource(ints = { SETTINGS, PRIORITY, UNKNOWN })
	void controlFlood_endsConnection(int type) throws Exception {
		byte[] payload = (type == PRIORITY) ? new byte[5] : new byte[0];
		for (int i = 0; i < 20 && !this.hostile.isClosed(); i++) {
			flood(frame(type, 0, (type == PRIORITY) ? 1 : 0, payload), 40_000);
		}
		assertEnded(Http2Error.ENHANCE_YOUR_CALM, "control frames: over 20,000 in a second");
	}

	@Test
	void pingFlood_endsConnection() throws Exception {
		flood(frame(PING, 0, 0, new byte[8]), 1000);
		assertEnded(Http2Error.ENHANCE_YOUR_CALM, "too_many_pings");
	}

	@Test
	void emptyDataFlood_endsConnection() throws Exception {
		this.hostile.open(GrpcBytes.request(Http2Peer.path("Echo")), false);
		flood(frame(0, 0, 1), 40_000);
		assertEnded(Http2Error.ENHANCE_YOUR_CALM, "control frames: over 20,000 in a second");
	}

	@Test
	void windowOfOneFlood_endsConnection() throws Exception {
		this.hostile.withoutWindows().settings(new Http2Settings().initialWindowSize(1));
		GrpcExchange call = this.hostile.call("Grow", GrpcBytes.number(1 << 20));
		flood(frame(8, 0, call.streamId, (byte) 0, (byte) 0, (byte) 0, (byte) 1), 40_000);
		assertEnded(Http2Error.ENHANCE_YOUR_CALM, "control frames: over 20,000 in a second");
		Eventually.until("the call has ended", () -> this.server.inFlightCalls() == 0);
	}

	/** One field in the table, which a block names 15,000 times. */
	@Test
	void hpackBomb_is431() throws Exception {
		Http2Headers bomb = new DefaultHttp2Headers(false);
		GrpcBytes.request(Http2Peer.path("Greet")).forEach((each) -> bomb.add(each.getKey(), each.getValue()));
		for (int i = 0; i < 10_000; i++) {
			bomb.add("x-bomb", "x".repeat(500));
		}
		for (int i = 0; i < 20; i++) {
			assertThat(this.hostile.open(bomb, true).await().httpStatus()).isEqualTo("431");
		}
		assertThat(this.hostile.call("Greet", GrpcBytes.text("x")).text()).as("its table is whole")
			.isEqualTo("hello x");
	}

	@Test
	void headerLists_overLimit_are431() throws Exception {
		for (int i = 0; i < 50; i++) {
			Http2Headers headers = GrpcBytes.request(Http2Peer.path("Greet"));
			for (int j = 0; j < 150; j++) {
				headers.add("x-" + i + "-" + j, "~".repeat(60));
			}
			assertThat(this.hostile.open(headers, true).await().httpStatus()).isEqualTo("431");
		}
		assertThat(this.hostile.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
	}

	/** The limit of streams is not raised for requests that do not end. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void streamsThatNeverEnd_areLimited(boolean besideOneCall) throws Exception {
		List<GrpcExchange> streams = new ArrayList<>();
		for (int i = 0; i < 250; i++) {
			streams.add(this.hostile.open(GrpcBytes.request(Http2Peer.path("Echo")), false));
			if (besideOneCall && i == 98) {
				assertThat(this.hostile.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
			}
		}
		for (GrpcExchange each : streams.subList(100, 250)) {
			assertThat(each.await().error).isEqualTo(Http2Error.REFUSED_STREAM);
		}
		assertThat(this.honest.call("Greet", GrpcBytes.text("b")).text()).isEqualTo("hello b");
	}

	@Test
	void thousandIdleConnections_disturbNobody() throws Exception {
		List<Http2Peer> idle = new ArrayList<>();
		try (RpcServer many = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.maxConnectionsPerAddress(0)
			.service(Calls.class, this.implementation)
			.start()) {
			for (int i = 0; i < 1000; i++) {
				idle.add(Http2Peer.connect(many.port()));
			}
			Eventually.until("all are open", () -> many.connections().size() == 1000);
			try (Http2Peer other = Http2Peer.connect(many.port())) {
				assertThat(other.call("Greet", GrpcBytes.text("b")).text()).isEqualTo("hello b");
			}
		}
		finally {
			idle.forEach(Http2Peer::close);
		}
	}

	@Test
	void unreadBuiltInResponses_areBounded() throws Exception {
		this.hostile.withoutWindows();
		GrpcExchange stream = this.hostile
			.open(GrpcBytes.request("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"), false);
		byte[] question = GrpcBytes
			.message(GrpcBytes.field(4, Calls.class.getName().getBytes(StandardCharsets.US_ASCII)));
		for (int i = 0; i < 5000; i++) {
			this.hostile.data(stream, question, false);
		}
		Eventually.until("its window is used up",
				() -> stream.lengths.stream().mapToInt((each) -> each).sum() == 65_535 || stream.end.isDone());
		assertThat(this.honest.call("Greet", GrpcBytes.text("b")).text()).isEqualTo("hello b");
		this.hostile.reset(stream, Http2Error.CANCEL);
		this.hostile.windowUpdate(0, 1 << 20);
		assertThat(this.hostile.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
	}

}
