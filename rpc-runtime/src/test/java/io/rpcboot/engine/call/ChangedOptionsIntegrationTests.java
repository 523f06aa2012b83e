package io.rpcboot.engine.call;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.metrics.GaugeBook;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.resilience.EjectionOptions;
import io.rpcboot.resilience.HedgingOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.resilience.RetryOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Options of a client and of its references that change while calls run. */
@Timeout(120)
class ChangedOptionsIntegrationTests {

	/** Service of both instances. */
	public interface Work {

		@RpcMethod(idempotent = true)
		int read();

		@RpcMethod(idempotent = true)
		CompletableFuture<Integer> readLater();

		CompletableFuture<Integer> write();

	}

	private static final class Instance implements Work {

		private final int number;

		private final AtomicInteger calls = new AtomicInteger();

		private volatile CountDownLatch gate = new CountDownLatch(0);

		/** Number of calls that fail from now on. */
		private final AtomicInteger failures = new AtomicInteger();

		private final RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Work.class, this)
			.start();

		Instance(int number) {
			this.number = number;
		}

		@Override
		public int read() {
			this.calls.incrementAndGet();
			try {
				this.gate.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			if (this.failures.getAndDecrement() > 0) {
				throw new IllegalStateException("on purpose");
			}
			return this.number;
		}

		@Override
		public CompletableFuture<Integer> readLater() {
			return CompletableFuture.completedFuture(read());
		}

		@Override
		public CompletableFuture<Integer> write() {
			return readLater();
		}

	}

	private static final LoadBalancer FIRST = (candidates) -> 0;

	private static final LoadBalancer LAST = (candidates) -> candidates.size() - 1;

	private static final ResilienceOptions PLAIN = ResilienceOptions.defaults()
		.withRetry(RetryOptions.defaults().withMaxAttempts(1))
		.withEjection(EjectionOptions.defaults().withEnabled(false));

	private final Instance first = new Instance(1);

	private final Instance second = new Instance(2);

	private final RpcClientBuilder builder = RpcClient.builder()
		.timeout(Duration.ofSeconds(60))
		.resilience(PLAIN)
		.loadBalancer(() -> FIRST);

	private RpcClient client;

	@AfterEach
	void close() {
		this.first.gate.countDown();
		this.second.gate.countDown();
		if (this.client != null) {
			this.client.close();
		}
		this.first.server.close();
		this.second.server.close();
	}

	private ReferenceOptions both() {
		return ReferenceOptions.defaults()
			.withEndpoints(new Endpoint("127.0.0.1", this.first.server.port()),
					new Endpoint("127.0.0.1", this.second.server.port()));
	}

	private Work reference(ReferenceOptions options) {
		this.client = (this.client != null) ? this.client : this.builder.build();
		Work reference = this.client.reference(Work.class, options);
		this.client.awaitConnected(Duration.ofSeconds(30));
		Eventually.until("both are ready",
				() -> this.client.references()
					.stream()
					.flatMap((each) -> each.instances().stream())
					.allMatch((each) -> each.state() == State.READY));
		return reference;
	}

	private void change(UnaryOperator<RpcClientBuilder> changes) {
		changes.apply(this.builder);
		this.client.reconfigure(this.builder, Map.of());
	}

	private static RpcException failure(Runnable call) {
		return catchThrowableOfType(RpcException.class, call::run);
	}

	private static RpcException failureOf(CompletableFuture<?> call) {
		return (RpcException) catchThrowableOfType(CompletionException.class, call::join).getCause();
	}

	private CompletableFuture<Integer> startedAtFirst(Work reference) {
		int before = this.first.calls.get();
		CompletableFuture<Integer> started = reference.readLater();
		Eventually.until("the call runs", () -> this.first.calls.get() > before);
		return started;
	}

