package io.rpcboot.engine.grpc;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.client.Broadcast;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Http2Server;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One-way calls over gRPC, which a server answers: their caller does not wait, and the
 * client keeps the request until it knows that the call was taken.
 */
@Timeout(60)
class GrpcOneWayIntegrationTests {

	private static final int WINDOW = 1 << 20;

	private static final int SHORT = 5;

	/** In an array for which memory is reserved. */
	private static final int MIDDLE = 6_000;

	/** In chunks, which leave in parts. */
	private static final int LONG = 300_000;

	private final Accounts levels = new Accounts();

	/** Requests that a server has read, whole or in part. */
	private final AtomicInteger requests = new AtomicInteger();

	private final AtomicInteger resets = new AtomicInteger();

	private RpcClient client;

	private Http2Server server;

	private Calls calls;

	private enum Refusal {

		REFUSED_STREAM, GO_AWAY, TRAILERS

	}

	/** Answer to a request. */
	private interface Answer {

		void to(int request, int streamId, Http2Server.Answers answers) throws Exception;

	}

	/**
	 * Starts a client and a server.
	 * @param early true to answer a request when it begins, false when it is complete
	 */
	private void start(boolean early, Duration timeout, Answer answer) throws Exception {
		this.server = new Http2Server(new Http2Settings().set(Http2Settings.INITIAL_WINDOW_SIZE, WINDOW),
				(connection, type, flags, streamId, answers) -> {
					if (type == Http2Server.HEADERS && streamId == 1) {
						answers.send((writer, out) -> writer.windowUpdate(out, 0, WINDOW));
					}
					if (type == Http2Server.RST_STREAM) {
						this.resets.incrementAndGet();
					}
					boolean isLast = type == Http2Server.DATA && (flags & 1) != 0;
					if (early ? (type == Http2Server.HEADERS) : isLast) {
						reply(answer, streamId, answers);
					}
				});
		this.client = RpcClient.builder().protocol(Protocol.GRPC).timeout(timeout).metrics(this.levels).build();
		this.calls = this.client.reference(Calls.class, ReferenceStates.at(this.server.port()));
	}

	private void reply(Answer answer, int streamId, Http2Server.Answers answers) {
		try {
			answer.to(this.requests.incrementAndGet(), streamId, answers);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void refuse(Refusal how, int streamId, Http2Server.Answers answers) throws Exception {
		switch (how) {
			case REFUSED_STREAM ->
				answers.send((writer, out) -> writer.rstStream(out, streamId, Http2Error.REFUSED_STREAM));
			case GO_AWAY -> answers.send((writer, out) -> writer.goAway(out, 0, Http2Error.NO_ERROR, "restart"));
			case TRAILERS -> answers.headers(streamId, true, ":status", "200", "content-type", "application/grpc",
					"grpc-status", "14", "rpc-executed", "false");
		}
	}

	@AfterEach
	void stop() throws Exception {
		Eventually.until("no call is pending", () -> this.client.pendingCalls() == 0);
		this.client.close();
		this.server.close();
		this.levels.awaitEmpty();
	}

	@ParameterizedTest(name = "{0}, {1} bytes, early {2}")
	@CsvSource({ "REFUSED_STREAM, 5, true", "REFUSED_STREAM, 5, false", "REFUSED_STREAM, 300000, true",
			"REFUSED_STREAM, 300000, false", "GO_AWAY, 5, false", "GO_AWAY, 6000, true", "GO_AWAY, 300000, true",
			"GO_AWAY, 300000, false", "TRAILERS, 5, true", "TRAILERS, 6000, false", "TRAILERS, 300000, true",
			"TRAILERS, 300000, false" })
	void oneWayCall_isSentAgain_whenServerDidNotRunIt(Refusal how, int length, boolean early) throws Exception {
		start(early, Duration.ofSeconds(30), (request, streamId, answers) -> {
			if (request <= 2) {
				refuse(how, streamId, answers);
			}
			else {
				answers.answer(streamId);
			}
		});
		this.calls.notice("x".repeat(length));
		Eventually.until("it is taken", () -> this.requests.get() == 3);
		Eventually.until("it is over", () -> this.client.pendingCalls() == 0);
		assertThat(this.levels.of(Gauge.LOST_CALLS)).isZero();
		assertThat(this.requests).hasValue(3);
	}

	@Test
	void oneWayCall_isLost_whenNobodyTakesItInTime() throws Exception {
		start(false, Duration.ofMillis(500),
				(request, streamId, answers) -> refuse(Refusal.REFUSED_STREAM, streamId, answers));
		try (LogRecorder log = new LogRecorder("rpc.client")) {
			this.calls.notice("x".repeat(MIDDLE));
			Eventually.until("it is lost", () -> this.levels.of(Gauge.LOST_CALLS) == 1);
			Eventually.until("it is logged",
					() -> log.messages().stream().anyMatch((line) -> line.startsWith("One-way call lost: ")));
		}
	}

	/** Its caller does not wait, and cannot tell that the call failed. */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 3 })
	void oneWayCall_isNotSentAgain_whenItMayHaveRun(int kind) throws Exception {
		start(false, Duration.ofSeconds(30), (request, streamId, answers) -> {
			switch (kind) {
				case 0 -> answers.send((writer, out) -> writer.rstStream(out, streamId, Http2Error.INTERNAL_ERROR));
				case 1 -> answers.headers(streamId, true, ":status", "200", "content-type", "application/grpc",
						"grpc-status", "13");
				case 2 -> answers.headers(streamId, true, ":status", "503");
				default -> this.server.close();
			}
		});
		this.calls.notice("x".repeat(MIDDLE));
		Eventually.until("it is answered", () -> this.requests.get() == 1);
		Eventually.until("it is over", () -> this.client.pendingCalls() == 0);
		assertThat(this.requests).hasValue(1);
		assertThat(this.levels.of(Gauge.LOST_CALLS)).isZero();
	}

