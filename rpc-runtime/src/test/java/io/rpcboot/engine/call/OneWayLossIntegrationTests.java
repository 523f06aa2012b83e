package io.rpcboot.engine.call;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.Ports;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawCalls;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One-way calls whose end nobody waits for: what is lost is said, and not a thousand
 * times.
 */
@Timeout(60)
class OneWayLossIntegrationTests {

	private static final int CALLS = 100;

	/** Fewer than a server grants at first. */
	private static final int GRANTED = 50;

	private final Accounts levels = new Accounts();

	@Test
	void oneWayCalls_areLoggedAndCounted_whenClientCannotSendThem() throws Exception {
		int closed = Ports.free();
		try (LogRecorder log = new LogRecorder("rpc.client");
				RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(20)).metrics(this.levels).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(closed));
			for (int i = 0; i < CALLS; i++) {
				calls.notice("x");
			}
			Eventually.until("they are lost", () -> this.levels.of(Gauge.LOST_CALLS) == CALLS);
			Eventually.until("they are over", () -> client.pendingCalls() == 0);
			assertThat(log.messages()).filteredOn((message) -> message.startsWith("One-way call lost: "))
				.hasSizeBetween(1, 10)
				.first()
				.asString()
				.contains("notice", "UNAVAILABLE", "it did not execute");
		}
	}

	/** Over gRPC a server answers, although nobody waits. */
	@Test
	void oneWayCalls_areLoggedAndCounted_whenServerRefusesThem() {
		CallsImpl implementation = new CallsImpl();
		try (LogRecorder log = new LogRecorder("rpc.client");
				RpcServer server = RpcServer.builder()
					.port(0)
					.maxInFlightCalls(1)
					.maxCallsPerConnection(1)
					.service(Calls.class, implementation)
					.start();
				RpcClient first = RpcClient.builder().build();
				RpcClient client = RpcClient.builder().protocol(Protocol.GRPC).metrics(this.levels).build()) {
			CompletableFuture<String> runs = first
				.reference(Calls.class, ReferenceStates.at(server).withTimeout(Duration.ofSeconds(40)))
				.laterAtGate("x");
			Eventually.until("there is no room", () -> !implementation.futures.isEmpty());
			client.reference(Calls.class, ReferenceStates.at(server)).notice("refused");
			Eventually.until("it is lost", () -> this.levels.of(Gauge.LOST_CALLS) == 1);
			assertThat(log.messages()).filteredOn((message) -> message.startsWith("One-way call lost: "))
				.singleElement()
				.asString()
				.contains("notice", "rpc.server.limits.in-flight-calls", "it did not execute");
			implementation.futures.forEach((each) -> each.complete("done"));
			assertThat(runs.join()).isEqualTo("done");
			Eventually.until("nothing is pending", () -> client.pendingCalls() == 0);
			assertThat(implementation.noticed).isEmpty();
		}
	}

	private RpcServer serveWithOneThread(CallsImpl implementation) {
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.maxThreads(1)
			.metrics(this.levels)
			.service(Calls.class, implementation)
			.start();
	}

	@Test
	void oneWayCalls_areLoggedAndCounted_whenTheyExpireInServerQueue() throws Exception {
		CallsImpl implementation = new CallsImpl();
		try (LogRecorder log = new LogRecorder("rpc.server");
				RpcServer server = serveWithOneThread(implementation);
				RpcClient patient = RpcClient.builder().timeout(Duration.ofSeconds(40)).build();
				RpcClient hasty = RpcClient.builder().timeout(Duration.ofSeconds(3)).metrics(this.levels).build()) {
			Calls calls = patient.reference(Calls.class, ReferenceStates.at(server));
			CompletableFuture<String> blocks = CompletableFuture.supplyAsync(() -> calls.waitForGate("x"));
			Eventually.until("the only thread is taken", () -> !implementation.entered.isEmpty());
			Calls late = hasty.reference(Calls.class, ReferenceStates.at(server));
			assertThat(hasty.awaitConnected(Duration.ofSeconds(20))).isEmpty();
			for (int i = 0; i < CALLS; i++) {
				late.notice("late");
			}
			Eventually.until("they are at the server", () -> server.inFlightCalls() == CALLS + 1);
			Eventually.until("their time is over", () -> this.levels.of(Gauge.DROPPED_CALLS) == CALLS);
			implementation.gate.countDown();
			assertThat(blocks.get(20, TimeUnit.SECONDS)).isEqualTo("passed x");
			Eventually.until("they are over", () -> server.inFlightCalls() == 0);
			assertThat(implementation.noticed).isEmpty();
			assertThat(log.messages()).filteredOn((message) -> message.startsWith("One-way call dropped: "))
				.hasSizeBetween(1, 10)
				.first()
				.asString()
				.contains("notice", "its time was over before a thread of the server took it");
			assertThat(this.levels.of(Gauge.DROPPED_CALLS)).isEqualTo(CALLS);
			assertThat(this.levels.of(Gauge.LOST_CALLS)).as("the client has sent them").isZero();
		}
	}

	/** Lengths below and above a small body, and of a pooled array. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 240, 300, 5000, 30_000 })
	void queuedOneWayCall_runs_afterConnectionEnds(int length) throws Exception {
		CallsImpl implementation = new CallsImpl();
		String word = "w".repeat(length);
		try (RpcServer server = serveWithOneThread(implementation);
				RpcClient stays = RpcClient.builder().timeout(Duration.ofSeconds(40)).build()) {
			Calls calls = stays.reference(Calls.class, ReferenceStates.at(server));
			CompletableFuture<String> blocks = CompletableFuture.supplyAsync(() -> calls.waitForGate("x"));
			Eventually.until("the only thread is taken", () -> !implementation.entered.isEmpty());
			try (RpcClient goes = RpcClient.builder().timeout(Duration.ofSeconds(40)).build()) {
				Calls last = goes.reference(Calls.class, ReferenceStates.at(server));
				last.notice(word);
				last.notice(word);
				Eventually.until("they are at the server", () -> server.inFlightCalls() == 3);
			}
			Eventually.until("their connection has ended", () -> server.connections().size() == 1);
			implementation.gate.countDown();
			assertThat(blocks.get(20, TimeUnit.SECONDS)).isEqualTo("passed x");
			Eventually.until("they are over", () -> server.inFlightCalls() == 0);
			assertThat(implementation.noticed).containsExactly(word, word);
			assertThat(this.levels.of(Gauge.DROPPED_CALLS)).isZero();
		}
		this.levels.awaitEmpty();
	}

	/** The method has run, so the call was not dropped. */
	@Test
	void oneWayCall_isNotCountedAsDropped_whenInterceptorFailsAfterMethod() throws Exception {
		CallsImpl implementation = new CallsImpl();
		try (LogRecorder log = new LogRecorder("rpc.server");
				RpcServer server = RpcServer.builder()
					.port(0)
					.bindAddress("127.0.0.1")
					.metrics(this.levels)
					.interceptor((call) -> {
						call.proceed();
						throw new RpcException(RpcStatus.UNAUTHENTICATED, "too late", false);
					})
					.service(Calls.class, implementation)
					.start();
				RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(40)).build()) {
			client.reference(Calls.class, ReferenceStates.at(server)).notice("x");
			assertThat(implementation.noticed.poll(20, TimeUnit.SECONDS)).isEqualTo("x");
			Eventually.until("the failure is logged",
					() -> log.messages().stream().anyMatch((line) -> line.startsWith("One-way call failed: ")));
			Eventually.until("it is over", () -> server.inFlightCalls() == 0);
			assertThat(log.messages()).noneMatch((line) -> line.startsWith("One-way call dropped: "));
			assertThat(this.levels.of(Gauge.DROPPED_CALLS)).isZero();
		}
	}

	@Test
	void oneWayCall_isCountedAsDropped_whenInterceptorRefusesIt() throws Exception {
		CallsImpl implementation = new CallsImpl();
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.metrics(this.levels)
			.interceptor((call) -> {
				throw new RpcException(RpcStatus.UNAUTHENTICATED, "no token", false);
			})
			.service(Calls.class, implementation)
			.start(); RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(40)).build()) {
			client.reference(Calls.class, ReferenceStates.at(server)).notice("x");
			Eventually.until("it is dropped", () -> this.levels.of(Gauge.DROPPED_CALLS) == 1);
			assertThat(implementation.noticed).isEmpty();
		}
	}

	/**
	 * It is one-way for its caller only: what it has begun is a future that ends later.
	 */
	@Test
	void runningOneWayCall_continues_afterConnectionEnds() throws Exception {
		CallsImpl implementation = new CallsImpl();
		try (RpcServer server = serveWithOneThread(implementation)) {
			CompletableFuture<String> oneWay;
			try (Peer peer = new Peer(server.port())) {
				RawCalls.bind(peer);
				RawCalls.oneWay(peer, "laterAtGate", 1, "x");
				oneWay = implementation.futures.take();
				RawCalls.call(peer, "laterAtGate", 2, 60_000, "y");
				CompletableFuture<String> other = implementation.futures.take();
				peer.frame(FrameType.CANCEL, 0, 0, 1, new byte[0]);
				peer.frame(FrameType.CANCEL, 0, 0, 2, new byte[0]);
				Eventually.until("the hook of the other, behind it, has run", other::isCancelled);
				assertThat(oneWay).isNotDone();
			}
			Eventually.until("their connection has ended", () -> server.connections().isEmpty());
			Eventually.until("the other is over", () -> server.inFlightCalls() == 1);
			assertThat(oneWay.complete("done")).isTrue();
			Eventually.until("it is over", () -> server.inFlightCalls() == 0);
		}
	}

	/** The server reads them after it has said more than the client has read. */
	@Test
	void lastOneWayCalls_arrive_afterClientCloses() throws Exception {
		CallsImpl implementation = new CallsImpl();
		try (RpcServer server = RpcServer.builder().port(0).service(Calls.class, implementation).start()) {
			for (int round = 0; round < 50; round++) {
				int before = implementation.noticed.size();
				try (RpcClient client = RpcClient.builder()
					.connectionsPerEndpoint(1)
					.gracePeriod(Duration.ofSeconds(10))
					.build()) {
					Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
					assertThat(calls.add(round, 1)).isEqualTo(round + 1);
					for (int i = 0; i < GRANTED; i++) {
						calls.notice("x");
					}
					Eventually.until("all were written", () -> client.pendingCalls() == 0);
				}
				Eventually.until("all have arrived, in round " + round,
						() -> implementation.noticed.size() == before + GRANTED);
			}
		}
	}

}
