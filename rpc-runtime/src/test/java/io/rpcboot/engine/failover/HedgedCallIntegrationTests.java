package io.rpcboot.engine.failover;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.GaugeBook;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.resilience.HedgingOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls that go to two instances are one call to the application. */
@Timeout(60)
class HedgedCallIntegrationTests {

	/** Service that both instances offer. */
	public interface Named {

		@RpcMethod(idempotent = true)
		String name();

		@RpcMethod(idempotent = true)
		CompletableFuture<String> nameLater();

	}

	private static final class Instance implements Named {

		private final String name;

		private final AtomicInteger cancelled = new AtomicInteger();

		private final AtomicInteger calls = new AtomicInteger();

		private volatile CountDownLatch gate = new CountDownLatch(0);

		private final RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Named.class, this)
			.start();

		Instance(String name) {
			this.name = name;
		}

		@Override
		public String name() {
			this.calls.incrementAndGet();
			RpcContext.current().onCancel(this.cancelled::incrementAndGet);
			RpcContext.current().replyAttachments().put("from", this.name);
			try {
				this.gate.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return this.name;
		}

		@Override
		public CompletableFuture<String> nameLater() {
			return CompletableFuture.completedFuture(name());
		}

		private String address() {
			return "127.0.0.1:" + this.server.port();
		}

	}

	private final Instance first = new Instance("first");

	private final Instance second = new Instance("second");

	private final Queue<String> recorded = new ConcurrentLinkedQueue<>();

	private final Queue<String> intercepted = new ConcurrentLinkedQueue<>();

	private final GaugeBook levels = new GaugeBook();

	private final RpcClient client = RpcClient.builder().metrics(new Recorded()).interceptor((invocation) -> {
		invocation.onEnd((end) -> this.intercepted
			.add(end.status() + " " + invocation.attempts() + " " + end.attachments().get("from")));
		return invocation.proceed();
	}).loadBalancer(() -> (candidates) -> 0).build();

	private final Named named = this.client.reference(Named.class, ReferenceOptions.defaults()
		.withEndpoints(new Endpoint("127.0.0.1", this.first.server.port()),
				new Endpoint("127.0.0.1", this.second.server.port()))
		.withTimeout(Duration.ofSeconds(40))
		.withResilience(
				ResilienceOptions.defaults().withHedging("name", after20()).withHedging("nameLater", after20())));

	HedgedCallIntegrationTests() {
		Eventually.until("both are ready", () -> ReferenceStates.ready(this.client) == 2);
	}

	private static HedgingOptions after20() {
		return HedgingOptions.defaults().withDelay(Duration.ofMillis(20));
	}

	@AfterEach
	void close() {
		this.first.gate.countDown();
		this.second.gate.countDown();
		this.client.close();
		this.first.server.close();
		this.second.server.close();
	}

	private String name(boolean blocking) {
		return blocking ? this.named.name() : this.named.nameLater().join();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void interceptorsAndMeters_seeOneCall_whenSecondAnswers(boolean blocking) throws Exception {
		this.first.gate = new CountDownLatch(1);
		AtomicReference<String> reply = new AtomicReference<>();
		CallOptions options = CallOptions.none().onReply((arrived) -> reply.set(arrived.get("from")));
		assertThat(options.call(() -> name(blocking))).isEqualTo("second");
		Eventually.until("the first was told", () -> this.first.cancelled.get() == 1);
		assertThat(reply.get()).isEqualTo("second");
		assertThat(this.intercepted).containsExactly("OK 1 second");
		assertThat(this.recorded).containsExactly("OK " + this.second.address());
		Eventually.until("no permit is lost", () -> this.levels.of(RpcMetrics.Gauge.PENDING) == 0);
		assertThat(this.recorded).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void cancelledCall_endsAtBoth(boolean blocking) throws Exception {
		this.first.gate = new CountDownLatch(1);
		this.second.gate = new CountDownLatch(1);
		AtomicReference<Object> outcome = new AtomicReference<>();
		Thread caller = new Thread(() -> {
			try {
				outcome.set(this.named.name());
			}
			catch (RpcException ex) {
				outcome.set(ex.status() + " " + Thread.currentThread().isInterrupted());
			}
		});
		CompletableFuture<String> later = null;
		if (blocking) {
			caller.start();
		}
		else {
			later = this.named.nameLater();
		}
		Eventually.until("both have it", () -> this.first.calls.get() == 1 && this.second.calls.get() == 1);
		if (later != null) {
			later.cancel(true);
		}
		else {
			caller.interrupt();
			caller.join();
			assertThat(outcome.get()).isEqualTo("CANCELLED true");
		}
		Eventually.until("both were told", () -> this.first.cancelled.get() == 1 && this.second.cancelled.get() == 1);
		Eventually.until("it is recorded",
				() -> List.copyOf(this.recorded).equals(List.of("CANCELLED " + this.first.address())));
		Eventually.until("no permit is lost", () -> this.levels.of(RpcMetrics.Gauge.PENDING) == 0);
	}

	private final class Recorded implements RpcMetrics {

		@Override
		public CallRecorder calls(Side side, MethodDescriptor method) {
			return (RpcStatus status, long nanos, String peer) -> HedgedCallIntegrationTests.this.recorded
				.add(status + " " + peer);
		}

		@Override
		public TransportRecorder transport(Side side) {
			return RpcMetrics.none().transport(side);
		}

		@Override
		public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
			return HedgedCallIntegrationTests.this.levels.gauge(level, subject, value);
		}

	}

}
