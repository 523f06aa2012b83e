package io.rpcboot.spring.autoconfigure.effect;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo.Instance;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.spring.autoconfigure.effect.Fleet.Callers;
import io.rpcboot.spring.autoconfigure.effect.Fleet.Depot;
import io.rpcboot.spring.autoconfigure.effect.Fleet.Member;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Effects of properties of ejection, retries and routing. */
@Timeout(60)
class ResiliencePropertyEffectsIntegrationTests {

	private static void assertUnavailable(Depot depot) {
		assertThatExceptionOfType(RpcException.class).isThrownBy(depot::count)
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE));
	}

	@Test
	@PropertyEffect({ "rpc.client.ejection.enabled", "rpc.client.references.users.ejection.enabled" })
	void sickInstance_staysForReferencesWithoutEjection() {
		try (Fleet fleet = new Fleet().withSick().withHealthy(2)) {
			Callers callers = fleet.start(Map.of("rpc.client.ejection.enabled", false,
					"rpc.client.references.depots.ejection.enabled", true));
			Applications.eventually(() -> {
				Callers.call(callers.depot);
				Callers.call(callers.named);
				return !callers.ejected(true).isEmpty();
			});
			assertThat(callers.ejected(false)).isEmpty();
		}
	}

	/** Five failures in a row would be the reason by default. */
	@Test
	@PropertyEffect("rpc.client.ejection.failures-in-a-row")
	void instance_isEjectedByItsRate_whenRowMayBeLong() {
		try (Fleet fleet = new Fleet().withSick().withHealthy(2)) {
			Callers callers = fleet.start(Map.of("rpc.client.ejection.failures-in-a-row", 100_000));
			callers.callUntilEjected();
			assertThat(callers.ejected(false)).extracting(Instance::problem)
				.containsExactly("100 % of its calls fail, elsewhere 0 %");
		}
	}

	@Test
	@PropertyEffect("rpc.client.ejection.most-percent")
	void instances_areEjected_upToMostPercent() {
		try (Fleet fleet = new Fleet().withSick().withSick().withHealthy(3)) {
			Callers callers = fleet.start(Map.of("rpc.client.ejection.most-percent", 100));
			Applications.eventually(() -> {
				Callers.call(callers.depot);
				return callers.ejected(false).size() == 2;
			});
		}
	}

	/** The second application tells when the default pause is over. */
	@Test
	@PropertyEffect({ "rpc.client.ejection.min-pause", "rpc.client.ejection.max-pause" })
	void instanceThatIsWell_returnsAfterPause() {
		AtomicBoolean sick = new AtomicBoolean(true);
		try (Fleet fleet = new Fleet().with(() -> {
			if (sick.get()) {
				throw new IllegalStateException("sick");
			}
			return "well";
		}).withHealthy(2)) {
			Callers first = fleet
				.start(Map.of("rpc.client.ejection.min-pause", "1h", "rpc.client.ejection.max-pause", "1h"));
			Callers second = fleet.start(Map.of("rpc.client.ejection.min-pause", "4s"));
			first.callUntilEjected();
			second.callUntilEjected();
			sick.set(false);
			Applications.eventually(() -> {
				Callers.call(first.depot);
				Callers.call(second.depot);
				return second.ejected(false).isEmpty();
			});
			assertThat(first.ejected(false)).hasSize(1);
		}
	}

	/** The defaults eject an instance that takes three times as long, and 10 ms more. */
	@ParameterizedTest
	@CsvSource({ "20, 45, 1.5, 10ms", "0, 5, 1.5, 1ms" })
	@PropertyEffect({ "rpc.client.ejection.slowness", "rpc.client.ejection.least-slowness" })
	void slowInstance_isEjected(long usual, long slow, double slowness, String least) {
		try (Fleet fleet = new Fleet().withSlow(slow).withSlow(usual).withSlow(usual)) {
			Callers callers = fleet
				.start(Map.of("rpc.client.ejection.slowness", slowness, "rpc.client.ejection.least-slowness", least));
			Applications.eventually(() -> {
				Callers.call(callers.depot);
				return callers.ejected(false)
					.stream()
					.anyMatch((each) -> each.problem().startsWith("a typical call takes"));
			});
		}
	}

	@Test
	@PropertyEffect("rpc.client.retry.budget")
	void failedCall_isNotRetried_withoutBudget() {
		AtomicInteger calls = new AtomicInteger();
		try (Fleet fleet = new Fleet().with(failingOnce(calls))) {
			Callers callers = fleet.start(Map.of("rpc.client.retry.budget", 0));
			assertThatExceptionOfType(RpcException.class).isThrownBy(callers.depot::count);
			assertThat(calls).hasValue(1);
		}
	}

	/** A random pause of up to a century is longer than the timeout. */
	@Test
	@PropertyEffect("rpc.client.retry.min-backoff")
	void failedCall_isNotRetried_whenPauseExceedsTimeout() {
		AtomicInteger calls = new AtomicInteger();
		try (Fleet fleet = new Fleet().with(failingOnce(calls))) {
			Callers callers = fleet
				.start(Map.of("rpc.client.retry.min-backoff", "36500d", "rpc.client.retry.max-backoff", "36500d"));
			assertThatExceptionOfType(RpcException.class).isThrownBy(callers.depot::count);
			assertThat(calls).hasValue(1);
		}
	}

	private static Supplier<String> failingOnce(AtomicInteger calls) {
		return () -> {
			if (calls.incrementAndGet() == 1) {
				throw new IllegalStateException("cold");
			}
			return "warm";
		};
	}

	/** By default all 9 pauses have at most 250 ms. Here the last has up to 128 s. */
	@Test
	@PropertyEffect("rpc.client.retry.max-backoff")
	void pauses_growBeyondTimeout() {
		AtomicInteger calls = new AtomicInteger();
		AtomicInteger failing = new AtomicInteger();
		try (Fleet fleet = new Fleet().with(() -> {
			if (failing.get() == 1) {
				throw (calls.incrementAndGet() % 2 == 0) ? new IllegalStateException() : new IllegalArgumentException();
			}
			return "earns a retry";
		})) {
			Callers callers = fleet.start(Map.of("rpc.client.retry.max-attempts", 10, "rpc.client.retry.budget", 1,
					"rpc.client.retry.min-backoff", "250ms", "rpc.client.retry.max-backoff", "1d", "rpc.client.timeout",
					"3s"));
			for (int i = 0; i < 20; i++) {
				callers.depot.count();
			}
			failing.set(1);
			assertThatExceptionOfType(RpcException.class).isThrownBy(callers.depot::count);
			assertThat(calls).hasValueBetween(2, 9);
		}
	}

	@Test
	@PropertyEffect({ "rpc.client.routing.strict", "rpc.client.references.users.routing.tag" })
	void taggedCall_failsWithoutInstanceOfItsTag_whenStrict() {
		try (Fleet fleet = new Fleet().withHealthy(1)) {
			Callers callers = fleet.start(Map.of("rpc.client.routing.strict", true,
					"rpc.client.references.depots.routing.tag", "canary", "rpc.client.wait-for-instance", 0));
			assertThat(callers.depot.count()).isEqualTo("well");
			assertUnavailable(callers.named);
		}
	}

	@Test
	@PropertyEffect("rpc.client.references.users.routing.strict")
	void callsOfOneReference_areStrict() {
		try (Fleet fleet = new Fleet().withHealthy(1)) {
			Callers callers = fleet.start(Map.of("rpc.client.references.depots.routing.strict", true,
					"rpc.client.routing.tag", "canary", "rpc.client.wait-for-instance", 0));
			assertThat(callers.depot.count()).isEqualTo("well");
			assertUnavailable(callers.named);
		}
	}

	@Test
	@PropertyEffect("rpc.client.routing.zone")
	void calls_goToInstancesOfZone() {
		try (Fleet fleet = new Fleet().with(new Member(() -> "east"), (instance) -> inZone(instance, "east"))
			.with(new Member(() -> "west"), (instance) -> inZone(instance, "west"))) {
			Callers callers = fleet.start(Map.of("rpc.client.routing.zone", "west"));
			for (int i = 0; i < 20; i++) {
				assertThat(callers.depot.count()).isEqualTo("west");
			}
		}
	}

	private static ServiceInstance inZone(ServiceInstance instance, String zone) {
		return new ServiceInstance(instance.id(), instance.application(), instance.endpoint(), instance.weight(),
				instance.startedAtMillis(), instance.services(), zone, instance.tag());
	}

	/**
	 * A new instance begins with 9 % of the calls if there is one other, or with half.
	 */
	@ParameterizedTest
	@CsvSource({ "0, 30, 70", "1d, 0, 20" })
	@PropertyEffect("rpc.client.routing.slow-start")
	void newInstance_getsItsShareAfterSlowStart(String slowStart, int least, int most) {
		long now = System.currentTimeMillis();
		try (Fleet fleet = new Fleet()
			.with(new Member(() -> "old"), (instance) -> startedAt(instance, now - Duration.ofDays(30).toMillis()))
			.with(new Member(() -> "new"), (instance) -> startedAt(instance, now))) {
			Callers callers = fleet
				.start(Map.of("rpc.client.routing.slow-start", slowStart, "rpc.client.load-balancer", "random"));
			int calls = 400;
			for (int i = 0; i < calls; i++) {
				callers.depot.count();
			}
			assertThat(fleet.calls(1) * 100 / calls).isBetween(least, most);
		}
	}

	private static ServiceInstance startedAt(ServiceInstance instance, long millis) {
		return new ServiceInstance(instance.id(), instance.application(), instance.endpoint(), instance.weight(),
				millis, instance.services());
	}

	/** The only instance is asked again, and so the second answer counts. */
	@Test
	@PropertyEffect("rpc.client.references.users.retry.budget")
	void failedCallsOfOneReference_areNotRetried_withoutBudget() {
		AtomicInteger calls = new AtomicInteger();
		try (Fleet fleet = new Fleet().with(failingOnce(calls))) {
			Callers callers = fleet.start(Map.of("rpc.client.references.depots.retry.budget", 0));
			assertThatExceptionOfType(RpcException.class).isThrownBy(callers.named::count);
			calls.set(0);
			assertThat(callers.depot.count()).isEqualTo("warm");
		}
	}

}
