package io.rpcboot.engine.grpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.context.CallOptions;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Http2Server.Behaviour;
import io.rpcboot.engine.fixture.peer.Http2Server;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Clients at gRPC servers of others, which obey no rule but those of each test. */
@Timeout(120)
class GrpcServersIntegrationTests {

	private final Accounts levels = new Accounts();

	private RpcClient client;

	private Http2Server server;

	private Calls calls;

	private void start(Http2Settings settings, Behaviour behaviour) throws Exception {
		start(settings, behaviour, RpcClient.builder().timeout(Duration.ofSeconds(20)));
	}

	private void start(Http2Settings settings, Behaviour behaviour, RpcClientBuilder builder) throws Exception {
		this.server = new Http2Server(settings, behaviour);
		this.client = builder.protocol(Protocol.GRPC).metrics(this.levels).build();
		this.calls = this.client.reference(Calls.class, ReferenceStates.at(this.server.port()));
	}

	@AfterEach
	void stop() throws Exception {
		Eventually.until("no call is pending", () -> this.client.pendingCalls() == 0);
		this.client.close();
		this.server.close();
		this.levels.awaitEmpty();
	}

	private RpcException failure() {
		return catchThrowableOfType(RpcException.class, () -> this.calls.nothing());
	}

	@Test
	void call_isSentAgain_afterRefusedStream() throws Exception {
		AtomicInteger refused = new AtomicInteger();
		start(new Http2Settings(), (connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS && refused.incrementAndGet() <= 3) {
				answers.send((writer, out) -> writer.rstStream(out, streamId, Http2Error.REFUSED_STREAM));
			}
			else if (type == Http2Server.HEADERS) {
				answers.answer(streamId);
			}
		});
		this.calls.nothing();
		assertThat(refused).hasValue(4);
	}

	/** A line break, an escape sequence and a change of direction stay out of the log. */
	@ParameterizedTest
	@CsvSource({ "no%0D%0A2026-11-28 ERROR forged, '', no  2026-11-28 ERROR forged", "a%1B[31mb, '', a?[31mb",
			"%E2%80%AEtxt, '', ?txt", "a%E2%80%A8b%00c, '', a?b?c", "x.Gone: no%0Aline, x.Gone, no line",
			"x%0A: no, x%0A, x : no" })
	void textOfServer_isCleaned(String message, String exception, String expected) throws Exception {
		start(new Http2Settings(), (connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS) {
				answers.headers(streamId, true, ":status", "200", "content-type", "application/grpc", "grpc-status",
						"5", "grpc-message", message, "rpc-exception", exception);
			}
		});
		assertThatExceptionOfType(RpcException.class).isThrownBy(this.calls::nothing).satisfies((ex) -> {
			assertThat(ex.getMessage()).contains(expected);
			assertThat(ex.getMessage().chars()).allMatch((each) -> each >= ' ' && each < 0x7f);
		});
	}

	/** Messages whose trailers come after messages of other streams. */
	@Test
	void replies_arriveIntact_whenTheirFramesAlternate() throws Exception {
		List<Integer> streams = new ArrayList<>();
		start(new Http2Settings(), (connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS) {
				streams.add(streamId);
			}
			if (type != Http2Server.DATA || streams.size() < 3) {
				return;
			}
			for (int each : streams) {
				answers.headers(each, false, ":status", "200", "content-type", "application/grpc");
				byte[] data = { 0, 0, 0, 0, 3, 10, 1, (byte) ('0' + each) };
				answers.send((writer, out) -> writer.data(out, each, data, 0, data.length, false));
			}
			for (int each : streams) {
				answers.headers(each, true, "grpc-status", "0");
			}
		});
		List<CompletableFuture<String>> futures = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			futures.add(this.calls.later("x"));
		}
		assertThat(futures).extracting((each) -> each.get(20, TimeUnit.SECONDS))
			.containsExactlyInAnyOrder("1", "3", "5");
	}

	/** Long calls that came later would take each window before those that wait. */
	@Test
	void longCalls_waitInTheirOrder_whileWindowIsClosed() throws Exception {
		start(new Http2Settings(), (connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS && streamId > 1) {
				answers.answer(streamId, (byte) 10, (byte) 1, (byte) 'S');
			}
		});
		List<CompletableFuture<byte[]>> longCalls = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			longCalls.add(this.calls.echoLater(new byte[70_000]));
		}
		assertThat(this.calls.later("x").get(20, TimeUnit.SECONDS)).isEqualTo("S");
		assertThat(longCalls).noneMatch(CompletableFuture::isDone);
		longCalls.forEach((each) -> each.cancel(true));
	}

	/** As behind a proxy, which adds fields of its own to HEADERS. */
	@Test
	void attachments_areRead_fromHeadersAndTrailers() throws Exception {
		start(new Http2Settings(), (connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS) {
				answers.headers(streamId, false, ":status", "103", "hint", "early");
				answers.headers(streamId, false, ":status", "200", "content-type", "application/grpc", "proxy", "p",
						"both", "1");
				answers.headers(streamId, true, "grpc-status", "9", "reply", "r", "both", "2");
			}
		});
		assertThat(failure().replyAttachments()).containsEntry("proxy", "p")
			.containsEntry("reply", "r")
			.containsEntry("both", "1,2")
			.doesNotContainKey("hint");
	}

	@Test
	void detailsOfOthers_areAttachmentOfFailure() throws Exception {
		start(new Http2Settings(), (connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS) {
				answers.headers(streamId, true, ":status", "200", "content-type", "application/grpc", "grpc-status",
						"9", "grpc-status-details-bin", "CAkSAW0");
			}
		});
		assertThat(failure().replyAttachments()).containsEntry("grpc-status-details-bin", "CAkSAW0");
	}

	/** As a server that ends a call by itself when the time of the call is over. */
	@Test
	void callThatServerCancels_isTooLate_ifItsTimeIsOver() throws Exception {
		start(new Http2Settings(), (connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS) {
				answers.send((writer, out) -> writer.rstStream(out, streamId, Http2Error.CANCEL));
			}
		});
		assertThat(failure().status()).isEqualTo(RpcStatus.CANCELLED);
		CallOptions options = CallOptions.none().timeout(Duration.ofNanos(900_000));
		options.run(() -> assertThat(failure().status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
	}

	@Test
	void call_isSentAgain_afterGoAwayBelowIt() throws Exception {
		start(new Http2Settings(), (connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS && connection == 1) {
				answers.send((writer, out) -> writer.goAway(out, 0, Http2Error.NO_ERROR, "restart"));
			}
			else if (type == Http2Server.HEADERS) {
				answers.answer(streamId);
			}
		});
		this.calls.nothing();
		assertThat(this.server.connections()).isEqualTo(2);
	}

	@Test
	void calls_endInTheOldConnection_afterFirstGoAway() throws Exception {
		Queue<Integer> streams = new ConcurrentLinkedQueue<>();
		start(new Http2Settings(), (connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS && connection == 1 && streams.isEmpty()) {
				streams.add(streamId);
				answers.send((writer, out) -> writer.goAway(out, Integer.MAX_VALUE, Http2Error.NO_ERROR, "old"));
			}
			else if (type == Http2Server.HEADERS) {
				answers.answer(streamId);
			}
			else if (type == Http2Server.DATA && connection == 1 && streamId == 1) {
				while (this.server.connections() < 2) {
					Thread.onSpinWait();
				}
				answers.answer(streamId);
			}
		});
		this.calls.nothing();
		this.calls.nothing();
		assertThat(this.server.connections()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 7 })
	void longCall_expiresWithItsMemory_whenWindowStaysClosed(int window) throws Exception {
		start(new Http2Settings().set(Http2Settings.INITIAL_WINDOW_SIZE, window),
				(connection, type, flags, streamId, answers) -> {
				}, RpcClient.builder().timeout(Duration.ofMillis(700)));
		List<CompletableFuture<byte[]>> futures = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			futures.add(this.calls.echoLater(new byte[20_000]));
			this.calls.notice("w".repeat(20_000));
		}
		RpcException blocking = catchThrowableOfType(RpcException.class, () -> this.calls.echo(new byte[100_000]));
		assertThat(blocking.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
		for (CompletableFuture<byte[]> each : futures) {
			ExecutionException failure = catchThrowableOfType(ExecutionException.class,
					() -> each.get(20, TimeUnit.SECONDS));
			assertThat(((RpcException) failure.getCause()).status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
		}
		Eventually.until("no call is pending", () -> this.client.pendingCalls() == 0);
		this.levels.awaitNothingOutgoing();
		assertThat(this.client.connections()).hasSize(1);
	}

	@Test
	void calls_takeTurns_whenServerAllowsOneStream() throws Exception {
		AtomicInteger open = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		start(new Http2Settings().set(Http2Settings.MAX_CONCURRENT_STREAMS, 1),
				(connection, type, flags, streamId, answers) -> {
					if (type == Http2Server.HEADERS) {
						most.accumulateAndGet(open.incrementAndGet(), Math::max);
					}
					if (type == Http2Server.DATA && (flags & 1) != 0) {
						open.decrementAndGet();
						answers.answer(streamId);
					}
				});
		List<CompletableFuture<byte[]>> futures = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			this.calls.notice("x");
			futures.add(this.calls.echoLater(new byte[100]));
		}
		for (CompletableFuture<byte[]> each : futures) {
			assertThat(each.get(20, TimeUnit.SECONDS)).isNull();
		}
		assertThat(most).hasValue(1);
	}

	@ParameterizedTest
	@CsvSource({ "0, INTERNAL, 'the response has no grpc-status'", "1, UNIMPLEMENTED, 'HTTP status 404'",
			"2, UNIMPLEMENTED, 'the response has no message'", "3, INTERNAL, 'ends within a message'",
			"4, UNIMPLEMENTED, 'second message'", "5, INTERNAL, 'header fields'", "6, INTERNAL, 'violates HTTP/2'",
			"7, UNKNOWN, ''", "8, INTERNAL, 'compressed flag'", "9, INTERNAL, 'not compressed with gzip'",
			"10, INTERNAL, 'compressed flag'", "11, INTERNAL, 'one member of gzip'",
			"12, UNKNOWN, 'does not answer with gRPC'", "13, UNKNOWN, 'HTTP status 431'" })
	void invalidResponse_failsOnlyItsCall(int kind, RpcStatus status, String what) throws Exception {
		start(new Http2Settings(), (connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS && streamId > 1) {
				answers.answer(streamId);
			}
			else if (type == Http2Server.HEADERS) {
				respond(kind, streamId, answers);
			}
		});
		RpcException failure = failure();
		assertThat(failure).hasMessageContaining(what);
		assertThat(failure.mayHaveExecuted()).isTrue();
		assertThat(failure.status()).isEqualTo(status);
		this.calls.nothing();
		assertThat(this.server.connections()).isOne();
	}

	/** Answer of servers in other languages for a method that they do not have. */
	@ParameterizedTest
	@ValueSource(strings = { "Method not found!", "unknown service io.rpcboot.Calls", "Method not found: x", "",
			"The server does not implement the method" })
	void unknownMethod_isNamedWithItsPath_andHasNotRun(String message) throws Exception {
		start(new Http2Settings(), (connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS) {
				answers.headers(streamId, true, ":status", "200", "content-type", "application/grpc", "grpc-status",
						"12", "grpc-message", message);
			}
		});
		RpcException failure = failure();
		assertThat(failure.status()).isEqualTo(RpcStatus.UNIMPLEMENTED);
		assertThat(failure.mayHaveExecuted()).isFalse();
		assertThat(failure).hasMessageContaining(message)
			.hasMessageContaining("(called: /" + Calls.class.getName().replace('$', '.') + "/")
			.hasMessageContaining("@RpcContract")
			.hasMessageEndingWith("it did not execute");
	}

	/** Answers with a message of one byte that says to be compressed. */
	private static void compressed(Http2Server.Answers answers, int streamId, String encoding, int first)
			throws IOException {
		answers.headers(streamId, false, ":status", "200", "content-type", "application/grpc", "grpc-encoding",
				encoding);
		byte[] message = { 1, 0, 0, 0, 1, (byte) first };
		answers.send((writer, out) -> writer.data(out, streamId, message, 0, message.length, false));
		answers.headers(streamId, true, "grpc-status", "0");
	}

	private static void respond(int kind, int streamId, Http2Server.Answers answers) throws IOException {
		String[] head = { ":status", "200", "content-type", "application/grpc" };
		switch (kind) {
			case 0 -> answers.headers(streamId, true, head);
			case 1 -> answers.headers(streamId, true, ":status", "404", "content-type", "text/plain");
			case 2 -> {
				answers.headers(streamId, false, head);
				answers.headers(streamId, true, "grpc-status", "0");
			}
			case 3 -> {
				answers.headers(streamId, false, head);
				answers.send((writer, out) -> writer.data(out, streamId, new byte[] { 0, 0, 0, 0, 9, 1 }, 0, 6, true));
			}
			case 4 -> {
				answers.headers(streamId, false, head);
				answers.send((writer, out) -> writer.data(out, streamId, new byte[10], 0, 10, false));
			}
			case 5 -> answers.headers(streamId, false, ":status", "200", "x-long", "v".repeat(30_000));
			case 6 -> answers.headers(streamId, true, ":status", "200", "Upper", "x");
			case 7 -> answers.headers(streamId, true, ":status", "200", "content-type", "application/grpc",
					"grpc-status", "seven");
			case 8 -> compressed(answers, streamId, "identity", 1);
			case 9 -> compressed(answers, streamId, "gzip", 1);
			case 10 -> compressed(answers, streamId, "deflate", 1);
			case 11 -> compressed(answers, streamId, "gzip", 0x1f);
			case 12 -> answers.headers(streamId, true, ":status", "200", "content-type", "text/html");
			default -> answers.headers(streamId, true, ":status", "431");
		}
	}

	@Test
	void connection_isLeft_whenServerViolatesHttp2() throws Exception {
		AtomicInteger goAways = new AtomicInteger();
		start(new Http2Settings(), (connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.GOAWAY) {
				goAways.incrementAndGet();
			}
			if (type == Http2Server.HEADERS && connection == 1) {
				answers.send((writer, out) -> writer.data(out, streamId + 20, new byte[3], 0, 3, false));
			}
			else if (type == Http2Server.HEADERS) {
				answers.answer(streamId);
			}
		});
		RpcException failure = failure();
		assertThat(failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(failure).hasMessageContaining("the server violates HTTP/2: DATA of an idle stream");
		Eventually.until("the server is told", () -> goAways.get() == 1);
		this.calls.nothing();
	}

	@Test
	void instance_isFrozen_whenServerAnswersNoPing() throws Exception {
		AtomicInteger pings = new AtomicInteger();
		start(new Http2Settings(), (connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.PING) {
				pings.incrementAndGet();
			}
		});
		CompletableFuture<byte[]> call = this.calls.echoLater(new byte[1]);
		Eventually.until("it is frozen",
				() -> ReferenceStates.instances(this.client)
					.stream()
					.anyMatch((each) -> each.state() == ReferenceInfo.State.FROZEN));
		assertThat(pings).as("more are an attack to servers of gRPC").hasValue(1);
		call.cancel(true);
	}

	@Test
	void connectionAttempt_fails_whenServerSendsNoSettings() throws Exception {
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			start(new Http2Settings(), (connection, type, flags, streamId, answers) -> answers.answer(streamId),
					RpcClient.builder().connectTimeout(Duration.ofMillis(300)).waitForInstance(Duration.ofSeconds(20)));
			Calls other = this.client.reference(Calls.class, ReferenceStates.at(silent.getLocalPort()));
			RpcException failure = catchThrowableOfType(RpcException.class, () -> other.nothing());
			assertThat(failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
			assertThat(failure).hasMessageContaining("no answer to the handshake within 300 ms");
		}
	}

}
