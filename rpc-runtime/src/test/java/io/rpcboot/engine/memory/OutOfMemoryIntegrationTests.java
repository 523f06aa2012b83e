package io.rpcboot.engine.memory;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.memory.HungryServer.Hunger;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.Dispatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A server without memory serves again when it has some. Two rounds, or ten with
 * {@code mvn verify -Drpc.test.long=true}.
 */
@Timeout(120)
class OutOfMemoryIntegrationTests {

	private static final int ROUNDS = Load.LONG ? 10 : 2;

	/**
	 * Without probes, so that only the server can end a connection that it cannot serve.
	 */
	private static RpcClient client() {
		return client(Duration.ofSeconds(5));
	}

	private static RpcClient client(Duration timeout) {
		return RpcClient.builder()
			.timeout(timeout)
			.connectTimeout(Duration.ofSeconds(1))
			.keepAlive(Duration.ofHours(1), Duration.ofHours(1))
			.build();
	}

	private static Hunger hunger(RpcClient client, HungryServer server) {
		return client.reference(Hunger.class, ReferenceStates.at(server.port()));
	}

	@ParameterizedTest
	@EnumSource(value = Dispatch.class, names = { "POOL", "EVENT_LOOP" })
	void heapExhaustingCall_failsOnlyItself(Dispatch dispatch) throws IOException {
		try (HungryServer server = new HungryServer(dispatch); RpcClient client = client()) {
			Hunger hunger = hunger(client, server);
			untilItAnswers(hunger, client, server);
			List<String> threads = hunger.threads();
			for (int i = 0; i < 10; i++) {
				assertThatExceptionOfType(RpcException.class).isThrownBy(hunger::eat).withMessageContaining("Error");
				assertThat(hunger.threads()).isEqualTo(threads);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(value = Dispatch.class, names = { "POOL", "EVENT_LOOP" })
	void server_recovers_afterHeapExhaustion(Dispatch dispatch) throws IOException {
		List<RpcClient> callers = Stream.generate(() -> client(Duration.ofMillis(100))).limit(4).toList();
		try (HungryServer server = new HungryServer(dispatch); RpcClient steady = client()) {
			Hunger hunger = hunger(steady, server);
			untilItAnswers(hunger, steady, server);
			List<String> threads = hunger.threads();
			assertThat(threads).hasSize(2);
			for (int round = 0; round < ROUNDS; round++) {
				starveOthers(hunger);
				long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1500);
				while (System.nanoTime() < end) {
					try (RpcClient stranger = RpcClient.builder().timeout(Duration.ofMillis(100)).build()) {
						callSomehow(hunger(stranger, server));
					}
					callers.forEach((caller) -> callSomehow(hunger(caller, server)));
				}
				untilItAnswers(hunger, steady, server);
				for (RpcClient caller : callers) {
					untilItAnswers(hunger(caller, server), caller, server);
				}
			}
			assertThat(hunger.threads()).as(server.output()).isEqualTo(threads);
			try (RpcClient another = client()) {
				Hunger fresh = hunger(another, server);
				untilItAnswers(fresh, another, server);
				assertThat(fresh.threads()).as(server.output()).isEqualTo(threads);
			}
			assertThat(server.output()).doesNotContain("is broken");
		}
		finally {
			callers.forEach(RpcClient::close);
		}
	}

	private static void starveOthers(Hunger hunger) {
		try {
			hunger.starveOthers(1500);
		}
		catch (RpcException ex) {
			assertThat(ex.mayHaveExecuted()).as("its answer may be starved, too: %s", ex).isTrue();
		}
	}

	private static void untilItAnswers(Hunger hunger, RpcClient client, HungryServer server) throws IOException {
		List<String> failures = new ArrayList<>();
		try {
			Eventually.until("it answers", () -> callSomehow(hunger, failures));
		}
		catch (AssertionError ex) {
			throw new AssertionError(failures.get(0) + failures.get(failures.size() - 1) + '\n' + client.references()
					+ '\n' + client.connections() + '\n' + server.state(), ex);
		}
	}

	private static boolean callSomehow(Hunger hunger) {
		return callSomehow(hunger, new ArrayList<>());
	}

	private static boolean callSomehow(Hunger hunger, List<String> failures) {
		try {
			hunger.threads();
			return true;
		}
		catch (RpcException ex) {
			failures.add("\n" + ex);
			return false;
		}
	}

}