	@Test
	void callInFlight_keepsLongTimeout_afterShorterOne() {
		Work reference = reference(both());
		this.first.gate = new CountDownLatch(1);
		CompletableFuture<Integer> before = startedAtFirst(reference);
		change((builder) -> builder.timeout(Duration.ofMillis(150)));
		RpcException after = failure(reference::read);
		assertThat(after.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
		assertThat(after).hasMessageContaining("150");
		assertThat(this.client.info().timeout()).isEqualTo(Duration.ofMillis(150));
		assertThat(before).isNotDone();
		this.first.gate.countDown();
		assertThat(before.join()).isEqualTo(1);
	}

	@Test
	void callInFlight_keepsShortTimeout_afterLongerOne() {
		this.builder.timeout(Duration.ofMillis(700));
		Work reference = reference(both());
		this.first.gate = new CountDownLatch(1);
		CompletableFuture<Integer> before = startedAtFirst(reference);
		change((builder) -> builder.timeout(Duration.ofSeconds(60)));
		CompletableFuture<Integer> after = reference.readLater();
		assertThat(failureOf(before).status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
		assertThat(failureOf(before)).hasMessageContaining("700");
		assertThat(after).isNotDone();
		this.first.gate.countDown();
		assertThat(after.join()).isEqualTo(1);
	}

	@Test
	void timeoutOfReference_andOfMethod_change() {
		Work reference = reference(both().withTimeout(Duration.ofSeconds(50)));
		this.first.gate = new CountDownLatch(1);
		this.client.reconfigure(this.builder, Map.of(reference, both().withTimeout(Duration.ofMillis(120))));
		assertThat(failure(reference::read)).hasMessageContaining("120");
		this.client.reconfigure(this.builder,
				Map.of(reference, both().withMethodTimeout("read", Duration.ofMillis(130))));
		assertThat(failure(reference::read)).hasMessageContaining("130");
	}

	@Test
	void ownOptionsOfReference_areKept_afterChangeOfClient() {
		Work own = reference(both().withTimeout(Duration.ofMillis(140))
			.withResilience(PLAIN.withRetry(RetryOptions.defaults().withMaxAttempts(2))));
		this.first.gate = new CountDownLatch(1);
		change((builder) -> builder.timeout(Duration.ofSeconds(60)).resilience(PLAIN));
		assertThat(failure(own::read)).hasMessageContaining("140");
		this.first.gate.countDown();
		this.first.failures.set(1);
		assertThat(own.read()).isPositive();
	}

	@Test
	void laterReference_hasChangedOptions() {
		reference(both());
		change((builder) -> builder.timeout(Duration.ofMillis(160)).loadBalancer(() -> LAST));
		Work later = reference(both());
		assertThat(later.read()).isEqualTo(2);
		this.second.gate = new CountDownLatch(1);
		assertThat(failure(later::read)).hasMessageContaining("160");
	}

	@Test
	void waitForInstance_changes() {
		InMemoryRegistry registry = new InMemoryRegistry();
		this.client = this.builder.registry(registry)
			.waitForInstance(Duration.ofSeconds(50))
			.expectedServices((service) -> true)
			.build();
		Work reference = this.client.reference(Work.class);
		CompletableFuture<Integer> waiting = reference.write();
		change((builder) -> builder.waitForInstance(Duration.ZERO));
		assertThat(failure(reference::read).status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(this.client.info().waitForInstance()).isZero();
		Work own = this.client.reference(Work.class, ReferenceOptions.defaults());
		this.client.reconfigure(this.builder,
				Map.of(own, ReferenceOptions.defaults().withWaitForInstance(Duration.ofSeconds(50))));
		CompletableFuture<Integer> ofOwn = own.write();
		registry.register(ReferenceStates.instance(this.first.server, Work.class));
		assertThat(ofOwn.join()).isEqualTo(1);
		assertThat(waiting).isDone();
		registry.close();
	}

	@Test
	void loadBalancer_changes() {
		Work reference = reference(both());
		assertThat(reference.read()).isEqualTo(1);
		change((builder) -> builder.loadBalancer(() -> LAST));
		assertThat(reference.read()).isEqualTo(2);
	}

	@Test
	void loadBalancer_isKept_whenOtherOptionsChange() {
		AtomicInteger made = new AtomicInteger();
		this.builder.loadBalancer(() -> {
			made.incrementAndGet();
			return FIRST;
		});
		reference(both());
		change((builder) -> builder.timeout(Duration.ofSeconds(40)));
		assertThat(made).hasValue(1);
	}

	@Test
	void retries_beginAndEnd() {
		GaugeBook gauges = new GaugeBook();
		this.builder.metrics(gauges);
		Work reference = reference(both());
		this.first.failures.set(1);
		assertThat(failure(reference::read).status()).isEqualTo(RpcStatus.APPLICATION);
		change((builder) -> builder.resilience(PLAIN.withRetry(RetryOptions.defaults())));
		this.first.failures.set(1);
		assertThat(reference.read()).isPositive();
		Eventually.until("the budget is shown", () -> gauges.subjects(Gauge.RETRIES_LEFT).size() == 1);
		change((builder) -> builder.resilience(PLAIN.withRetry(RetryOptions.defaults().withBudget(0))));
		this.first.failures.set(1);
		assertThat(failure(reference::read).status()).isEqualTo(RpcStatus.APPLICATION);
	}

	@Test
	void idempotence_changes() {
		this.builder.resilience(PLAIN.withRetry(RetryOptions.defaults()));
		Work reference = reference(both());
		this.first.failures.set(1);
		assertThat(failureOf(reference.write()).status()).isEqualTo(RpcStatus.APPLICATION);
		this.first.failures.set(1);
		this.client.reconfigure(this.builder, Map.of(reference, both().withIdempotent("write", true)));
		assertThat(reference.write().join()).isPositive();
	}

	@Test
	void hedging_beginsAndEnds() {
		Work reference = reference(both());
		this.first.gate = new CountDownLatch(1);
		ResilienceOptions hedged = PLAIN.withHedging("readLater",
				HedgingOptions.defaults().withDelay(Duration.ofMillis(20)));
		this.client.reconfigure(this.builder, Map.of(reference, both().withResilience(hedged)));
		assertThat(reference.readLater().join()).isEqualTo(2);
		CompletableFuture<Integer> inFlight = reference.readLater();
		this.client.reconfigure(this.builder, Map.of(reference, both()));
		int calls = this.second.calls.get();
		CompletableFuture<Integer> plain = startedAtFirst(reference);
		assertThat(inFlight.join()).isEqualTo(2);
		this.first.gate.countDown();
		assertThat(plain.join()).isEqualTo(1);
		assertThat(this.second.calls.get()).isBetween(calls, calls + 1);
	}

	@Test
	void budget_goesOn_whenOtherOptionsChange() {
		this.builder.resilience(PLAIN.withRetry(RetryOptions.defaults().withBudget(0.5)));
		Work reference = reference(both());
		this.first.failures.set(Integer.MAX_VALUE);
		this.second.failures.set(Integer.MAX_VALUE);
		for (int i = 0; i < 10; i++) {
			failure(reference::read);
			change((builder) -> builder.resilience(PLAIN.withRetry(RetryOptions.defaults().withBudget(0.5))));
		}
		assertThat(this.first.calls.get() + this.second.calls.get()).as("five retries are free").isEqualTo(15);
	}

	@Test
	void ejection_beginsAndEnds() {
		Work reference = reference(both());
		this.second.failures.set(Integer.MAX_VALUE);
		AtomicInteger next = new AtomicInteger();
		change((builder) -> builder.loadBalancer(() -> (candidates) -> next.incrementAndGet() % candidates.size())
			.resilience(PLAIN.withEjection(EjectionOptions.defaults().withFailuresInARow(2))));
		Eventually.until("ejected", () -> {
			failure(reference::read);
			return states().contains(State.EJECTED);
		});
		change((builder) -> builder.resilience(PLAIN));
		Eventually.until("back", () -> !states().contains(State.EJECTED));
		int calls = this.second.calls.get();
		for (int i = 0; i < 20; i++) {
			failure(reference::read);
		}
		assertThat(this.second.calls.get()).isGreaterThanOrEqualTo(calls + 9);
	}

	private List<State> states() {
		return ReferenceStates.instances(this.client).stream().map((each) -> each.state()).toList();
	}

	/** A valid option beside an invalid one must not have an effect, either. */
	@ParameterizedTest
	@ValueSource(strings = { "hedged write", "unknown method", "stranger" })
	void nothingChanges_afterInvalidOptions(String kind) {
		Work other = reference(both());
		Work reference = reference(both());
		ReferenceOptions options = switch (kind) {
			case "hedged write" -> both().withResilience(PLAIN.withHedging("write", HedgingOptions.defaults()));
			default -> both().withMethodTimeout("unknown", Duration.ofSeconds(1));
		};
		this.builder.timeout(Duration.ofMillis(10)).loadBalancer(() -> LAST);
		Class<? extends RuntimeException> expected = kind.equals("stranger") ? IllegalArgumentException.class
				: InvalidOptionException.class;
		assertThatExceptionOfType(expected).isThrownBy(() -> this.client.reconfigure(this.builder,
				Map.of(kind.equals("stranger") ? "text" : reference, options)));
		assertThat(this.client.info().timeout()).isEqualTo(Duration.ofSeconds(60));
		this.first.gate = new CountDownLatch(1);
		CompletableFuture<Integer> call = startedAtFirst(other);
		this.first.gate.countDown();
		assertThat(call.join()).isEqualTo(1);
		assertThat(reference.read()).isEqualTo(1);
	}

	@Test
	void referenceOfOtherClient_isRefused() {
		reference(both());
		try (RpcClient other = RpcClient.builder().build()) {
			Work foreign = other.reference(Work.class, both());
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> this.client.reconfigure(this.builder, Map.of(foreign, both())))
				.withMessageContaining("a reference of this client");
		}
	}

	@Test
	void closedClient_isNotChanged() {
		reference(both());
		this.client.close();
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> this.client.reconfigure(this.builder, Map.of()));
	}

	/** Ten threads and futures beside, with all options in turn. */
	@Test
	void callsUnderLoad_areAllAnswered_duringThousandChanges() throws InterruptedException {
		Work reference = reference(both());
		List<Consumer<RpcClientBuilder>> clients = List.of((each) -> each.timeout(Duration.ofSeconds(50)),
				(each) -> each.timeout(Duration.ofSeconds(60)), (each) -> each.loadBalancer(() -> LAST),
				(each) -> each.resilience(ResilienceOptions.defaults()), (each) -> each.resilience(PLAIN),
				(each) -> each.waitForInstance(Duration.ofSeconds(20)));
		List<ReferenceOptions> references = List.of(both(), both().withTimeout(Duration.ofSeconds(40)),
				both().withMethodTimeout("read", Duration.ofSeconds(45)), both().withIdempotent("write", true),
				both().withResilience(ResilienceOptions.defaults()
					.withHedging("readLater", HedgingOptions.defaults().withDelay(Duration.ofMillis(1)))),
				both().withResilience(PLAIN.withRetry(RetryOptions.defaults().withBudget(0.1).withMaxAttempts(2))
					.withHedging("read", HedgingOptions.defaults())));
		Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
		AtomicInteger answers = new AtomicInteger();
		CountDownLatch ended = new CountDownLatch(1);
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			Thread thread = new Thread(() -> {
				try {
					while (ended.getCount() > 0) {
						CompletableFuture<Integer> later = reference.readLater();
						CompletableFuture<Integer> written = reference.write();
						answers.addAndGet((reference.read() + later.join() + written.join() >= 3) ? 1 : 0);
					}
				}
				catch (RuntimeException | Error ex) {
					failures.add(ex);
				}
			});
			threads.add(thread);
			thread.start();
		}
		for (int i = 0; i < 1000; i++) {
			clients.get(i % clients.size()).accept(this.builder);
			this.client.reconfigure(this.builder, Map.of(reference, references.get(i / 3 % references.size())));
			int seen = answers.get();
			Eventually.until("calls go on", () -> answers.get() > seen || !failures.isEmpty());
		}
		ended.countDown();
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(failures).isEmpty();
		Eventually.until("no call is left", () -> this.client.pendingCalls() == 0);
	}

}