	@Test
	void keptRequests_areReleased_atDeadline() throws Exception {
		start(false, Duration.ofSeconds(2), (request, streamId, answers) -> {
		});
		assertThat(this.client.awaitConnected(Duration.ofSeconds(20))).isEmpty();
		for (int length : new int[] { SHORT, MIDDLE, LONG }) {
			this.calls.notice("x".repeat(length));
		}
		Eventually.until("they are at the server", () -> this.requests.get() == 3);
		Eventually.until("they are over", () -> this.client.pendingCalls() == 0);
		this.levels.awaitNothingOutgoing();
		assertThat(this.levels.of(Gauge.LOST_CALLS)).isZero();
		assertThat(this.resets).as("a call that was handed over goes on").hasValue(0);
	}

	@Test
	void keptRequest_countsAsMemory_untilItsAnswer() throws Exception {
		CountDownLatch allowed = new CountDownLatch(1);
		start(false, Duration.ofSeconds(40), (request, streamId, answers) -> {
			allowed.await();
			answers.answer(streamId);
		});
		this.calls.notice("x".repeat(LONG));
		Eventually.until("it is at the server", () -> this.requests.get() == 1);
		assertThat(this.client.pendingCalls()).isOne();
		assertThat(this.levels.of(Gauge.CLIENT_MEMORY_OUTGOING)).isGreaterThanOrEqualTo(LONG);
		allowed.countDown();
		this.levels.awaitNothingOutgoing();
	}

	@Test
	void broadcast_returns_whileOneWayCallsAwaitTheirAnswers() throws Exception {
		CountDownLatch allowed = new CountDownLatch(1);
		start(false, Duration.ofSeconds(40), (request, streamId, answers) -> {
			allowed.await();
			answers.answer(streamId);
		});
		assertThat(this.client.awaitConnected(Duration.ofSeconds(20))).isEmpty();
		assertThat(Broadcast.to(this.calls).run((each) -> each.notice("x")).replies()).hasSize(1)
			.noneMatch((reply) -> reply.failure() != null);
		assertThat(this.client.pendingCalls()).isOne();
		allowed.countDown();
	}

}
