package io.rpcboot.engine.grpc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls that end in each state: by RST_STREAM, by their time, with their connection. */
class GrpcEndsIntegrationTests extends AbstractGrpcEngine {

	private static final int DEADLINE_EXCEEDED = 4;

	private static final int MIB = 1 << 20;

	/** States of a call, at the server. */
	enum State {

		HEADERS, PART_OF_PREFIX, PART_OF_MESSAGE, PART_OF_LONG_MESSAGE, WITHOUT_END, QUEUED, RUNNING, RUNNING_FUTURE,
		RESPONSE_BLOCKED, RESPONSE_PARTLY_SENT, LARGE_RESPONSE_BLOCKED, ERROR_AWAITS_SOCKET

	}

	/** Ends of a call, by the client. */
	enum End {

		RESET, RESET_TWICE, CLOSE, ABORT, WINDOW_OVERFLOW

	}

	private void begin(Http2Peer peer, State state) {
		byte[] message = GrpcBytes.message(GrpcBytes.text("x"));
		switch (state) {
			case HEADERS -> open(peer, "Greet");
			case PART_OF_PREFIX -> peer.data(open(peer, "Greet"), new byte[] { 0, 0 }, false);
			case PART_OF_MESSAGE -> peer.data(open(peer, "Echo"), GrpcBytes.message(0, 1000, new byte[10]), false);
			case PART_OF_LONG_MESSAGE ->
				peer.data(open(peer, "Echo"), GrpcBytes.message(0, 4 * MIB, new byte[MIB]), false);
			case WITHOUT_END -> peer.data(open(peer, "Greet"), message, false);
			case QUEUED, RUNNING -> this.calls.add(peer.call("WaitForGate", GrpcBytes.text("x")));
			case RUNNING_FUTURE -> this.calls.add(peer.call("LaterAtGate", GrpcBytes.text("x")));
			case RESPONSE_BLOCKED, RESPONSE_PARTLY_SENT -> this.calls.add(peer.call("Grow", GrpcBytes.number(2000)));
			case LARGE_RESPONSE_BLOCKED -> this.calls.add(peer.call("Grow", GrpcBytes.number(3 * MIB)));
			case ERROR_AWAITS_SOCKET -> {
				peer.withoutReads();
				this.calls.add(peer.call("Grow", GrpcBytes.number(7 * MIB)));
				this.calls.add(peer.call("BreakDown", GrpcBytes.text("x")));
			}
		}
	}

	private final List<GrpcExchange> calls = new ArrayList<>();

	private GrpcExchange open(Http2Peer peer, String method) {
		GrpcExchange call = peer.open(GrpcBytes.request(Http2Peer.path(method)), false);
		this.calls.add(call);
		return call;
	}

	private void awaitState(Http2Peer peer, State state) {
		switch (state) {
			case QUEUED -> {
				Eventually.until("some run", () -> !this.implementation.entered.isEmpty());
				awaitInFlight(this.calls.size());
			}
			case RUNNING -> Eventually.until("they run", () -> this.implementation.entered.size() == this.calls.size());
			case RUNNING_FUTURE ->
				Eventually.until("they run", () -> this.implementation.futures.size() == this.calls.size());
			case RESPONSE_PARTLY_SENT ->
				this.calls.forEach((each) -> Eventually.until("a part has arrived", () -> !each.lengths.isEmpty()));
			case RESPONSE_BLOCKED, LARGE_RESPONSE_BLOCKED ->
				Eventually.until("results wait", () -> this.accounts.of(Gauge.IN_FLIGHT) == this.calls.size()
						&& this.accounts.of(Gauge.SERVER_MEMORY_OUTGOING) > 0);
			case ERROR_AWAITS_SOCKET ->
				Eventually.until("results wait", () -> this.accounts.of(Gauge.SERVER_MEMORY_OUTGOING) > 0);
			default -> peer.awaitRead(1);
		}
	}

	private void end(Http2Peer peer, End end) {
		switch (end) {
			case RESET -> this.calls.forEach((each) -> peer.reset(each, Http2Error.CANCEL));
			case RESET_TWICE -> {
				this.calls.forEach((each) -> peer.reset(each, Http2Error.CANCEL));
				this.calls.forEach((each) -> peer.reset(each, Http2Error.NO_ERROR));
			}
			case CLOSE -> peer.close();
			case ABORT -> peer.abort();
			case WINDOW_OVERFLOW -> this.calls.forEach((each) -> {
				peer.windowUpdate(each.streamId, Integer.MAX_VALUE);
				peer.windowUpdate(each.streamId, Integer.MAX_VALUE);
			});
		}
	}

