package io.rpcboot.engine.failover;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.metrics.GaugeBook;
import io.rpcboot.metrics.RpcMetrics.Gauge;
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
import static org.assertj.core.api.Assertions.catchThrowable;

/** Two instances; the first is chosen first. */
@Timeout(60)
class HedgingIntegrationTests {

	/** What both offer. */
	public interface Slow {

		@RpcMethod(idempotent = true)
		int read();

		@RpcMethod(idempotent = true)
		CompletableFuture<Integer> readLater();

		@RpcMethod(idempotent = true, hedged = true)
		int readTwice();

		int write();

	}

	private static final class Instance implements Slow {

		private final int number;

		private final AtomicInteger calls = new AtomicInteger();

		private final AtomicInteger cancelled = new AtomicInteger();

		private volatile CountDownLatch gate = new CountDownLatch(0);

		private volatile boolean fails;

		private final RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Slow.class, this)
			.start();

		Instance(int number) {
			this.number = number;
		}

		@Override
		public int read() {
			this.calls.incrementAndGet();
			RpcContext.current().onCancel(this.cancelled::incrementAndGet);
			try {
				this.gate.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			if (this.fails) {
				throw new IllegalStateException("number " + this.number);
			}
			return this.number;
		}

		@Override
		public CompletableFuture<Integer> readLater() {
			return CompletableFuture.completedFuture(read());
		}

		@Override
		public int readTwice() {
			return read();
		}

		@Override
		public int write() {
			return read();
		}

	}

	private final Instance first = new Instance(1);

	private final Instance second = new Instance(2);

	private final GaugeBook levels = new GaugeBook();

	private static final LoadBalancer FIRST = (candidates) -> 0;

	private final RpcClient client = RpcClient.builder().metrics(this.levels).loadBalancer(() -> FIRST).build();

	@AfterEach
	void close() {
		this.first.gate.countDown();
		this.second.gate.countDown();
		this.client.close();
		this.first.server.close();
		this.second.server.close();
	}

	private ReferenceOptions both() {
		return ReferenceOptions.defaults()
			.withEndpoints(new Endpoint("127.0.0.1", this.first.server.port()),
					new Endpoint("127.0.0.1", this.second.server.port()));
	}

	private Slow reference(String method, HedgingOptions options) {
		return reference(method, options, false);
	}

	private Slow reference(String method, HedgingOptions options, boolean ejects) {
		Slow slow = this.client.reference(Slow.class,
				both().withTimeout(Duration.ofSeconds(20))
					.withResilience(ResilienceOptions.defaults()
						.withHedging(method, options)
						.withRetry(RetryOptions.defaults().withBudget(ejects ? 1 : 0.2))
						.withEjection(EjectionOptions.defaults().withEnabled(ejects))));
		Eventually.until("both are ready", () -> ReferenceStates.ready(this.client) == 2);
		return slow;
	}

	private static HedgingOptions after(int millis) {
		return HedgingOptions.defaults().withDelay(Duration.ofMillis(millis));
	}

