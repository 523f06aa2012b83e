package io.rpcboot.engine.shutdown;

import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawCalls;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Connections that live for a fifth of a second, and calls that notice nothing of it. */
class MaxConnectionAgeIntegrationTests {

	private static final Duration AGE = Duration.ofMillis(200);

	private static final int THREADS = 8;

	private final Accounts accounts = new Accounts();

	private final Ledger implementation = new Ledger();

	private RpcServer server;

	@AfterEach
	void stop() {
		this.implementation.gate.countDown();
		this.server.close();
	}

	private void start(Duration grace) {
		start(RpcServer.builder().connectionMaxAge(AGE, grace));
	}

	private void start(RpcServerBuilder builder) {
		this.server = builder.port(0)
			.bindAddress("127.0.0.1")
			.metrics(this.accounts)
			.service(Calls.class, this.implementation)
			.start();
	}

	/** What has run, and how often. */
	private static final class Ledger extends CallsImpl {

		private final Map<String, Integer> runs = new ConcurrentHashMap<>();

		@Override
		public String greet(String name) {
			this.runs.merge(name, 1, Integer::sum);
			return super.greet(name);
		}

		@Override
		public CompletableFuture<String> later(String name) {
			this.runs.merge(name, 1, Integer::sum);
			return super.later(name);
		}

		@Override
		public void notice(String word) {
			this.runs.merge(word, 1, Integer::sum);
		}

	}

	/**
	 * No call waits for an instance here, so each moment without a connection would fail
	 * some.
	 */
	@Test
	void calls_succeedOnce_whileConnectionsAreReplaced() throws Exception {
		start(Duration.ofHours(1));
		Set<State> states = ConcurrentHashMap.newKeySet();
		AtomicLong mostConnections = new AtomicLong();
		try (LeakWatch leaks = new LeakWatch();
				RpcClient client = RpcClient.builder()
					.connectionsPerEndpoint(2)
					.waitForInstance(Duration.ZERO)
					.build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
			Eventually.until("both are there", () -> ReferenceStates.instances(client).get(0).connections() == 2);
			long started;
			try (Load load = new Load(THREADS, (number) -> mixed(calls, number))) {
				Eventually.until("40 connections were replaced", () -> {
					ReferenceStates.instances(client).forEach((each) -> states.add(each.state()));
					mostConnections.accumulateAndGet(this.server.connections().size(), Math::max);
					return !load.failures().isEmpty() || this.accounts.of(Gauge.AGED_CONNECTIONS) >= 40;
				});
				load.stop();
				assertThat(load.failures()).isEmpty();
				started = load.succeeded();
			}
			Eventually.until("all %d have run".formatted(started), () -> this.implementation.runs.size() == started);
			assertThat(this.implementation.runs.values()).as("none twice").allMatch((runs) -> runs == 1);
			assertThat(states).as("the instance is always in the choice").containsExactly(State.READY);
			assertThat(mostConnections.get()).as("2 and the connections that leave").isBetween(2L, 30L);
			assertThat(this.accounts.of(Gauge.SERVER_GO_AWAYS)).isGreaterThanOrEqualTo(40);
			leaks.assertNoLeak();
		}
		Eventually.until("all have gone", () -> this.server.connections().isEmpty());
	}

	private static void mixed(Calls calls, long number) throws Exception {
		String name = "n" + number;
		switch ((int) (number % 4)) {
			case 0 -> calls.notice(name.repeat(200));
			case 1 -> assertThat(calls.later(name).get(20, TimeUnit.SECONDS)).isEqualTo("later " + name);
			default -> assertThat(calls.greet(name)).isEqualTo("hello " + name);
		}
	}

	@Test
	void longCall_isAnswered_onOldConnection() throws Exception {
		start(Duration.ofHours(1));
		try (RpcClient client = RpcClient.builder().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
			CompletableFuture<String> lasting = calls.laterAtGate("Doug");
			Eventually.until("it runs", () -> this.implementation.futures.size() == 1);
			Eventually.until("three others were replaced", () -> {
				assertThat(calls.greet("x" + System.nanoTime())).startsWith("hello");
				return this.accounts.of(Gauge.AGED_CONNECTIONS) >= 3;
			});
			assertThat(lasting).isNotDone();
			this.implementation.futures.remove().complete("at last");
			assertThat(lasting.get(10, TimeUnit.SECONDS)).isEqualTo("at last");
		}
	}

	@Test
	void endlessCall_isCut_afterMaxAgeGrace() throws Exception {
		start(Duration.ofSeconds(2));
		try (LogRecorder log = new LogRecorder("rpc"); Peer peer = new Peer(this.server.port())) {
			RawCalls.bind(peer);
			RawCalls.call(peer, "waitForGate", 1, 60_000, "Doug");
			assertThat(peer.read(FrameType.GO_AWAY)).satisfies((told) -> {
				assertThat(told.code()).isZero();
				assertThat(told.callId()).isEqualTo(Long.MAX_VALUE);
			});
			Eventually.until("it is cut", () -> this.server.connections().isEmpty());
			assertThat(log.messages()).anyMatch((line) -> line.contains("connection-max-age-grace, which is PT2S"));
		}
	}

	/** One that knows no difference between this and a shutdown, or does not care. */
	@Test
	void agedConnection_servesCalls_untilItIsQuiet() throws Exception {
		start(Duration.ofHours(1));
		try (Peer peer = new Peer(this.server.port())) {
			RawCalls.bind(peer);
			assertThat(peer.read(FrameType.GO_AWAY).callId()).isEqualTo(Long.MAX_VALUE);
			RawCalls.call(peer, "greet", 1, 60_000, "Doug");
			assertThat(peer.read(FrameType.RESPONSE).callId()).isOne();
			Received last = peer.read(FrameType.GO_AWAY);
			assertThat(last.code()).isZero();
			assertThat(last.callId()).as("the last call that was served").isOne();
			Eventually.until("the server ends it", () -> this.server.connections().isEmpty());
			assertThat(this.accounts.of(Gauge.AGED_CONNECTIONS)).isOne();
			assertThat(this.accounts.of(Gauge.SERVER_GO_AWAYS)).as("counted once").isOne();
		}
	}

	/**
	 * Calls may wait here: the server refuses calls on an old connection that is quiet
	 * for 100 ms, as it may be on a busy machine, and there is no second one.
	 */
	@Test
	void agedConnection_isNotReplaced_whenConnectionLimitIsReached() throws Exception {
		start(RpcServer.builder()
			.maxConnections(2)
			.handshakeTimeout(Duration.ofHours(1))
			.connectionMaxAge(AGE, Duration.ofHours(1)));
		// without a handshake it does not age, and it is there before the client
		try (Socket silent = new Socket("127.0.0.1", this.server.port());
				RpcClient client = RpcClient.builder()
					.timeout(Duration.ofSeconds(60))
					.waitForInstance(Duration.ofSeconds(60))
					.build()) {
			Eventually.until("one of two is left", () -> this.server.connections().size() == 1);
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
			Eventually.until("it is connected", () -> ReferenceStates.ready(client) == 1);
			try (Load load = new Load(2, (number) -> calls.greet("n" + number))) {
				load.goOn(AGE.multipliedBy(3));
				assertThat(this.accounts.of(Gauge.SERVER_GO_AWAYS)).isZero();
				assertThat(this.server.connections()).hasSize(2);
				silent.shutdownOutput(); // the server closes it
				Eventually.until("it is replaced", () -> this.accounts.of(Gauge.AGED_CONNECTIONS) >= 2);
				load.stop();
				assertThat(load.failures()).isEmpty();
			}
		}
	}

}