	static Stream<Arguments> states() {
		return Stream.of(State.values())
			.flatMap((state) -> Stream.of(End.values()).map((end) -> Arguments.of(state, end)))
			.filter((each) -> each.get()[0] != State.ERROR_AWAITS_SOCKET || each.get()[1] != End.WINDOW_OVERFLOW);
	}

	@ParameterizedTest
	@MethodSource("states")
	void nothingIsLeft_whenCallsEnd(State state, End end) throws Exception {
		start(builder().maxThreads((state == State.QUEUED) ? 2 : 100));
		int window = switch (state) {
			case RESPONSE_BLOCKED, LARGE_RESPONSE_BLOCKED -> 0;
			case RESPONSE_PARTLY_SENT -> 100;
			default -> 65_535;
		};
		Http2Peer peer = connect(new Http2Settings().initialWindowSize(window)).withoutWindows();
		peer.awaitFrame("SETTINGS ACK");
		for (int i = 0; i < 10; i++) {
			begin(peer, state);
		}
		awaitState(peer, state);
		end(peer, end);
		if (state == State.RUNNING && end != End.CLOSE && end != End.ABORT) {
			peer.awaitRead(2);
			assertThat(this.server.inFlightCalls()).as("their threads run").isEqualTo(10);
		}
		this.implementation.gate.countDown();
		awaitInFlight(0);
		Eventually.until("no result is left", () -> this.accounts.of(Gauge.SERVER_MEMORY_OUTGOING) == 0);
		Eventually.until("no request is left", () -> this.accounts.of(Gauge.SERVER_MEMORY_INCOMING) == 0);
		if (end != End.CLOSE && end != End.ABORT && state != State.ERROR_AWAITS_SOCKET) {
			peer.settings(new Http2Settings().initialWindowSize(65_535));
			peer.windowUpdate(0, MIB);
			assertThat(peer.call("Greet", GrpcBytes.text("after")).text()).isEqualTo("hello after");
			assertThat(peer.frames()).noneMatch((each) -> each.startsWith("GOAWAY"));
		}
	}

	/** Requests that have only begun take the memory that they make the server keep. */
	@Test
	void begunRequests_takeMemory_asTheyArrive() throws Exception {
		Http2Peer peer = connect();
		Http2Headers headers = GrpcBytes.request(Http2Peer.path("Echo")).add("x-long", "~".repeat(6000));
		GrpcExchange first = peer.open(headers, false);
		for (int i = 0; i < 49; i++) {
			peer.open(headers, false);
		}
		peer.awaitRead(1);
		assertThat(this.accounts.of(Gauge.SERVER_MEMORY_INCOMING)).as("attachments").isBetween(290_000L, 310_000L);
		peer.data(first, GrpcBytes.message(0, 60_000, new byte[100]), false);
		peer.awaitRead(2);
		assertThat(this.accounts.of(Gauge.SERVER_MEMORY_INCOMING)).as("and little of a message")
			.isBetween(290_000L, 315_000L);
		peer.data(first, new byte[40_000], false);
		peer.awaitRead(3);
		assertThat(this.accounts.of(Gauge.SERVER_MEMORY_INCOMING)).as("and all of it").isGreaterThan(340_000);
	}

