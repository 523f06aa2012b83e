package io.rpcboot.engine.grpc;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import io.netty.handler.codec.http2.Http2Settings;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.transport.MemoryOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Windows of all sizes, many streams, and memory that is short. */
class GrpcWindowsIntegrationTests extends AbstractGrpcEngine {

	private static final int INVALID_ARGUMENT = 3;

	private static final int MIB = 1 << 20;

	private static byte[] random(int size) {
		byte[] bytes = new byte[size];
		new Random(size).nextBytes(bytes);
		return bytes;
	}

	static IntStream smallWindows() {
		return IntStream.concat(IntStream.rangeClosed(1, 13), IntStream.of(31, 64, 100, 127, 199, 200));
	}

	@ParameterizedTest
	@MethodSource("smallWindows")
	void responses_arrive_throughSmallWindows(int window) throws Exception {
		Http2Peer peer = connect(new Http2Settings().initialWindowSize(window));
		peer.awaitFrame("SETTINGS ACK");
		List<GrpcExchange> calls = new ArrayList<>();
		int step = Math.max(7, 50 / window); // fewer bytes, or it is a flood of
												// WINDOW_UPDATE
		for (int size = 0; size < 400; size += step) {
			calls.add(peer.call("Echo", GrpcBytes.field(1, random(size))));
		}
		for (int i = 0; i < calls.size(); i++) {
			assertThat(calls.get(i).result()).as("size %d", step * i).isEqualTo(random(step * i));
			assertThat(calls.get(i).lengths).allMatch((each) -> each <= window);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 16_384, 65_535, 1 << 20, 16 << 20 })
	void eightMegabytes_travelBothWays(int window) throws Exception {
		Http2Peer peer = connect(new Http2Settings().initialWindowSize(window));
		byte[] bytes = random(8 * MIB - 100);
		List<GrpcExchange> calls = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			calls.add(peer.call("Echo", GrpcBytes.field(1, bytes)));
		}
		GrpcExchange small = peer.call("Greet", GrpcBytes.text("x"));
		assertThat(small.text()).isEqualTo("hello x");
		for (GrpcExchange each : calls) {
			assertThat(each.result()).isEqualTo(bytes);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 60_000, 65_536, 66_000 })
	void body_needsNoMoreWindow_upTo64K(int size) throws Exception {
		Http2Peer peer = connect();
		peer.awaitFrame("SETTINGS {");
		assertThat(peer.call("Echo", GrpcBytes.field(1, random(size))).result()).isEqualTo(random(size));
		assertThat(peer.frames()).noneMatch((each) -> each.startsWith("WINDOW_UPDATE 1:"));
	}

	@Test
	void windowOfConnection_isRaisedOnce_whateverTheLimitOfStreams() throws Exception {
		Http2Peer peer = connect();
		List<GrpcExchange> calls = new ArrayList<>();
		for (int limit : new int[] { 100, 200, 400 }) {
			peer.awaitFrame("SETTINGS {MAX_CONCURRENT_STREAMS=" + limit);
			while (calls.size() < limit) {
				calls.add(peer.call("LaterAtGate", GrpcBytes.text("x")));
			}
		}
		peer.awaitRead(1);
		assertThat(peer.frames()).filteredOn((each) -> each.startsWith("WINDOW_UPDATE 0:")).hasSize(1);
	}

	@Test
	void smallResponse_overtakesLargeOne_withoutWindowOfStream() throws Exception {
		Http2Peer peer = connect().withoutWindows();
		GrpcExchange large = peer.call("Grow", GrpcBytes.number(MIB));
		Eventually.until("it waits", () -> large.lengths.stream().mapToInt((each) -> each).sum() == 65_535);
		peer.windowUpdate(0, MIB);
		assertThat(peer.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
		assertThat(large.end).isNotDone();
		peer.windowUpdate(0, MIB);
		peer.windowUpdate(large.streamId, 2 * MIB);
		assertThat(large.result()).hasSize(MIB);
	}

	@Test
	void largeResponses_takeTurns() throws Exception {
		Http2Peer peer = connect(new Http2Settings().initialWindowSize(16 * MIB));
		List<GrpcExchange> calls = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			calls.add(peer.call("Grow", GrpcBytes.number(2 * MIB)));
		}
		for (GrpcExchange each : calls) {
			assertThat(each.result()).hasSize(2 * MIB);
		}
	}

	/** Few calls of a method run before the size of its results is known. */
	private void answerEight() throws Exception {
		Http2Peer peer = connect();
		for (int i = 0; i < 8; i++) {
			GrpcExchange call = peer.call("LaterAtGate", GrpcBytes.text("x"));
			this.implementation.futures.take().complete("done");
			assertThat(call.text()).isEqualTo("done");
		}
		peer.close();
	}

	@Test
	void limitOfStreams_grows_whileClientUsesIt() throws Exception {
		answerEight();
		Http2Peer peer = connect();
		peer.awaitFrame("SETTINGS {MAX_CONCURRENT_STREAMS=100");
		List<GrpcExchange> calls = new ArrayList<>();
		for (int limit : new int[] { 100, 200, 400, 800 }) {
			peer.awaitFrame("SETTINGS {MAX_CONCURRENT_STREAMS=" + limit);
			while (calls.size() < Math.min(limit, 1000)) {
				calls.add(peer.call("LaterAtGate", GrpcBytes.text("x")));
			}
		}
		peer.awaitFrame("SETTINGS {MAX_CONCURRENT_STREAMS=1600");
		while (calls.size() < 1000) {
			calls.add(peer.call("LaterAtGate", GrpcBytes.text("x")));
		}
		Eventually.until("all run", () -> this.implementation.futures.size() == 1000);
		awaitInFlight(1000);
		assertThat(peer.sendWindow()).as("window of the connection").isBetween(MIB / 2, MIB);
		this.implementation.futures.forEach((each) -> each.complete("done"));
		for (GrpcExchange each : calls) {
			assertThat(each.text()).isEqualTo("done");
		}
	}

	@Test
	void streamsOverLimit_areRefused_andDoNotRun() throws Exception {
		start(builder().maxCallsPerConnection(10));
		Http2Peer peer = connect();
		peer.awaitFrame("SETTINGS {MAX_CONCURRENT_STREAMS=10");
		List<GrpcExchange> calls = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			calls.add(peer.call("LaterAtGate", GrpcBytes.text("x")));
		}
		for (GrpcExchange each : calls.subList(10, 50)) {
			each.await();
			assertThat(each.error.name()).isEqualTo("REFUSED_STREAM");
			assertThat(each.headers).isEmpty();
		}
		Eventually.until("the others run", () -> this.implementation.futures.size() == 10);
		this.implementation.futures.forEach((each) -> each.complete("done"));
		for (GrpcExchange each : calls.subList(0, 10)) {
			assertThat(each.text()).isEqualTo("done");
		}
		assertThat(peer.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
	}

	/** A client may send before it has read the first limit. */
	@Test
	void thousandStreamsAtOnce_areServedOrRefused() throws Exception {
		answerEight();
		Http2Peer peer = connect().withoutSettingsAck();
		List<GrpcExchange> calls = new ArrayList<>();
		for (int i = 0; i < 1000; i++) {
			calls.add(peer.call("LaterAtGate", GrpcBytes.text("x")));
		}
		peer.awaitRead(1);
		int running = this.server.inFlightCalls();
		assertThat(running).isBetween(100, 1000);
		Eventually.until("all run", () -> this.implementation.futures.size() == running);
		this.implementation.futures.forEach((each) -> each.complete("done"));
		int served = 0;
		for (GrpcExchange each : calls) {
			each.await();
			if (each.error == null) {
				assertThat(each.text()).isEqualTo("done");
				served++;
			}
			else {
				assertThat(each.error.name()).isEqualTo("REFUSED_STREAM");
			}
		}
		assertThat(served).isEqualTo(running);
		assertThat(peer.frames()).noneMatch((each) -> each.startsWith("GOAWAY"));
	}

	@Test
	void callsBeyondServerLimit_areRejected() throws Exception {
		start(builder().maxInFlightCalls(5).maxCallsPerConnection(5));
		Http2Peer first = connect();
		List<GrpcExchange> calls = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			calls.add(first.call("LaterAtGate", GrpcBytes.text("x")));
		}
		awaitInFlight(5);
		GrpcExchange rejected = connect().call("Greet", GrpcBytes.text("x"));
		assertThat(rejected.status()).isEqualTo(8);
		assertThat(rejected.field("rpc-executed")).isEqualTo("false");
		assertThat(rejected.message()).contains("rpc.server.limits.in-flight-calls");
		Eventually.until("the others run", () -> this.implementation.futures.size() == 5);
		this.implementation.futures.forEach((each) -> each.complete("done"));
		for (GrpcExchange each : calls) {
			assertThat(each.text()).isEqualTo("done");
		}
	}

	/**
	 * More requests than memory has room for: each is served or rejected. The peers share
	 * the processor with the server, so that no rate of them is sure.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 60_000, 65_531, 200_000, 3_900_000 })
	void requests_areServedOrRejected_whenMemoryIsShort(int size) throws Exception {
		start(builder().maxFrameSize(4 * MIB).memory(MemoryOptions.defaults().withLimit(16L * MIB).withLeastRate(0)));
		List<GrpcExchange> calls = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			Http2Peer peer = connect(new Http2Settings().initialWindowSize(MIB));
			for (int j = 0; j < 20; j++) {
				calls.add(peer.call("Echo", GrpcBytes.field(1, random(size))));
			}
		}
		int served = 0;
		for (GrpcExchange each : calls) {
			int status = each.status();
			assertThat(status).as("%s", each.message()).isIn(0, 8);
			if (status == 0) {
				assertThat(each.result()).isEqualTo(random(size));
				served++;
			}
		}
		assertThat(served).isPositive();
	}

	/**
	 * The window is given back when a message is taken, and the rest of its DATA counts.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 8, 15, 16, 20, 24, 31, 32, 33 })
	void longMessageOfBuiltInCall_isRead_behindShortOnesInTheSameData(int count) throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(GrpcBytes.request("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"),
				false);
		ByteArrayOutputStream questions = new ByteArrayOutputStream();
		for (int i = 0; i < count; i++) {
			questions.writeBytes(GrpcBytes.message(GrpcBytes.field(4, new byte[2000])));
		}
		questions.writeBytes(GrpcBytes.message(GrpcBytes.field(4, new byte[300_000])));
		peer.data(call, questions.toByteArray(), true);
		assertThat(call.status()).as(call.toString()).isEqualTo(INVALID_ARGUMENT);
		assertThat(call.message()).contains("300004 bytes");
		assertThat(peer.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
	}

	/** Answers of a stream that wait for its window leave together. */
	@Test
	void waitingAnswersOfBuiltInCall_leaveInOneData() throws Exception {
		Http2Peer peer = connect(new Http2Settings().initialWindowSize(0));
		GrpcExchange call = peer.open(GrpcBytes.request("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"),
				false);
		ByteArrayOutputStream questions = new ByteArrayOutputStream();
		for (int i = 0; i < 12; i++) {
			questions.writeBytes(GrpcBytes.message(GrpcBytes.field(7, new byte[0])));
		}
		peer.data(call, questions.toByteArray(), true);
		Eventually.until("answers wait", () -> unsent() > 12 * 100);
		peer.windowUpdate(call.streamId, 1 << 20);
		assertThat(call.status()).isZero();
		assertThat(GrpcBytes.messages(call.data())).hasSize(12).allSatisfy((each) -> assertThat(each).isNotEmpty());
		assertThat(call.lengths).as("HEADERS took no body, the first answer was alone").hasSizeLessThanOrEqualTo(3);
		Eventually.until("nothing waits", () -> unsent() == 0);
	}

	private long unsent() {
		return this.server.connections().stream().mapToLong((each) -> each.memoryBytes()).sum();
	}

	/** The space for what has arrived is as long as the window, and a byte less. */
	@ParameterizedTest
	@ValueSource(ints = { 12_638, 12_639, 12_640, 20_000, 28_000, 30_000 })
	void longMessage_arrives_whereverItsFirstFramesEnd(int second) throws Exception {
		Http2Peer peer = connect();
		byte[] message = GrpcBytes.message(GrpcBytes.field(1, new byte[100_000]));
		GrpcExchange call = peer.open(GrpcBytes.request(Http2Peer.path("Echo")), false);
		peer.data(call, Arrays.copyOf(message, 4005), false);
		peer.awaitSent();
		peer.data(call, Arrays.copyOfRange(message, 4005, 4005 + second), false);
		peer.awaitSent();
		peer.data(call, Arrays.copyOfRange(message, 4005 + second, message.length), true);
		assertThat(call.result()).hasSize(100_000);
	}

}