	private static int read(Slow slow, boolean blocking) {
		return blocking ? slow.read() : slow.readLater().join();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void hedgeReply_winsAndCancelsOriginalCall(boolean blocking) {
		Slow slow = reference(blocking ? "read" : "readLater", after(20));
		this.first.gate = new CountDownLatch(1);
		for (int i = 1; i <= 5; i++) {
			int calls = i;
			this.second.gate = new CountDownLatch(1);
			CompletableFuture<Integer> read = CompletableFuture.supplyAsync(() -> read(slow, blocking));
			Eventually.until("the first runs it", () -> this.first.calls.get() == calls);
			this.second.gate.countDown();
			assertThat(read.join()).isEqualTo(2);
			Eventually.until("the first was told", () -> this.first.cancelled.get() == calls);
		}
		assertThat(this.levels.of(Gauge.RESENT_HEDGED)).isEqualTo(5);
		Eventually.until("nothing is left", () -> this.levels.of(Gauge.PENDING) == 0);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void fastReply_preventsHedging(boolean blocking) {
		Slow slow = reference(blocking ? "read" : "readLater", after(10_000));
		for (int i = 0; i < 100; i++) {
			assertThat(read(slow, blocking)).isOne();
		}
		assertThat(this.second.calls.get()).isZero();
	}

	/** The first call of a connection is due before the service is bound. */
	@Test
	void originalReply_wins_afterHedgeIsSent() {
		Slow slow = reference("readLater", after(1));
		this.first.gate = new CountDownLatch(1);
		this.second.gate = new CountDownLatch(1);
		CompletableFuture<Integer> read = slow.readLater();
		Eventually.until("both have it", () -> this.first.calls.get() == 1 && this.second.calls.get() == 1);
		this.first.gate.countDown();
		assertThat(read.join()).isOne();
		Eventually.until("the second was told", () -> this.second.cancelled.get() == 1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void failedOriginalCall_endsAsItsHedge(boolean otherFails) {
		Slow slow = reference("readLater", after(5));
		this.first.gate = new CountDownLatch(1);
		this.second.gate = new CountDownLatch(1);
		this.first.fails = true;
		this.second.fails = otherFails;
		CompletableFuture<Integer> read = slow.readLater();
		Eventually.until("both have it", () -> this.first.calls.get() == 1 && this.second.calls.get() == 1);
		this.first.gate.countDown();
		this.second.gate.countDown();
		if (otherFails) {
			assertThat(read).failsWithin(Duration.ofSeconds(20))
				.withThrowableThat()
				.withCauseInstanceOf(RpcException.class)
				.satisfies((ex) -> assertThat(((RpcException) ex.getCause()).mayHaveExecuted()).isTrue());
		}
		else {
			assertThat(read.join()).isEqualTo(2);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void hedgedCall_endsOnBothInstances_atDeadline(boolean blocking) {
		Slow slow = this.client.reference(Slow.class,
				both().withTimeout(Duration.ofSeconds(2))
					.withResilience(ResilienceOptions.defaults()
						.withHedging(blocking ? "read" : "readLater", after(5))
						.withRetry(RetryOptions.defaults().withStatuses(Set.of(RpcStatus.DEADLINE_EXCEEDED)))));
		Eventually.until("both are ready", () -> ReferenceStates.ready(this.client) == 2);
		this.first.gate = new CountDownLatch(1);
		this.second.gate = new CountDownLatch(1);
		Throwable thrown = catchThrowable(() -> read(slow, blocking));
		RpcException failure = (RpcException) (blocking ? thrown : thrown.getCause());
		assertThat(failure.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
		assertThat(failure.mayHaveExecuted()).isTrue();
		Eventually.until("no connection waits for an answer",
				() -> this.client.connections().stream().allMatch((each) -> each.pending() == 0));
	}

	@Test
	void hedging_staysWithinBudget_withMeasuredDelay() {
		Slow slow = reference("read", HedgingOptions.defaults());
		for (int i = 0; i < 2000; i++) {
			slow.read();
		}
		this.first.gate = new CountDownLatch(1);
		assertThat(slow.read()).as("one that takes much longer").isEqualTo(2);
		assertThat(this.levels.of(Gauge.RESENT_HEDGED)).as("a fifth, and five").isBetween(1L, 405L);
	}

	/** The application has its own retry, for instance. */
	@Test
	void calls_areHedged_whenRetriesAreDisabled() {
		Slow slow = reference(RetryOptions.defaults().withMaxAttempts(1).withBudget(1));
		for (int i = 0; i < 20; i++) {
			slow.readLater().join(); // earns what follows, even if it is hedged itself
			this.first.gate = new CountDownLatch(1);
			assertThat(slow.readLater().join()).isEqualTo(2);
			this.first.gate.countDown();
		}
	}

	@Test
	void unretriedFailure_waitsForHedgeReply() {
		Slow slow = reference(RetryOptions.defaults().withStatuses(Set.of(RpcStatus.UNAVAILABLE)));
		this.first.gate = new CountDownLatch(1);
		this.second.gate = new CountDownLatch(1);
		this.first.fails = true;
		CompletableFuture<Integer> read = slow.readLater();
		Eventually.until("both have it", () -> this.first.calls.get() == 1 && this.second.calls.get() == 1);
		this.first.gate.countDown();
		Eventually.until("the first has failed",
				() -> this.client.connections().stream().mapToInt((each) -> each.pending()).sum() == 1);
		this.second.gate.countDown();
		assertThat(read.join()).isEqualTo(2);
	}

	private Slow reference(RetryOptions retry) {
		Slow slow = this.client.reference(Slow.class, both().withTimeout(Duration.ofSeconds(20))
			.withResilience(ResilienceOptions.defaults().withHedging("readLater", after(5)).withRetry(retry)));
		Eventually.until("both are ready", () -> ReferenceStates.ready(this.client) == 2);
		return slow;
	}

	/** Where it waits says nothing about the instance. */
	@Test
	void hedgedCalls_doNotEjectInstance() {
		Slow slow = reference("read", after(5), true);
		for (int i = 0; i < 100; i++) {
			slow.read(); // earns what follows
		}
		this.first.gate = new CountDownLatch(1);
		long begin = System.nanoTime();
		long fourLooks = Duration.ofSeconds(1).toNanos();
		while (System.nanoTime() - begin < fourLooks) {
			assertThat(slow.read()).isEqualTo(2);
		}
		assertThat(ReferenceStates.ready(this.client)).isEqualTo(2);
	}

	@Test
	void interfaceAnnotation_enablesHedging() {
		Slow slow = reference("read", after(10_000));
		for (int i = 0; i < 2000; i++) {
			slow.readTwice();
		}
		this.first.gate = new CountDownLatch(1);
		assertThat(slow.readTwice()).as("one that takes much longer").isEqualTo(2);
	}

	@Test
	void call_isNotHedged_withoutOtherInstance() {
		this.second.server.close();
		Slow slow = this.client.reference(Slow.class,
				ReferenceOptions.defaults()
					.withEndpoints(new Endpoint("127.0.0.1", this.first.server.port()))
					.withResilience(ResilienceOptions.defaults().withHedging("readLater", after(1))));
		this.first.gate = new CountDownLatch(1);
		CompletableFuture<Integer> read = slow.readLater();
		Eventually.until("it runs", () -> this.first.calls.get() == 1);
		this.first.gate.countDown();
		assertThat(read.join()).isOne();
		assertThat(this.levels.of(Gauge.RESENT_HEDGED)).isZero();
	}

	@Test
	void hedging_isRefused_whenMethodIsNotIdempotent() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> this.client.reference(Slow.class,
					ReferenceOptions.defaults()
						.withEndpoints(new Endpoint("127.0.0.1", 1))
						.withResilience(ResilienceOptions.defaults().withHedging("write", after(1)))))
			.withMessageContaining("write")
			.withMessageContaining("idempotent");
	}

}
