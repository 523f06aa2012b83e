package io.rpcboot.engine.call;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.OlderCalls;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawCalls;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.Failure;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.metrics.GaugeBook;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ShutdownReport;
import io.rpcboot.workload.UserService;
import io.rpcboot.workload.UserServiceImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the counters of client and server for retried, late, lost and rejected calls.
 */
@Timeout(60)
class CountedTroubleIntegrationTests {

	/** Two of them are more than a {@link Peer} grants. */
	private static final byte[] LONG = new byte[700_000];

	private final GaugeBook book = new GaugeBook();

	private final CallsImpl implementation = new CallsImpl();

	private final RpcClient client = RpcClient.builder()
		.timeout(Duration.ofSeconds(20))
		.waitForInstance(Duration.ofSeconds(20))
		.backoff(Duration.ofMillis(10), Duration.ofMillis(10))
		.callbackThreads(1)
		.metrics(this.book)
		.build();

	@AfterEach
	void stop() {
		this.implementation.gate.countDown();
		this.client.close();
		assertThat(this.book.subjects(Gauge.CALLBACK_THREADS)).as("all is taken back").isEmpty();
		assertThat(this.book.subjects(Gauge.INSTANCES_READY)).isEmpty();
	}

	private RpcServer serve() {
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.metrics(this.book)
			.service(Calls.class, this.implementation)
			.start();
	}

	private void assertResent(int refused, int goAway, int disconnected) {
		assertThat(this.book.of(Gauge.RESENT_REFUSED)).as("refused").isEqualTo(refused);
		assertThat(this.book.of(Gauge.RESENT_GO_AWAY)).as("go away").isEqualTo(goAway);
		assertThat(this.book.of(Gauge.RESENT_DISCONNECTED)).as("disconnected").isEqualTo(disconnected);
	}

	private static void refuse(Peer server, Received request) throws IOException {
		server.frame(FrameType.RESPONSE, FrameHeader.FLAG_NOT_EXECUTED, RpcStatus.UNAVAILABLE.code(), request.callId(),
				new Failure("not now", "").encode());
	}

	@Test
	void call_isResent_whenServerRefusesIt() throws Exception {
		try (ServerSocket listener = listen()) {
			CompletableFuture<String> call = reference(listener).later("x");
			try (Peer server = new Peer(listener.accept())) {
				refuse(server, server.read(FrameType.REQUEST));
				RawCalls.answer(server, server.read(FrameType.REQUEST), "found");
				assertThat(call.get(20, TimeUnit.SECONDS)).isEqualTo("found");
			}
			assertResent(1, 0, 0);
		}
	}

	@Test
	void call_isResent_whenGoAwayExcludesIt() throws Exception {
		try (ServerSocket listener = listen()) {
			Calls calls = reference(listener);
			CompletableFuture<String> served = calls.later("x");
			try (Peer server = new Peer(listener.accept())) {
				Received first = server.read(FrameType.REQUEST);
				CompletableFuture<String> call = calls.later("y");
				server.read(FrameType.REQUEST);
				server.frame(FrameType.GO_AWAY, 0, RpcStatus.UNAVAILABLE.code(), first.callId(), new byte[0]);
				RawCalls.answer(server, first, "served");
				assertThat(served.get(20, TimeUnit.SECONDS)).isEqualTo("served");
				try (Peer next = new Peer(listener.accept())) {
					RawCalls.answer(next, next.read(FrameType.REQUEST), "found");
					assertThat(call.get(20, TimeUnit.SECONDS)).isEqualTo("found");
				}
			}
			assertResent(0, 1, 0);
		}
	}

	@Test
	void unwrittenCall_isResent_whenConnectionIsLost() throws Exception {
		try (ServerSocket listener = listen()) {
			Calls calls = reference(listener);
			CompletableFuture<byte[]> written = calls.echoLater(LONG);
			CompletableFuture<byte[]> waits;
			try (Peer server = new Peer(listener.accept())) {
				server.read(FrameType.REQUEST);
				waits = calls.echoLater(LONG);
				Eventually.until("it waits for memory", () -> this.book.of(Gauge.HELD) == 1);
			}
			assertThat(written).failsWithin(Duration.ofSeconds(20));
			try (Peer next = new Peer(listener.accept())) {
				RawCalls.answer(next, next.read(FrameType.REQUEST), new byte[] { 1 });
				assertThat(waits.get(20, TimeUnit.SECONDS)).containsExactly(1);
			}
			assertResent(0, 0, 1);
		}
	}

	private static ServerSocket listen() throws IOException {
		return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
	}

