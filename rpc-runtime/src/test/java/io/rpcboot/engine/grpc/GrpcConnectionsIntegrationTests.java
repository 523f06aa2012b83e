package io.rpcboot.engine.grpc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.server.ShutdownReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Drain, age, idle clients and the errors that end a connection of gRPC. */
class GrpcConnectionsIntegrationTests extends AbstractGrpcEngine {

	private static final String ALL_STREAMS = "GOAWAY 2147483647 NO_ERROR";

	@Test
	void drain_servesWhatItHasAccepted() throws Exception {
		Http2Peer peer = connect();
		List<GrpcExchange> accepted = new ArrayList<>();
		accepted.add(peer.call("LaterAtGate", GrpcBytes.text("x")));
		Eventually.until("it runs", () -> this.implementation.futures.size() == 1);
		CompletableFuture<ShutdownReport> shutdown = CompletableFuture
			.supplyAsync(() -> this.server.shutdown(Duration.ofSeconds(60)));
		peer.awaitFrame(ALL_STREAMS);
		for (int i = 0; i < 5; i++) { // before the client has acknowledged the PING, or
										// after
			accepted.add(peer.call("Greet", GrpcBytes.text("x")));
		}
		Eventually.until("the second GOAWAY", () -> goAways(peer).size() == 2);
		int last = Integer.parseInt(goAways(peer).get(1).split(" ")[1]);
		GrpcExchange late = peer.call("Greet", GrpcBytes.text("late"));
		assertThat(late.streamId).isGreaterThan(last);
		Eventually.until("those before it are served",
				() -> accepted.subList(1, 6).stream().allMatch((each) -> each.streamId > last || each.end.isDone()));
		this.implementation.futures.peek().complete("done");
		for (GrpcExchange each : accepted) {
			if (each.streamId <= last) {
				assertThat(each.text()).as("stream %d of %d", each.streamId, last).isIn("done", "hello x");
			}
		}
		ShutdownReport report = shutdown.get(60, TimeUnit.SECONDS);
		assertThat(report.cutCalls()).isZero();
		peer.awaitClose();
		assertThat(this.implementation.executed.get())
			.isEqualTo((int) accepted.stream().filter((each) -> each.streamId <= last).count() - 1);
	}

	private static List<String> goAways(Http2Peer peer) {
		return peer.frames().stream().filter((each) -> each.startsWith("GOAWAY")).toList();
	}

	/** The second GOAWAY comes after a second at the latest. */
	@Test
	void drain_ends_whenPingIsNotAnswered() throws Exception {
		Http2Peer peer = connect().withoutPingAck();
		assertThat(peer.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
		this.server.shutdown(Duration.ofSeconds(60));
		peer.awaitClose();
		assertThat(goAways(peer)).hasSize(2);
		assertThat(goAways(peer).get(1)).startsWith("GOAWAY 1 NO_ERROR");
	}

	@Test
	void callsThatRunAfterGracePeriod_areCut() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = peer.call("LaterAtGate", GrpcBytes.text("x"));
		Eventually.until("it runs", () -> this.implementation.futures.size() == 1);
		ShutdownReport report = this.server.shutdown(Duration.ofMillis(100));
		assertThat(report.cutCalls()).isOne();
		peer.awaitClose();
		assertThat(call.end).isCompletedExceptionally();
	}

	@Test
	void oldConnection_isReplaced_afterItsCalls() throws Exception {
		start(builder().connectionMaxAge(Duration.ofMillis(300), Duration.ofSeconds(60)));
		Http2Peer peer = connect();
		GrpcExchange running = peer.call("LaterAtGate", GrpcBytes.text("x"));
		peer.awaitFrame(ALL_STREAMS);
		assertThat(peer.call("Greet", GrpcBytes.text("y")).text()).as("it still serves").isEqualTo("hello y");
		this.implementation.futures.poll(20, TimeUnit.SECONDS).complete("done");
		assertThat(running.text()).isEqualTo("done");
		peer.awaitClose();
		assertThat(goAways(peer)).hasSize(2);
		assertThat(goAways(peer).get(1)).startsWith("GOAWAY 3 NO_ERROR").contains("as old as it may become");
		Eventually.until("counted", () -> this.accounts.of(Gauge.AGED_CONNECTIONS) == 1);
	}

