package io.rpcboot.engine.failover;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.ServerProcess;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistry;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistryOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One of two servers ends under load: killed, or drained by SIGTERM in a process of its
 * own. One round each, or ten with {@code mvn verify -Drpc.test.long=true}.
 */
class FailoverIntegrationTests {

	private static final int ROUNDS = Load.LONG ? 10 : 1;

	private static final int THREADS = 16;

	private ServerProcess.SlowCalls survivor;

	private Accounts levels;

	@ParameterizedTest(name = "registry {0}, handlers of {1} us, {2}")
	@CsvSource({ "true, 0, NATIVE", "true, 1000, NATIVE", "false, 0, NATIVE", "false, 1000, NATIVE", "true, 1000, GRPC",
			"false, 0, GRPC" })
	void onlyWrittenCalls_fail_whenServerIsKilled(boolean withRegistry, int handlerMicros, Protocol protocol)
			throws Exception {
		for (int i = 0; i < ROUNDS; i++) {
			round(withRegistry, handlerMicros, protocol, this::kill);
		}
	}

	@ParameterizedTest(name = "registry {0}, handlers of {1} us, {2}")
	@CsvSource({ "true, 0, NATIVE", "true, 1000, NATIVE", "false, 0, NATIVE", "false, 1000, NATIVE", "true, 1000, GRPC",
			"false, 0, GRPC" })
	void calls_succeed_whenServerIsDrained(boolean withRegistry, int handlerMicros, Protocol protocol)
			throws Exception {
		for (int i = 0; i < ROUNDS; i++) {
			round(withRegistry, handlerMicros, protocol, this::drain);
		}
	}

	private interface Round {

		void run(Calls calls, ServerProcess victim) throws Exception;

	}

	private void round(boolean withRegistry, int handlerMicros, Protocol protocol, Round round) throws Exception {
		this.survivor = new ServerProcess.SlowCalls(TimeUnit.MICROSECONDS.toNanos(handlerMicros));
		this.levels = new Accounts();
		RpcServerBuilder server = RpcServer.builder()
			.port(0)
			.applicationName("survivor")
			.service(Calls.class, this.survivor);
		RpcClientBuilder client = RpcClient.builder()
			.protocol(protocol)
			.metrics(this.levels)
			.timeout(Duration.ofSeconds(10));
		if (!withRegistry) {
			round(server, client, "", handlerMicros, round);
			return;
		}
		try (EmbeddedZooKeeper zooKeeper = new EmbeddedZooKeeper();
				Registry ofServer = registry(zooKeeper);
				Registry ofClient = registry(zooKeeper)) {
			round(server.registry(ofServer), client.registry(ofClient), zooKeeper.connectString(), handlerMicros,
					round);
		}
	}

	private static Registry registry(EmbeddedZooKeeper zooKeeper) {
		return new ZooKeeperRegistry(ZooKeeperRegistryOptions.defaults(zooKeeper.connectString()));
	}

	/**
	 * Plays a round.
	 * @param connectString that of the registry, empty without one
	 */
	private static void round(RpcServerBuilder server, RpcClientBuilder client, String connectString, int handlerMicros,
			Round round) throws Exception {
		try (ServerProcess victim = new ServerProcess(connectString, handlerMicros);
				RpcServer other = server.build().start();
				RpcClient caller = client.build()) {
			Calls calls = connectString.isEmpty()
					? caller.reference(Calls.class, ReferenceStates.at(victim.port(), other.port()))
					: caller.reference(Calls.class);
			Eventually.until("both are connected", () -> ReferenceStates.ready(caller) == 2);
			round.run(calls, victim);
			Eventually.until("no call is pending", () -> caller.pendingCalls() == 0);
			Eventually.until("no call is in flight", () -> other.inFlightCalls() == 0);
		}
	}

	private void kill(Calls calls, ServerProcess victim) throws Exception {
		try (Load load = new Load(THREADS, (number) -> greet(calls, number))) {
			load.awaitMore(1000);
			victim.kill();
			load.awaitMore(1000);
			load.stop();
			// a thread waits for one call at a time, and the first to fail ends the
			// connection
			assertThat(load.failures()).hasSizeLessThanOrEqualTo(THREADS)
				.allSatisfy((failure) -> assertThat(failure).isInstanceOfSatisfying(RpcException.class, (ex) -> {
					assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE);
					assertThat(ex.mayHaveExecuted()).isTrue();
					assertThat(ex).hasMessageContaining("may have executed")
						.hasMessageContaining("at 127.0.0.1:" + victim.port());
				}));
		}
	}

	private void drain(Calls calls, ServerProcess victim) throws Exception {
		AtomicLong oneWayCalls = new AtomicLong();
		long executedByVictim;
		try (Load load = new Load(THREADS, (number) -> mixed(calls, number, oneWayCalls))) {
			load.awaitMore(1000);
			victim.terminate();
			executedByVictim = victim.awaitEnd();
			load.awaitMore(1000);
			load.stop();
			assertThat(load.failures()).isEmpty();
		}
		Eventually.until("every one-way call is executed: %d sent, %d by the drained server"
			.formatted(oneWayCalls.get(), executedByVictim),
				() -> this.survivor.noticed.size() + executedByVictim == oneWayCalls.get());
		assertThat(this.survivor.noticed).doesNotHaveDuplicates();
		assertThat(this.levels.of(Gauge.LOST_CALLS)).isZero();
	}

	private static void mixed(Calls calls, long number, AtomicLong oneWayCalls) throws Exception {
		switch ((int) (number % 4)) {
			case 0 -> {
				calls.notice("n" + number);
				oneWayCalls.incrementAndGet();
			}
			case 1 -> assertThat(calls.echoLater(new byte[] { (byte) number }).get(20, TimeUnit.SECONDS))
				.containsExactly((byte) number);
			default -> greet(calls, number);
		}
	}

	private static void greet(Calls calls, long number) {
		assertThat(calls.greet("n" + number)).isEqualTo("hello n" + number);
	}

}