	@Test
	void reset_cancelsFuture() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = peer.call("LaterAtGate", GrpcBytes.text("x"));
		Eventually.until("it runs", () -> !this.implementation.futures.isEmpty());
		peer.reset(call, Http2Error.CANCEL);
		Eventually.until("cancelled", () -> this.implementation.futures.peek().isCancelled());
		awaitInFlight(0);
		assertThat(call.error).as("no answer to a reset").isNull();
	}

	@Test
	void callInQueue_isRejected_afterItsTime() throws Exception {
		start(builder().maxThreads(1));
		Http2Peer peer = connect();
		GrpcExchange running = peer.call("WaitForGate", GrpcBytes.text("x"));
		assertThat(this.implementation.entered.poll(20, TimeUnit.SECONDS)).isEqualTo("x");
		GrpcExchange late = peer.open(GrpcBytes.request(Http2Peer.path("WaitForGate")).add("grpc-timeout", "50m"),
				false);
		peer.data(late, GrpcBytes.message(GrpcBytes.text("late")), true);
		peer.awaitRead(1);
		Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(60));
		this.implementation.gate.countDown();
		assertThat(late.status()).isEqualTo(DEADLINE_EXCEEDED);
		assertThat(late.field("rpc-executed")).isEqualTo("false");
		assertThat(this.implementation.entered).isEmpty();
		assertThat(running.text()).isEqualTo("passed x");
	}

	@Test
	void blockedResponse_isDropped_atItsTime() throws Exception {
		Http2Peer peer = connect(new Http2Settings().initialWindowSize(0));
		peer.awaitFrame("SETTINGS ACK");
		GrpcExchange call = peer.open(GrpcBytes.request(Http2Peer.path("Grow")).add("grpc-timeout", "300m"), false);
		peer.data(call, GrpcBytes.message(GrpcBytes.number(100_000)), true);
		assertThat(call.await().error).isEqualTo(Http2Error.CANCEL);
		awaitInFlight(0);
		Eventually.until("no result is left", () -> this.accounts.of(Gauge.SERVER_MEMORY_OUTGOING) == 0);
		peer.windowUpdate(call.streamId, 1000);
		peer.awaitRead(1);
		assertThat(call.lengths).isEmpty();
	}

	/** DATA that was on its way when the server reset the stream. */
	@Test
	void lateData_isIgnored_whileCallStillRuns() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = peer.call("WaitForGate", GrpcBytes.text("x"));
		assertThat(this.implementation.entered.poll(20, TimeUnit.SECONDS)).isEqualTo("x");
		BiConsumer<Integer, Boolean> data = (size, end) -> peer.dataAtOnce(call, new byte[size], 0, end);
		data.accept(10, false);
		assertThat(call.await().error).isEqualTo(Http2Error.STREAM_CLOSED);
		call.error = null;
		for (int i = 0; i < 300; i++) {
			data.accept(10, false);
		}
		peer.awaitRead(1);
		assertThat(call.error).as("one reset").isNull();
		assertThat(peer.frames()).noneMatch((each) -> each.startsWith("GOAWAY"));
	}

	/** As grpc-java does when a call is over before it has left. */
	@Test
	void dataBehindReset_endsItsStreamAlone() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange running = peer.call("LaterAtGate", GrpcBytes.text("x"));
		for (int i = 0; i < 50; i++) {
			GrpcExchange call = peer.open(GrpcBytes.request(Http2Peer.path("Greet")), false);
			peer.reset(call, Http2Error.CANCEL);
			peer.dataAtOnce(call, GrpcBytes.message(GrpcBytes.text("late")), 0, true);
			Eventually.until("it is reset", () -> call.error == Http2Error.STREAM_CLOSED);
			call.error = null;
			peer.dataAtOnce(call, new byte[10], 0, true);
			peer.awaitRead(i);
			assertThat(call.error).as("one reset").isNull();
		}
		Eventually.until("the call runs", () -> this.implementation.futures.size() == 1);
		this.implementation.futures.forEach((each) -> each.complete("done"));
		assertThat(running.text()).isEqualTo("done");
		assertThat(peer.frames()).noneMatch((each) -> each.startsWith("GOAWAY"));
	}

	/** As when a server goes on whose clients have given up meanwhile. */
	@Test
	void resetsOfRejectedRequests_areNoAttack() throws Exception {
		Http2Peer peer = connect();
		for (int i = 0; i < 600; i++) {
			peer.reset(peer.open(GrpcBytes.request(Http2Peer.path("Missing")), false), Http2Error.CANCEL);
		}
		assertThat(peer.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
		assertThat(peer.frames()).noneMatch((each) -> each.startsWith("GOAWAY"));
	}

	/** A client that knows only this server connects again and again. */
	@Test
	void connectionDuringShutdown_servesNoStream() throws Exception {
		Http2Peer before = connect();
		GrpcExchange running = before.call("LaterAtGate", GrpcBytes.text("x"));
		Eventually.until("it runs", () -> this.implementation.futures.size() == 1);
		CompletableFuture<Void> shutdown = CompletableFuture
			.runAsync(() -> this.server.shutdown(Duration.ofSeconds(30)));
		before.awaitFrame("GOAWAY");
		Http2Peer late = connect();
		assertThat(late.awaitFrame("GOAWAY")).startsWith("GOAWAY 0 NO_ERROR");
		this.implementation.futures.forEach((each) -> each.complete("done"));
		assertThat(running.text()).isEqualTo("done");
		late.close();
		before.close();
		shutdown.get(30, TimeUnit.SECONDS);
	}

	@Test
	void connectionsThatCloseAtOnce_leaveNothing() throws Exception {
		start(builder());
		for (int i = 0; i < 50; i++) {
			Http2Peer peer = connect();
			for (int j = 0; j < 5; j++) {
				peer.call("Echo", GrpcBytes.field(1, new byte[20_000 * j]));
			}
			if (i % 2 == 0) {
				peer.awaitSent();
			}
			peer.abort();
		}
		assertThat(connect().call("Greet", GrpcBytes.text("after")).text()).isEqualTo("hello after");
	}

}