	@Test
	void connection_isReplaced_beforeItsIdsEnd() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange last = peer.open((1 << 30) - 1, GrpcBytes.request(Http2Peer.path("Greet")), false);
		peer.data(last, GrpcBytes.message(GrpcBytes.text("x")), true);
		assertThat(last.text()).isEqualTo("hello x");
		peer.awaitRead(1);
		assertThat(goAways(peer)).isEmpty();
		for (int i = 0; i < 3; i++) {
			GrpcExchange beyond = peer.open((1 << 30) + 1 + 2 * i, GrpcBytes.request(Http2Peer.path("Greet")), false);
			peer.data(beyond, GrpcBytes.message(GrpcBytes.text("y")), true);
			assertThat(beyond.text()).isEqualTo("hello y");
		}
		peer.awaitFrame(ALL_STREAMS);
		peer.awaitClose();
		assertThat(goAways(peer)).hasSize(2);
	}

	@Test
	void idleClient_isAsked_andStaysWhileItAnswers() throws Exception {
		start(builder().idleTimeout(Duration.ofMillis(400)));
		Http2Peer peer = connect();
		Eventually.until("asked", () -> peer.frames().stream().filter((each) -> each.startsWith("PING ")).count() >= 3);
		assertThat(peer.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
	}

	@Test
	void deadClient_isClosed_afterIdleTimeout() throws Exception {
		start(builder().idleTimeout(Duration.ofMillis(400)));
		Http2Peer peer = connect().withoutPingAck();
		peer.awaitClose();
		assertThat(goAways(peer)).singleElement().asString().contains("idle-timeout");
		awaitLogged("nothing arrived for rpc.server.idle-timeout");
	}

	@Test
	void busyClient_isNotIdle() throws Exception {
		start(builder().idleTimeout(Duration.ofMillis(200)));
		Http2Peer peer = connect().withoutPingAck();
		GrpcExchange call = peer.call("LaterAtGate", GrpcBytes.text("x"));
		Eventually.passed(System.nanoTime() + Duration.ofMillis(700).toNanos());
		this.implementation.futures.poll(20, TimeUnit.SECONDS).complete("done");
		assertThat(call.text()).isEqualTo("done");
	}

	@Test
	void clientWithoutSettings_isClosed_afterHandshakeTimeout() throws Exception {
		start(builder().handshakeTimeout(Duration.ofMillis(300)));
		Http2Peer peer = closing(Http2Peer.silent(this.server.port())).withoutSettingsAck();
		peer.raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes());
		peer.awaitClose();
		awaitLogged("no SETTINGS within rpc.server.handshake-timeout");
	}

	@Test
	void clientThatOpensNoWindow_isClosed_afterIdleTimeout() throws Exception {
		start(builder().idleTimeout(Duration.ofMillis(600)));
		Http2Peer peer = connect(new Http2Settings().initialWindowSize(0));
		peer.awaitFrame("SETTINGS ACK");
		peer.call("Grow", GrpcBytes.number(100_000));
		peer.awaitClose();
		awaitLogged("its client reads no answers");
		awaitInFlight(0);
	}

	@Test
	void pingsWithoutCalls_endConnection() throws Exception {
		Http2Peer peer = connect();
		assertThat(peer.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
		for (int i = 1; i <= 3; i++) {
			peer.awaitRead(i);
		}
		peer.ping(4);
		peer.awaitClose();
		assertThat(goAways(peer)).singleElement().asString().contains("ENHANCE_YOUR_CALM").contains("too_many_pings");
		awaitLogged("too_many_pings");
	}

	/** As clients of grpc-go and grpc-java do while they measure their windows. */
	@Test
	void pingsBetweenData_areAnswered() throws Exception {
		Http2Peer peer = connect().withoutWindows();
		GrpcExchange call = peer.call("Grow", GrpcBytes.number(1 << 20));
		Eventually.until("it waits", () -> call.lengths.stream().mapToInt((each) -> each).sum() == 65_535);
		for (int i = 1; i <= 20; i++) {
			peer.windowUpdate(0, 1000);
			peer.windowUpdate(call.streamId, 1000);
			peer.awaitRead(i);
		}
		peer.windowUpdate(0, 2 << 20);
		peer.windowUpdate(call.streamId, 2 << 20);
		assertThat(call.result()).hasSize(1 << 20);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			'000000 00 00 00000001', PROTOCOL_ERROR, DATA of an idle stream
			'000000 00 00 00000000', PROTOCOL_ERROR, 'DATA: stream 0'
			'000001 01 05 00000002 82', PROTOCOL_ERROR, HEADERS of an idle stream
			'000000 05 04 00000001', PROTOCOL_ERROR, PUSH_PROMISE
			'000004 03 00 00000001 00000008', PROTOCOL_ERROR, RST_STREAM of an idle stream
			'000004 08 00 00000001 00000001', PROTOCOL_ERROR, WINDOW_UPDATE of an idle stream
			'000004 08 00 00000000 7fffffff', FLOW_CONTROL_ERROR, window of the connection
			'000006 04 00 00000000 000480000000', FLOW_CONTROL_ERROR, INITIAL_WINDOW_SIZE
			'000001 01 05 00000001 80', COMPRESSION_ERROR, ''
			'004001 00 00 00000001', FRAME_SIZE_ERROR, length of a frame
			'000000 09 04 00000001', PROTOCOL_ERROR, CONTINUATION
			""")
	void violationOfProtocol_endsConnection(String hex, String error, String text) throws Exception {
		Http2Peer peer = connect();
		peer.awaitFrame("SETTINGS ACK");
		peer.raw(HexFormat.of().parseHex(hex.replace(" ", "")));
		peer.awaitClose();
		assertThat(goAways(peer)).singleElement().asString().startsWith("GOAWAY 0 " + error).contains(text);
		awaitLogged(text);
		assertThat(this.log.messages()).as("one line").hasSize(1);
	}

	@Test
	void windowThatSettingsRaiseTooFar_endsConnection() throws Exception {
		Http2Peer peer = connect();
		List<GrpcExchange> calls = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			calls.add(peer.call("LaterAtGate", GrpcBytes.text("x")));
		}
		peer.windowUpdate(calls.get(1).streamId, 1000);
		peer.settings(new Http2Settings().initialWindowSize(Integer.MAX_VALUE));
		peer.awaitClose();
		assertThat(goAways(peer)).singleElement().asString().startsWith("GOAWAY 5 FLOW_CONTROL_ERROR");
	}

	@Test
	void idOfClosedStream_endsConnection() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = peer.call("Greet", GrpcBytes.text("x"));
		assertThat(call.text()).isEqualTo("hello x");
		peer.dataAtOnce(call, new byte[1], 0, false);
		peer.awaitClose();
		assertThat(goAways(peer)).singleElement().asString().startsWith("GOAWAY 1 STREAM_CLOSED");
	}

	@Test
	void dataBeyondWindow_endsItsStream() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(GrpcBytes.request(Http2Peer.path("Echo")), false);
		peer.dataAtOnce(call, GrpcBytes.message(0, 60_000, new byte[10]), 0, false);
		for (int i = 0; i < 60_000; i += 16_000) {
			peer.dataAtOnce(call, new byte[16_000], 0, false);
		}
		for (int i = 0; i < 10 && call.error == null; i++) {
			peer.awaitRead(i);
			peer.dataAtOnce(call, new byte[16_000], 0, false);
		}
		assertThat(call.await().status()).isNotZero();
		assertThat(peer.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
	}

	@Test
	void goAwayOfClient_leavesItsCalls() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = peer.call("LaterAtGate", GrpcBytes.text("x"));
		peer.goAway();
		peer.awaitRead(1);
		this.implementation.futures.poll(20, TimeUnit.SECONDS).complete("done");
		assertThat(call.text()).isEqualTo("done");
	}

	@Test
	void errorOfOneConnection_concernsNoOther() throws Exception {
		Http2Peer honest = connect();
		GrpcExchange call = honest.call("LaterAtGate", GrpcBytes.text("x"));
		Http2Peer broken = connect();
		broken.raw((byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) -1);
		broken.awaitClose();
		this.implementation.futures.poll(20, TimeUnit.SECONDS).complete("done");
		assertThat(call.text()).isEqualTo("done");
		assertThat(call.error).isNotEqualTo(Http2Error.CANCEL);
	}

}
