package io.rpcboot.engine.relay;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallOptions;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.Relays;
import io.rpcboot.engine.fixture.ServerProcess;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.engine.fixture.peer.Http2Server;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Calls through a relay that go wrong, by either side. */
class RelayFailuresIntegrationTests extends AbstractRelayEngine {

	private static final int END_STREAM = 1;

	private static final byte[] X = GrpcBytes.message(GrpcBytes.text("x"));

	private Http2Server target(Http2Server.Behaviour behaviour) throws Exception {
		return atEnd(new Http2Server(new Http2Settings(), behaviour));
	}

	private GrpcExchange open(Http2Peer peer, String method) {
		return peer.open(GrpcBytes.request(Http2Peer.path(method)), false);
	}

	@Test
	void refusedStream_goesToOtherInstance_fromBytesOfRelay() throws Exception {
		AtomicInteger refused = new AtomicInteger();
		Http2Server full = target((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.DATA) {
				refused.incrementAndGet();
				answers.send((writer, out) -> writer.rstStream(out, streamId,
						io.rpcboot.internal.protocol.http2.Http2Error.REFUSED_STREAM));
			}
		});
		RpcServer server = server();
		Calls calls = calls(relay(toCalls(ReferenceStates.at(full.port(), server.port()))));
		for (int i = 0; refused.get() == 0 || i < 20; i++) {
			assertThat(calls.greet("x" + i)).isEqualTo("hello x" + i);
			assertThat(i).isLessThan(1000);
		}
	}

	@Test
	void longRequest_isNotRepeated() throws Exception {
		Http2Server full = target((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.DATA && (flags & END_STREAM) != 0) {
				answers.send((writer, out) -> writer.rstStream(out, streamId,
						io.rpcboot.internal.protocol.http2.Http2Error.REFUSED_STREAM));
			}
		});
		RpcRelay relay = relay(toCalls(ReferenceStates.at(full.port())));
		Http2Peer peer = peer(relay);
		GrpcExchange call = open(peer, "Echo");
		peer.data(call, GrpcBytes.message(new byte[40_000]), true);
		call.await();
		assertThat(call.error).isEqualTo(Http2Error.REFUSED_STREAM);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 7, 8, 11 })
	void codeOfReset_passesUnchanged(int code) throws Exception {
		Http2Server target = target((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.DATA) {
				answers.headers(streamId, false, ":status", "200", "content-type", "application/grpc");
				answers.send((writer, out) -> writer.rstStream(out, streamId,
						io.rpcboot.internal.protocol.http2.Http2Error.of(code)));
			}
		});
		GrpcExchange call = peer(relay(toCalls(ReferenceStates.at(target.port())))).call("Greet", GrpcBytes.text("x"));
		call.await();
		assertThat(call.error).isEqualTo(Http2Error.valueOf(code));
	}

	@Test
	void trailers_passUnchanged() throws Exception {
		Http2Server target = target((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.DATA) {
				answers.headers(streamId, true, ":status", "200", "content-type", "application/grpc", "grpc-status",
						"8", "grpc-message", "no%20room", "rpc-executed", "false", "own-field", "value", "x-bin",
						"AAE");
			}
		});
		GrpcExchange call = peer(relay(toCalls(ReferenceStates.at(target.port())))).call("Greet", GrpcBytes.text("x"));
		assertThat(call.status()).isEqualTo(8);
		assertThat(call.message()).isEqualTo("no room");
		assertThat(call.field("rpc-executed")).isEqualTo("false");
		assertThat(call.field("own-field")).isEqualTo("value");
		assertThat(call.field("x-bin")).isEqualTo("AAE");
	}

	@Test
	void lostTarget_mayHaveExecuted() throws Exception {
		AtomicBoolean cut = new AtomicBoolean();
		Http2Server target = target((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.DATA && cut.compareAndSet(false, true)) {
				throw new IOException("cut");
			}
		});
		GrpcExchange call = peer(relay(toCalls(ReferenceStates.at(target.port())))).call("Greet", GrpcBytes.text("x"));
		assertThat(call.status()).isEqualTo(14);
		assertThat(call.message()).contains("the connection was lost").doesNotEndWith("executed");
		assertThat(call.field("rpc-executed")).isNull();
	}

	@Test
	void targetLostWithinResponse_endsWithTrailers_overGrpc() throws Exception {
		Http2Server target = target((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.DATA) {
				answers.headers(streamId, false, ":status", "200", "content-type", "application/grpc");
				answers.send((writer, out) -> writer.data(out, streamId, new byte[100], 0, 100, false));
				throw new IOException("cut");
			}
		});
		GrpcExchange call = peer(relay(toCalls(ReferenceStates.at(target.port())))).call("Greet", GrpcBytes.text("x"));
		assertThat(call.status()).isEqualTo(14);
		assertThat(call.message()).contains("the connection was lost");
	}

	@Test
	void goAway_movesCallsThatWereNotServed() throws Exception {
		Http2Server leaving = target((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.DATA) {
				answers.send((writer, out) -> writer.goAway(out, 0,
						io.rpcboot.internal.protocol.http2.Http2Error.NO_ERROR, "leaves"));
			}
		});
		RpcServer server = server();
		Calls calls = calls(relay(toCalls(ReferenceStates.at(leaving.port(), server.port()))));
		for (int i = 0; i < 50; i++) {
			assertThat(calls.greet("x" + i)).isEqualTo("hello x" + i);
		}
		assertThat(this.implementation.executed).hasValue(50);
	}

	/** Returns a server that answers nothing, and tells the streams of what it gets. */
	private Http2Server silentTarget(Collection<Integer> ofData, Collection<Integer> ofResets) throws Exception {
		return target((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.DATA) {
				ofData.add(streamId);
			}
			if (type == Http2Server.RST_STREAM) {
				ofResets.add(streamId);
			}
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void vanishedClient_cancelsCall(boolean resets) throws Exception {
		BlockingQueue<Integer> cancelled = new LinkedBlockingQueue<>();
		BlockingQueue<Integer> arrived = new LinkedBlockingQueue<>();
		Http2Server target = silentTarget(arrived, cancelled);
		RpcRelay relay = relay(toCalls(ReferenceStates.at(target.port())));
		Http2Peer peer = peer(relay);
		GrpcExchange call = open(peer, "Echo");
		peer.data(call, GrpcBytes.message(0, 1_000_000, new byte[10_000]), false);
		Integer stream = arrived.poll(20, TimeUnit.SECONDS);
		if (resets) {
			peer.reset(call, Http2Error.CANCEL);
		}
		else {
			peer.abort();
		}
		assertThat(cancelled.poll(20, TimeUnit.SECONDS)).isEqualTo(stream);
		awaitInFlight(relay, 0);
	}

	/** States of calls in a relay. */
	enum State {

		HEADERS, PART_OF_MESSAGE, WITHOUT_END, RUNNING, RESPONSE_BLOCKED

	}

	/** Ends of calls, by their client. */
	enum End {

		RESET, CLOSE, ABORT, WINDOW_OVERFLOW

	}

	@ParameterizedTest
	@MethodSource("ends")
	void nothingIsLeft_whenCallsEnd(State state, End end) throws Exception {
		RpcServer server = server();
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server)));
		Http2Peer peer = (state == State.RESPONSE_BLOCKED) ? peer(relay).withoutWindows() : peer(relay);
		List<GrpcExchange> calls = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			calls.add(begin(peer, state));
		}
		awaitInFlight(relay, 10);
		if (state == State.RUNNING) {
			Eventually.until("they run", () -> this.implementation.futures.size() == 10);
		}
		else if (state == State.RESPONSE_BLOCKED) {
			Eventually.until("responses wait", () -> this.accounts.of(Gauge.SERVER_MEMORY_OUTGOING) > 100_000);
		}
		switch (end) {
			case RESET -> calls.forEach((each) -> peer.reset(each, Http2Error.CANCEL));
			case CLOSE -> peer.close();
			case ABORT -> peer.abort();
			case WINDOW_OVERFLOW -> calls.forEach((each) -> {
				peer.windowUpdate(each.streamId, Integer.MAX_VALUE); // of an empty window
				peer.windowUpdate(each.streamId, Integer.MAX_VALUE);
			});
		}
		awaitInFlight(relay, 0);
		Eventually.until("no call is in flight at the server", () -> server.inFlightCalls() == 0);
		Eventually.until("no memory is in use", () -> this.accounts.of(Gauge.SERVER_MEMORY_OUTGOING) == 0);
		assertThat(calls(relay).greet("after")).isEqualTo("hello after");
	}

	private GrpcExchange begin(Http2Peer peer, State state) {
		return switch (state) {
			case RUNNING -> peer.call("LaterAtGate", GrpcBytes.text("x"));
			case RESPONSE_BLOCKED -> peer.call("Grow", GrpcBytes.number(200_000));
			default -> {
				GrpcExchange call = open(peer, "Echo");
				if (state != State.HEADERS) {
					peer.data(call, (state == State.WITHOUT_END) ? X : GrpcBytes.message(0, 90_000, new byte[30_000]),
							false);
				}
				yield call;
			}
		};
	}

	static Stream<Arguments> ends() {
		return Stream.of(State.values())
			.flatMap((state) -> Stream.of(End.values()).map((end) -> Arguments.of(state, end)));
	}

	@ParameterizedTest
	@ValueSource(ints = { 10, 10_000 })
	void bodyOfAnotherLength_resetsBothStreams(int announced) throws Exception {
		BlockingQueue<Integer> cancelled = new LinkedBlockingQueue<>();
		BlockingQueue<Integer> arrived = new LinkedBlockingQueue<>();
		Http2Server target = silentTarget(arrived, cancelled);
		RpcRelay relay = relay(toCalls(ReferenceStates.at(target.port())));
		Http2Peer peer = peer(relay);
		GrpcExchange call = peer
			.open(GrpcBytes.request(Http2Peer.path("Echo")).set("content-length", String.valueOf(announced)), false);
		peer.data(call, new byte[5], false);
		assertThat(arrived.poll(20, TimeUnit.SECONDS)).isNotNull();
		peer.data(call, new byte[1000], true);
		call.await();
		assertThat(call.error).isEqualTo(Http2Error.PROTOCOL_ERROR);
		assertThat(cancelled.poll(20, TimeUnit.SECONDS)).isNotNull();
	}

	@Test
	void headerFields_areRewritten() throws Exception {
		BlockingQueue<Map<String, String>> seen = new LinkedBlockingQueue<>();
		RpcServerInterceptor recorder = (call) -> {
			seen.add(call.context().attachments().asMap());
			return call.proceed();
		};
		RpcServer server = atEnd(serverBuilder().interceptor(recorder).start());
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server)).withAddedAttachments(Map.of("via", "relay"))
			.withRemovedAttachments(List.of("secret")));
		Calls calls = calls(relay);
		assertThat(
				CallOptions.with("secret", "s").and("via", "client").and("user", "doug").call(() -> calls.greet("x")))
			.isEqualTo("hello x");
		assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo(Map.of("via", "relay", "user", "doug"));
	}

	@Test
	void deadline_endsCall_atBothSides() throws Exception {
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server())));
		Http2Headers request = GrpcBytes.request(Http2Peer.path("LaterAtGate")).set("grpc-timeout", "300m");
		Http2Peer peer = peer(relay);
		GrpcExchange call = peer.open(request, false);
		peer.data(call, X, true);
		CompletableFuture<String> running = this.implementation.futures.poll(20, TimeUnit.SECONDS);
		assertThat(call.status()).isEqualTo(4);
		Eventually.until("the call is cancelled at the server", running::isCancelled);
	}

	@Test
	void timeoutOfRoute_endsCallWithoutDeadline() throws Exception {
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server()).withTimeout(Duration.ofMillis(300))));
		GrpcExchange call = peer(relay).call("LaterAtGate", GrpcBytes.text("x"));
		assertThat(call.status()).isEqualTo(4);
	}

	@Test
	void frozenTarget_delaysNoOther_andCostsBoundedMemory() throws Exception {
		try (ServerProcess frozen = new ServerProcess("", 0)) {
			RpcServer server = server();
			RpcRelay relay = relay(toCalls(ReferenceStates.at(frozen.port())),
					Relays.route(List.of(Runnable.class), ReferenceStates.at(server)));
			Http2Peer peer = peer(relay);
			assertThat(peer.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
			frozen.suspend(true);
			for (int i = 0; i < 50; i++) {
				GrpcExchange call = open(peer, "Echo");
				peer.data(call, GrpcBytes.message(0, 4_000_000, new byte[200_000]), false);
			}
			Eventually.until("windows are used", () -> this.accounts.of(Gauge.SERVER_MEMORY_INCOMING) > 0);
			assertThat(this.accounts.of(Gauge.SERVER_MEMORY_INCOMING)).isLessThan(50 * 70_000);
			GrpcExchange other = peer.open(GrpcBytes.request("/java.lang.Runnable/run"), true);
			assertThat(other.status()).as("the server behind answers").isEqualTo(12);
			frozen.suspend(false);
		}
	}

	@Test
	void rollingRestart_failsNothingThatDidNotRun() throws Exception {
		RpcServer first = server();
		RpcServer second = server();
		Calls calls = calls(relay(toCalls(ReferenceStates.at(first.port(), second.port()))));
		AtomicBoolean ended = new AtomicBoolean();
		AtomicInteger made = new AtomicInteger();
		List<CompletableFuture<Void>> callers = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			callers.add(CompletableFuture.runAsync(() -> {
				while (!ended.get()) {
					assertThat(calls.greet("x")).isEqualTo("hello x");
					made.incrementAndGet();
				}
			}));
		}
		for (RpcServer each : List.of(first, second)) {
			int before = made.get();
			Eventually.until("calls go on", () -> made.get() > before + 200);
			int port = each.port();
			each.shutdown(Duration.ofSeconds(10));
			int now = made.get();
			Eventually.until("calls go on", () -> made.get() > now + 200);
			atEnd(serverBuilder().port(port).start());
		}
		ended.set(true);
		for (CompletableFuture<Void> each : callers) {
			each.get(20, TimeUnit.SECONDS);
		}
	}

	@Test
	void shutdown_waitsForCalls() throws Exception {
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server())));
		GrpcExchange call = peer(relay).call("LaterAtGate", GrpcBytes.text("x"));
		CompletableFuture<String> running = this.implementation.futures.poll(20, TimeUnit.SECONDS);
		CompletableFuture<?> closed = CompletableFuture.supplyAsync(() -> relay.shutdown(Duration.ofSeconds(20)));
		running.complete("done");
		assertThat(call.text()).isEqualTo("done");
		closed.get(20, TimeUnit.SECONDS);
	}

	@Test
	void closedRelay_cutsCalls_whoseClientsMayCallElsewhere() throws Exception {
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server())));
		Calls calls = calls(relay);
		CompletableFuture<String> later = calls.laterAtGate("x");
		this.implementation.futures.poll(20, TimeUnit.SECONDS);
		relay.close();
		RpcException thrown = (RpcException) catchThrowableOfType(ExecutionException.class,
				() -> later.get(20, TimeUnit.SECONDS))
			.getCause();
		assertThat(thrown.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(thrown.mayHaveExecuted()).isTrue();
	}

}
