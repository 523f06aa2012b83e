package io.rpcboot.spring.autoconfigure.effect;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo.Instance;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.loadbalance.RandomLoadBalancer;
import io.rpcboot.loadbalance.RoundRobinLoadBalancer;
import io.rpcboot.resilience.EjectionOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.resilience.RetryOptions;
import io.rpcboot.spring.RpcClientBuilderCustomizer;
import io.rpcboot.spring.autoconfigure.effect.Fleet.Callers;
import io.rpcboot.spring.autoconfigure.effect.Fleet.Depot;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Effects of properties of the client that change while the application runs. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class ChangedPropertiesIntegrationTests {

	private static final int CHANGES = Boolean.getBoolean("rpc.test.long") ? 100 : 20;

	private final CountDownLatch gate = new CountDownLatch(1);

	/** An instance that never answers. */
	private Fleet hanging() {
		return new Fleet().with(() -> {
			try {
				this.gate.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return "late";
		});
	}

	private static Fleet failing(AtomicInteger failures) {
		return new Fleet().with(() -> {
			if (failures.getAndDecrement() > 0) {
				throw new IllegalStateException("on purpose");
			}
			return "well";
		});
	}

	private static void assertTimesOut(Depot depot, String millis) {
		assertThatExceptionOfType(RpcException.class).isThrownBy(depot::store)
			.withMessageContaining(millis)
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
	}

	@ParameterizedTest
	@ValueSource(strings = { "rpc.client.timeout", "rpc.client.services.Depot.timeout",
			"rpc.client.references.depots.timeout", "rpc.client.references.depots.methods.store.timeout",
			"rpc.client.services.Depot.methods.store.timeout", "rpc.client.references[Depots].timeout",
			"rpc.client.references.DEPOTS.Timeout" })
	void timeout_isApplied(String name) {
		try (Fleet fleet = hanging()) {
			Callers callers = fleet.start(Map.of());
			fleet.change(Map.of(name, "130ms"));
			assertTimesOut(callers.named, "130");
			this.gate.countDown();
		}
	}

	@Test
	void timeoutOfReference_isKept_whenThatOfClientChanges() {
		try (Fleet fleet = hanging()) {
			Callers callers = fleet.start(Map.of("rpc.client.references.depots.timeout", "140ms"));
			fleet.change(Map.of("rpc.client.timeout", "150ms"));
			assertTimesOut(callers.named, "140");
			assertTimesOut(callers.depot, "150");
			this.gate.countDown();
		}
	}

	/** An entry that a file does not have any more. */
	@Test
	void settingsOfReference_areThoseOfClient_afterTheirRemoval() {
		try (Fleet fleet = hanging()) {
			Callers callers = fleet.start(Map.of("rpc.client.timeout", "160ms"));
			fleet.change(Map.of("rpc.client.references.depots.timeout", "130ms",
					"rpc.client.references.depots.retry.max-attempts", "1",
					"rpc.client.references.depots.methods.count.idempotent", "false"));
			assertTimesOut(callers.named, "130");
			fleet.change(Map.of("rpc.client.retry.max-attempts", "2"));
			assertTimesOut(callers.named, "160");
			this.gate.countDown();
		}
	}

	@ParameterizedTest
	@CsvSource({ "rpc.client.retry.max-attempts, 1", "rpc.client.retry.budget, 0",
			"rpc.client.retry.statuses, unavailable", "rpc.client.references.depots.retry.max-attempts, 1",
			"rpc.client.references.depots.retry.budget, 0", "rpc.client.services.Depot.retry.budget, 0",
			"rpc.client.references.depots.methods.count.idempotent, false" })
	void retries_end(String name, String value) {
		AtomicInteger failures = new AtomicInteger(1);
		try (Fleet fleet = failing(failures)) {
			Callers callers = fleet.start(Map.of());
			assertThat(callers.named.count()).isEqualTo("well");
			fleet.change(Map.of(name, value));
			failures.set(1);
			assertThatExceptionOfType(RpcException.class).isThrownBy(callers.named::count);
			assertThat(callers.depot.count()).isEqualTo("well");
		}
	}

	@Test
	void retries_beginForReferenceWithOtherSettings() {
		AtomicInteger failures = new AtomicInteger(1);
		try (Fleet fleet = failing(failures)) {
			Callers callers = fleet.start(
					Map.of("rpc.client.retry.max-attempts", 1, "rpc.client.references.depots.ejection.enabled", false));
			assertThatExceptionOfType(RpcException.class).isThrownBy(callers.named::count);
			fleet.change(Map.of("rpc.client.retry.max-attempts", 3));
			failures.set(1);
			assertThat(callers.named.count()).isEqualTo("well");
		}
	}

	@Test
	void hedging_begins() {
		try (Fleet fleet = hanging().withHealthy(1)) {
			Callers callers = fleet.start(Map.of());
			fleet.change(Map.of("rpc.client.references.depots.methods.count.hedge-after", "10ms"));
			assertThat(List.of(callers.named.count(), callers.named.count())).containsExactly("well", "well");
			this.gate.countDown();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "rpc.client.ejection.enabled", "rpc.client.services.Depot.ejection.enabled" })
	void ejectedInstance_returns_withoutEjection(String name) {
		try (Fleet fleet = new Fleet().withSick().withHealthy(2)) {
			Callers callers = fleet
				.start(Map.of("rpc.client.ejection.min-pause", "1h", "rpc.client.ejection.max-pause", "1h"));
			callers.callUntilEjected();
			fleet.change(Map.of(name, "false"));
			Applications.eventually(() -> callers.ejected(false).isEmpty());
			int before = fleet.calls(0);
			Applications.eventually(() -> {
				Callers.call(callers.depot);
				return fleet.calls(0) > before + 3;
			});
			fleet.change(Map.of(name, "true"));
			callers.callUntilEjected();
		}
	}

	@Test
	void instance_isEjectedByItsRate_afterRowMayBeLong() {
		try (Fleet fleet = new Fleet().withSick().withHealthy(2)) {
			Callers callers = fleet.start(Map.of());
			fleet.change(Map.of("rpc.client.ejection.failures-in-a-row", 100_000));
			callers.callUntilEjected();
			assertThat(callers.ejected(false)).extracting(Instance::problem)
				.containsExactly("100 % of its calls fail, elsewhere 0 %");
		}
	}

	@ParameterizedTest
	@CsvSource({ "retry.max-attempts, 7", "retry.min-backoff, PT0.02S", "retry.max-backoff, PT1S", "retry.budget, 0.4",
			"ejection.slowness, 4.5", "ejection.least-slowness, PT0.07S", "ejection.most-percent, 55",
			"ejection.min-pause, PT2S", "ejection.max-pause, PT50S" })
	void option_reachesClient(String option, String value) {
		Map<String, Function<ResilienceOptions, Object>> readers = new HashMap<>();
		reader(readers, "retry.max-attempts", ResilienceOptions::retry, RetryOptions::maxAttempts);
		reader(readers, "retry.min-backoff", ResilienceOptions::retry, RetryOptions::minBackoff);
		reader(readers, "retry.max-backoff", ResilienceOptions::retry, RetryOptions::maxBackoff);
		reader(readers, "retry.budget", ResilienceOptions::retry, RetryOptions::budget);
		reader(readers, "ejection.slowness", ResilienceOptions::ejection, EjectionOptions::slowness);
		reader(readers, "ejection.least-slowness", ResilienceOptions::ejection, EjectionOptions::leastSlowness);
		reader(readers, "ejection.most-percent", ResilienceOptions::ejection, EjectionOptions::mostPercent);
		reader(readers, "ejection.min-pause", ResilienceOptions::ejection, EjectionOptions::minPause);
		reader(readers, "ejection.max-pause", ResilienceOptions::ejection, EjectionOptions::maxPause);
		try (Fleet fleet = new Fleet().withHealthy(2)) {
			Callers callers = fleet.start(Map.of());
			fleet.change(Map.of("rpc.client." + option, value));
			assertThat(readers.get(option).apply(callers.client.resilience())).hasToString(value);
			assertThat(callers.depot.count()).isEqualTo("well");
		}
	}

	private static <T> void reader(Map<String, Function<ResilienceOptions, Object>> readers, String name,
			Function<ResilienceOptions, T> part, Function<T, Object> option) {
		readers.put(name, part.andThen(option));
	}

	@Test
	void waitForInstance_isApplied() {
		try (Fleet fleet = new Fleet().withHealthy(1)) {
			Callers callers = fleet.start(Map.of());
			fleet.change(Map.of("rpc.client.wait-for-instance", "7s"));
			assertThat(callers.client.info().waitForInstance()).isEqualTo(Duration.ofSeconds(7));
		}
	}

	@Test
	void loadBalancer_isApplied() {
		try (Fleet fleet = new Fleet().withHealthy(2)) {
			Callers callers = fleet.start(Map.of());
			assertThat(EffectApplication.reachable(callers.client, LoadBalancer.class))
				.hasAtLeastOneElementOfType(RoundRobinLoadBalancer.class);
			fleet.change(Map.of("rpc.client.load-balancer", "random"));
			assertThat(EffectApplication.reachable(callers.client, LoadBalancer.class))
				.hasAtLeastOneElementOfType(RandomLoadBalancer.class)
				.noneMatch(RoundRobinLoadBalancer.class::isInstance);
			assertThat(callers.depot.count()).isEqualTo("well");
		}
	}

	@Test
	void valueOfCustomizer_isKept() {
		try (Fleet fleet = hanging()) {
			Callers callers = fleet.start(Map.of(), RpcClientBuilderCustomizer.class,
					() -> (builder) -> builder.timeout(Duration.ofMillis(170)));
			fleet.change(Map.of("rpc.client.timeout", "130ms", "rpc.client.retry.max-attempts", "2"));
			assertTimesOut(callers.depot, "170");
			assertThat(callers.client.resilience().retry().maxAttempts()).isEqualTo(2);
			this.gate.countDown();
		}
	}

	/** A valid value beside has no effect, either, and the next valid change has one. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"rpc.client.retry.max-attempts | 99 | rpc.client.retry.max-attempts: 99 (expected: 1 (no retries) to 10). Set rpc.client.retry.max-attempts to",
			"rpc.client.retry.max-atempts | 2 | rpc.client.retry.max-atempts: '2' (expected: a name of a property). Correct the name",
			"rpc.client.retry.budget | much | rpc.client.retry.budget: 'much' (expected: a value of type double). Set",
			"rpc.client.wait-for-instance | -1s | rpc.client.wait-for-instance: PT-1S (expected: 0 (never wait) or more). Set",
			"rpc.client.references.depots.timeout | 0 | rpc.client.references.depots.timeout: PT0S (expected: a positive duration such as 3s). Set",
			"rpc.client.references.depots.timeout | soon | rpc.client.references.depots.timeout: 'soon' (expected: a duration such as 500ms or 3s). Set",
			"rpc.client.load-balancer | fastest | rpc.client.load-balancer: 'fastest' (expected: one of random, round-robin, least-pending, power-of-two). Set",
			"rpc.client.ejection.most-percent | 0 | rpc.client.ejection.most-percent: 0 (expected: 1 to 100). Set",
			"rpc.client.references.depots.methods.stor.timeout | 1s | rpc.client.references.depots.methods: 'stor' (expected: a method of",
			"rpc.client.references.depots.methods.store.hedge-after | 10ms | methods.store.hedge-after: store() (expected: idempotent",
			"rpc.client.references.depot.timeout | 1s | rpc.client.references: 'depot' (expected: the name of a reference: depots" })
	void nothingChanges_afterInvalidValue(String name, String value, String problem, CapturedOutput output) {
		try (Fleet fleet = hanging()) {
			Callers callers = fleet
				.start(Map.of("rpc.client.timeout", "180ms", "rpc.client.allow-unknown-references", false));
			fleet.change(Map.of(name, value, "rpc.client.timeout", "130ms"));
			assertTimesOut(callers.depot, "180");
			assertTimesOut(callers.named, "180");
			List<String> names = List.of(name, "rpc.client.timeout").stream().sorted().toList();
			assertThat(output.getAll()).containsOnlyOnce("Changed properties are not applied")
				.contains("Changed properties are not applied, all of them keep their values: "
						+ String.join(", ", names) + ". " + problem);
			fleet.change(Map.of("rpc.client.timeout", "190ms"));
			assertTimesOut(callers.named, "190");
			this.gate.countDown();
		}
	}

	@Test
	void callsUnderLoad_areAllAnswered_duringChanges() throws InterruptedException {
		try (Fleet fleet = new Fleet().withHealthy(3)) {
			Callers callers = fleet.start(Map.of());
			Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
			AtomicInteger answers = new AtomicInteger();
			CountDownLatch ended = new CountDownLatch(1);
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				Thread thread = new Thread(() -> {
					try {
						while (ended.getCount() > 0) {
							assertThat(callers.named.count() + callers.depot.store()).isEqualTo("wellwell");
							answers.incrementAndGet();
						}
					}
					catch (RuntimeException | Error ex) {
						failures.add(ex);
					}
				});
				threads.add(thread);
				thread.start();
			}
			List<Map<String, String>> changes = List.of(Map.of("rpc.client.timeout", "40s"),
					Map.of("rpc.client.load-balancer", "random", "rpc.client.retry.max-attempts", "1"),
					Map.of("rpc.client.ejection.enabled", "false"),
					Map.of("rpc.client.references.depots.methods.count.hedge-after", "1ms"),
					Map.of("rpc.client.references.depots.timeout", "0"));
			for (int i = 0; i < CHANGES; i++) {
				fleet.change(changes.get(i % changes.size()));
				int seen = answers.get();
				Applications.eventually(() -> answers.get() > seen || !failures.isEmpty());
			}
			ended.countDown();
			for (Thread thread : threads) {
				thread.join();
			}
			assertThat(failures).isEmpty();
			assertThatCode(callers.depot::store).doesNotThrowAnyException();
		}
	}

}