	private Calls reference(ServerSocket listener) {
		return this.client.reference(Calls.class, ReferenceStates.at(listener.getLocalPort()));
	}

	@Test
	void successfulCalls_countOnlyCallbackThreads() throws Exception {
		try (RpcServer server = serve()) {
			Calls calls = this.client.reference(Calls.class, ReferenceStates.at(server));
			assertThat(calls.greet("x")).isEqualTo("hello x");
			CountDownLatch ends = new CountDownLatch(1);
			CompletableFuture<Void> blocked = calls.laterAtGate("x").thenAccept((result) -> awaitEnd(ends));
			Eventually.until("it was begun", () -> this.implementation.futures.size() == 1);
			assertThat(this.book.of(Gauge.CALLBACK_THREADS)).isOne();
			Eventually.until("no callback runs", () -> this.book.of(Gauge.CALLBACKS_BUSY) == 0);
			this.implementation.futures.remove().complete("x");
			Eventually.until("its callback runs",
					() -> this.book.of(Gauge.CALLBACKS_BUSY) == 1 && this.book.of(Gauge.CALLBACKS_WAITING) == 0);
			CompletableFuture<byte[]> second = calls.echoLater(new byte[1]);
			Eventually.until("it waits for the thread", () -> this.book.of(Gauge.CALLBACKS_WAITING) == 1);
			ends.countDown();
			second.get(20, TimeUnit.SECONDS);
			blocked.get(20, TimeUnit.SECONDS);
			assertResent(0, 0, 0);
			assertThat(this.book.of(Gauge.CLIENT_EXPIRED)).isZero();
			assertThat(this.book.of(Gauge.CLIENT_CANCELLED)).isZero();
			assertThat(this.book.of(Gauge.SERVER_EXPIRED)).isZero();
			assertThat(this.book.of(Gauge.SERVER_CANCELLED)).isZero();
			assertThat(this.book.of(Gauge.POOL_THREADS)).isEqualTo(server.pool().maxThreads());
		}
	}

	private static void awaitEnd(CountDownLatch end) {
		try {
			end.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void incompatibleContract_isCountedOncePerConnection() {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.metrics(this.book)
			.service(OlderCalls.described(), () -> greetsOnly())
			.service(UserService.class, new UserServiceImpl())
			.start()) {
			assertThat(this.client.reference(UserService.class, ReferenceStates.at(server)).existUser("a9")).isTrue();
			assertThat(this.book.of(Gauge.SERVER_CONTRACTS_REFUSED)).isZero();
			assertThat(this.book.of(Gauge.CLIENT_CONTRACTS_REFUSED)).isZero();
			Calls calls = this.client.reference(Calls.class, ReferenceStates.at(server));
			assertThat(calls.greet("x")).as("a method that fits").isEqualTo("old x");
			assertThat(this.book.of(Gauge.SERVER_CONTRACTS_REFUSED)).isOne();
			Eventually.until("the client knows", () -> this.book.of(Gauge.CLIENT_CONTRACTS_REFUSED) == 1);
		}
	}

	private static OlderCalls greetsOnly() {
		return (OlderCalls) Proxy.newProxyInstance(OlderCalls.class.getClassLoader(),
				new Class<?>[] { OlderCalls.class }, (proxy, method, arguments) -> "old " + arguments[0]);
	}

	/** One that waits for them, and one that does not. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void shutdown_countsDrainedAndCutCalls(boolean waits) throws Exception {
		Accounts accounts = new Accounts(); // which keeps levels after their end
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.metrics(accounts)
			.service(Calls.class, this.implementation)
			.start()) {
			Calls calls = this.client.reference(Calls.class, ReferenceStates.at(server));
			assertThat(calls.greet("x")).as("over before the shutdown").isEqualTo("hello x");
			calls.laterAtGate("y");
			Eventually.until("it was begun", () -> this.implementation.futures.size() == 1);
			CompletableFuture<ShutdownReport> report = CompletableFuture
				.supplyAsync(() -> server.shutdown(waits ? Duration.ofSeconds(20) : Duration.ZERO));
			if (waits) {
				Eventually.until("the client was told", () -> ReferenceStates.ready(this.client) == 0);
				this.implementation.futures.remove().complete("y");
			}
			report.get(30, TimeUnit.SECONDS);
		}
		assertThat(accounts.of(Gauge.DRAINED_CALLS)).isEqualTo(waits ? 1 : 0);
		assertThat(accounts.of(Gauge.CUT_CALLS)).isEqualTo(waits ? 0 : 1);
	}

}
