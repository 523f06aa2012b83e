package io.rpcboot.engine.call;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawCalls;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Status of calls whose caller has given up, and whose method returns in spite of that.
 */
@Timeout(120)
class GivenUpCallsIntegrationTests {

	private static final int LATE_MILLIS = 1500;

	/** Returns once its caller has given up. */
	private static final class Stubborn implements Hop {

		final CountDownLatch begun = new CountDownLatch(1);

		final CountDownLatch hasGivenUp = new CountDownLatch(1);

		@Override
		public String ask(String word) {
			this.begun.countDown();
			CountDownLatch cancelled = new CountDownLatch(1);
			RpcContext call = RpcContext.current();
			call.onCancel(cancelled::countDown);
			while (cancelled.getCount() > 0 || this.hasGivenUp.getCount() > 0) {
				Thread.onSpinWait();
			}
			return word;
		}

		@Override
		public CompletableFuture<String> askLater(String word) {
			return CompletableFuture.completedFuture(ask(word));
		}

		@Override
		public String read(String word) {
			return word;
		}

		@Override
		public void tell(String word) {
		}

	}

	@ParameterizedTest
	@CsvSource({ "NATIVE, DEADLINE_EXCEEDED, ask", "NATIVE, DEADLINE_EXCEEDED, askLater", "NATIVE, CANCELLED, askLater",
			"GRPC, DEADLINE_EXCEEDED, ask", "GRPC, DEADLINE_EXCEEDED, askLater", "GRPC, CANCELLED, askLater" })
	void callThatIsGivenUp_isNoSuccess_inMetersAndHistoryAndForInterceptors(Protocol protocol, String status,
			String method) throws Exception {
		Queue<String> outcomes = new ConcurrentLinkedQueue<>();
		RpcServerInterceptor log = (call) -> {
			call.onEnd((outcome) -> outcomes.add(outcome.status().toString()));
			return call.proceed();
		};
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		RpcHistory history = RpcHistory.builder().build();
		Stubborn implementation = new Stubborn();
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.metrics(RpcMetrics.all(List.of(new MicrometerRpcMetrics(meters), history)))
			.interceptor(log)
			.service(Hop.class, implementation)
			.start(); RpcClient client = RpcClient.builder().build()) {
			boolean cancels = status.equals("CANCELLED");
			Hop hop = client.reference(Hop.class,
					ReferenceStates.at(server)
						.withProtocol(protocol)
						.withWaitForInstance(Duration.ofSeconds(20))
						.withTimeout(cancels ? Duration.ofSeconds(60) : Duration.ofSeconds(1)));
			Eventually.until("connected", () -> ReferenceStates.ready(client) == 1);
			if (cancels) {
				CompletableFuture<String> future = hop.askLater("x");
				implementation.begun.await();
				future.cancel(true);
			}
			else {
				assertThat(catchThrowable(() -> {
					String answer = method.equals("ask") ? hop.ask("x") : hop.askLater("x").get();
					assertThat(answer).isNull();
				})).hasMessageContaining("DEADLINE_EXCEEDED");
			}
			implementation.hasGivenUp.countDown();
			Eventually.until("the call has ended", () -> server.inFlightCalls() == 0 && !outcomes.isEmpty());
			assertThat(outcomes).hasSize(1);
			String outcome = outcomes.remove();
			// a reset of HTTP/2 does not say that the time of the caller is over
			assertThat(outcome).isIn(status, (protocol == Protocol.GRPC) ? "CANCELLED" : status);
			Eventually.until("it is recorded", () -> meters.getMeters()
				.stream()
				.map(Meter::getId)
				.anyMatch((id) -> id.getName().equals("rpc.server.calls") && outcome.equals(id.getTag("status"))));
			assertThat(history.failed()).extracting(NotedCall::status).containsExactly(RpcStatus.valueOf(outcome));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void callThatIsLate_isNoSuccess_withoutContextAndCancellation(Protocol protocol) throws Exception {
		RpcHistory history = RpcHistory.builder().build();
		CallsImpl implementation = new CallsImpl();
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.metrics(history)
			.service(Calls.class, implementation)
			.start(); AutoCloseable peer = begin(protocol, server.port())) {
			assertThat(peer).isNotNull();
			Eventually.until("it runs", () -> !implementation.entered.isEmpty());
			Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LATE_MILLIS));
			implementation.gate.countDown();
			Eventually.until("it is noted", () -> !history.failed().isEmpty());
			assertThat(history.failed()).extracting(NotedCall::status).containsExactly(RpcStatus.DEADLINE_EXCEEDED);
		}
	}

	/** Clients that do not watch the time would take the part for the whole. */
	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void resultAfterDeadline_isNotSent_onceItsMethodWasTold(Protocol protocol) throws Exception {
		CallsImpl implementation = new CallsImpl() {

			@Override
			public String waitForGate(String name) {
				CountDownLatch told = new CountDownLatch(1);
				Objects.requireNonNull(RpcContext.current()).onCancel(told::countDown);
				try {
					told.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				return "a part";
			}

		};
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Calls.class, implementation)
			.start()) {
			if (protocol == Protocol.NATIVE) {
				try (Peer peer = new Peer(server.port())) {
					RawCalls.bind(peer);
					RawCalls.call(peer, "waitForGate", 1, LATE_MILLIS, "x");
					Received answer = peer.read(FrameType.RESPONSE);
					assertThat(answer.code()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED.code());
					assertThat(answer.flags() & FrameHeader.FLAG_NOT_EXECUTED).isZero();
				}
			}
			else {
				try (Http2Peer peer = Http2Peer.connect(server.port())) {
					GrpcExchange call = peer.open(
							GrpcBytes.request(Http2Peer.path("WaitForGate")).set("grpc-timeout", LATE_MILLIS + "m"),
							false);
					peer.data(call, GrpcBytes.message(GrpcBytes.text("x")), true);
					assertThat(call.await().status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED.code());
					assertThat(call.message()).contains("its result came after its deadline");
				}
			}
		}
	}

	/** Sends a call without a later CANCEL or RST_STREAM. */
	private static AutoCloseable begin(Protocol protocol, int port) throws Exception {
		if (protocol == Protocol.NATIVE) {
			Peer peer = new Peer(port);
			RawCalls.bind(peer);
			RawCalls.call(peer, "waitForGate", 1, LATE_MILLIS, "x");
			return peer;
		}
		Http2Peer peer = Http2Peer.connect(port);
		GrpcExchange call = peer
			.open(GrpcBytes.request(Http2Peer.path("WaitForGate")).set("grpc-timeout", LATE_MILLIS + "m"), false);
		peer.data(call, GrpcBytes.message(GrpcBytes.text("x")), true);
		return peer;
	}

}
