package io.rpcboot.engine.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.RefusedException;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.loadbalance.RandomLoadBalancer;
import io.rpcboot.metrics.GaugeBook;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.resilience.EjectionOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.resilience.RetryAdvice;
import io.rpcboot.resilience.RetryOptions;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Calls that fail and may have run, at instances that do as each test says. */
@Timeout(60)
class RetriesIntegrationTests {

	/** What instances offer. */
	public interface Store {

		@RpcMethod(idempotent = true)
		String read(String key);

		@RpcMethod(idempotent = true)
		CompletableFuture<String> readLater(String key);

		String write(String key);

		@RpcMethod(idempotent = true)
		String readChecked(String key) throws RefusedException;

	}

	/** One instance. */
	private static final class Instance implements Store {

		private final AtomicInteger calls = new AtomicInteger();

		private volatile Supplier<String> behaviour = () -> "ok";

		private final RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Store.class, this)
			.start();

		@Override
		public String read(String key) {
			this.calls.incrementAndGet();
			return this.behaviour.get() + key;
		}

		@Override
		public CompletableFuture<String> readLater(String key) {
			return CompletableFuture.completedFuture(read(key));
		}

		@Override
		public String write(String key) {
			return read(key);
		}

		@Override
		public String readChecked(String key) throws RefusedException {
			this.calls.incrementAndGet();
			throw new RefusedException("no", 1);
		}

	}

	private final GaugeBook levels = new GaugeBook();

	private final RpcClient client = RpcClient.builder()
		.metrics(this.levels)
		.loadBalancer(RandomLoadBalancer::new)
		.build();

	private final List<Instance> instances = new ArrayList<>();

	@AfterEach
	void close() {
		this.client.close();
		this.instances.forEach((each) -> each.server.close());
	}

	private Instance instance() {
		Instance made = new Instance();
		this.instances.add(made);
		return made;
	}

	private Store reference(RetryOptions retry) {
		Store store = this.client.reference(Store.class,
				ReferenceOptions.defaults()
					.withEndpoints(this.instances.stream()
						.map((each) -> new Endpoint("127.0.0.1", each.server.port()))
						.toArray(Endpoint[]::new))
					.withTimeout(Duration.ofSeconds(10))
					.withResilience(ResilienceOptions.defaults()
						.withRetry(retry)
						.withEjection(EjectionOptions.defaults().withEnabled(false))));
		Eventually.until("all are ready", () -> ReferenceStates.ready(this.client) == this.instances.size());
		return store;
	}

	private static Supplier<String> fails(String why) {
		return () -> {
			throw new IllegalStateException(why);
		};
	}

	@Test
	void retryBudget_fallsAndRecovers() {
		Instance only = instance();
		Store store = reference(RetryOptions.defaults().withBackoff(Duration.ofMillis(1), Duration.ofMillis(2)));
		assertThat(this.client.references().get(0).retries()).isEqualTo(new ReferenceInfo.Retries(5, 5));
		only.behaviour = fails("sick");
		for (int i = 1; i <= 3; i++) {
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> store.read("a"));
			assertThat(this.levels.of(Gauge.RETRIES_LEFT)).isEqualTo(5 - i);
		}
		only.behaviour = () -> "ok";
		for (int i = 0; i < 100; i++) {
			store.read("a");
		}
		assertThat(this.levels.of(Gauge.RETRIES_LEFT)).as("2 and a fifth of 100").isEqualTo(22);
		assertThat(this.client.references().get(0).retries().most()).isGreaterThanOrEqualTo(22);
		assertThat(this.levels.subjects(Gauge.RETRIES_LEFT)).containsExactly(Store.class.getName());
	}

	private int calls() {
		return this.instances.stream().mapToInt((each) -> each.calls.get()).sum();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void failedCall_succeeds_atOtherInstance(boolean blocking) {
		Instance sick = instance();
		instance();
		sick.behaviour = fails("sick");
		Store store = reference(RetryOptions.defaults().withBudget(1));
		for (int i = 0; i < 100; i++) {
			assertThat(blocking ? store.read("" + i) : store.readLater("" + i).join()).isEqualTo("ok" + i);
		}
		assertThat(sick.calls.get()).isPositive();
		assertThat(calls()).isEqualTo(100 + sick.calls.get());
		assertThat(this.levels.of(Gauge.RESENT_FAILED)).isEqualTo(sick.calls.get());
	}

	@Test
	void nonIdempotentMethod_executesOnce() {
		instance().behaviour = fails("sick");
		instance().behaviour = fails("sick");
		Store store = reference(RetryOptions.defaults());
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> store.write("a"));
		assertThat(calls()).isOne();
	}

	@Test
	void declaredException_isNotRetried() {
		instance();
		instance();
		Store store = reference(RetryOptions.defaults());
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> store.readChecked("a"));
		assertThat(calls()).isOne();
	}

	@Test
	void call_isNotRetried_afterSameFailureAtTwoInstances() {
		for (int i = 0; i < 3; i++) {
			instance().behaviour = fails("same");
		}
		Store store = reference(RetryOptions.defaults().withMaxAttempts(10));
		RpcException failure = catchThrowableOfType(RpcException.class, () -> store.read("a"));
		assertThat(failure.status()).isEqualTo(RpcStatus.APPLICATION);
		assertThat(failure.mayHaveExecuted()).isTrue();
		assertThat(failure).hasMessageContaining("attempt 2");
		assertThat(calls()).isEqualTo(2);
	}

	@Test
	void attempts_areLimitedAndUseDistinctInstances() {
		AtomicInteger number = new AtomicInteger();
		for (int i = 0; i < 3; i++) {
			instance().behaviour = () -> {
				throw (number.incrementAndGet() % 2 == 0) ? new IllegalStateException() : new ArithmeticException();
			};
		}
		Store store = reference(RetryOptions.defaults().withMaxAttempts(3));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> store.read("a"))
			.withMessageContaining("attempt 3");
		assertThat(this.instances).allSatisfy((each) -> assertThat(each.calls.get()).isOne());
	}

	@Test
	void call_isNotRetried_withOneAttempt() {
		instance().behaviour = fails("sick");
		Store store = reference(RetryOptions.defaults().withMaxAttempts(1));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> store.read("a"));
		assertThat(calls()).isOne();
	}

	@Test
	void unlistedStatus_isNotRetried() {
		instance().behaviour = fails("sick");
		Store store = reference(RetryOptions.defaults().withStatuses(Set.of(RpcStatus.UNAVAILABLE)));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> store.read("a"));
		assertThat(calls()).isOne();
	}

	@Test
	void retryBudget_isNotEarned_withoutSuccess() {
		AtomicInteger number = new AtomicInteger();
		instance().behaviour = () -> {
			throw (number.incrementAndGet() % 2 == 0) ? new IllegalStateException() : new ArithmeticException();
		};
		Store store = reference(
				RetryOptions.defaults().withBackoff(Duration.ofNanos(1), Duration.ofNanos(1)).withMaxAttempts(10));
		long end = System.nanoTime() + Duration.ofSeconds(1).toNanos();
		int made = 0;
		while (System.nanoTime() < end || made < 100) {
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> store.read("a"));
			made++;
		}
		assertThat(calls() - made).isEqualTo(5);
		assertThat(this.levels.of(Gauge.RETRIES_DENIED)).isPositive();
	}

	@Test
	void call_isNotRetried_whenServerAdvisesAgainst() {
		instance().behaviour = () -> {
			RetryAdvice.never(RpcContext.current().replyAttachments());
			throw new IllegalStateException();
		};
		Store store = reference(RetryOptions.defaults());
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> store.read("a"));
		assertThat(calls()).isOne();
	}

	@Test
	void retry_waits_whenServerAdvisesDelay() {
		Instance only = instance();
		AtomicInteger number = new AtomicInteger();
		only.behaviour = () -> {
			if (number.getAndIncrement() == 0) {
				RetryAdvice.notBefore(RpcContext.current().replyAttachments(), Duration.ofMillis(300));
				throw new IllegalStateException();
			}
			return "ok";
		};
		Store store = reference(RetryOptions.defaults());
		long begin = System.nanoTime();
		assertThat(store.read("a")).isEqualTo("oka");
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
	}

	@Test
	void call_failsAtOnce_whenAdvisedDelayExceedsDeadline() {
		instance().behaviour = () -> {
			RetryAdvice.notBefore(RpcContext.current().replyAttachments(), Duration.ofMinutes(1));
			throw new IllegalStateException();
		};
		Store store = reference(RetryOptions.defaults());
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> store.read("a"))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.APPLICATION));
		assertThat(calls()).isOne();
	}

	@Test
	void calls_areRetriedElsewhere_whenInstanceDies() {
		Instance dying = instance();
		Instance other = instance();
		AtomicInteger begun = new AtomicInteger();
		CountDownLatch gate = new CountDownLatch(1);
		Store store = reference(RetryOptions.defaults().withBudget(1));
		for (int i = 0; i < 100; i++) {
			store.read("to earn it");
		}
		int before = other.calls.get();
		dying.behaviour = () -> {
			begun.incrementAndGet();
			try {
				gate.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return "late";
		};
		List<CompletableFuture<String>> reads = new ArrayList<>();
		for (int i = 0; i < 100; i++) { // no more than was earned
			reads.add(store.readLater("x"));
		}
		Eventually.until("some run there", () -> begun.get() >= 5);
		dying.server.close();
		assertThat(reads).allSatisfy((read) -> assertThat(read.join()).isEqualTo("okx"));
		assertThat(other.calls.get() - before).isEqualTo(reads.size());
		gate.countDown();
	}

	@Test
	void call_endsAtDeadline_whileWaitingForRetry() {
		instance().behaviour = fails("sick");
		Store store = this.client.reference(Store.class, ReferenceOptions.defaults()
			.withEndpoints(new Endpoint("127.0.0.1", this.instances.get(0).server.port()))
			.withTimeout(Duration.ofMillis(500))
			.withResilience(ResilienceOptions.defaults()
				.withRetry(RetryOptions.defaults().withBackoff(Duration.ofMillis(490), Duration.ofMillis(490)))));
		CompletableFuture<String> read = store.readLater("a");
		this.instances.get(0).server.close();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(read::join)
			.satisfies((ex) -> assertThat(ex.getCause()).isInstanceOf(RpcException.class));
	}

}
