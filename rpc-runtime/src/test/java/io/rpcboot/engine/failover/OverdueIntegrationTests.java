package io.rpcboot.engine.failover;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.rpcboot.RpcMethod;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.loadbalance.RandomLoadBalancer;
import io.rpcboot.metrics.GaugeBook;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** One of two instances takes calls and answers none. Its connection is well. */
@Timeout(60)
class OverdueIntegrationTests {

	/** What both offer. */
	public interface Held {

		@RpcMethod(idempotent = true)
		CompletableFuture<Integer> read();

		CompletableFuture<Integer> write();

	}

	/** A fifth of them may be made once more. */
	private static final int EARNED = 400;

	private static final Duration PAUSE = Duration.ofMillis(2);

	private static final int CALLS = 120;

	private static final class Instance implements Held {

		private final int number;

		private final AtomicInteger calls = new AtomicInteger();

		private final ConcurrentLinkedQueue<CompletableFuture<Integer>> held = new ConcurrentLinkedQueue<>();

		private volatile boolean holds;

		private final RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Held.class, this)
			.start();

		Instance(int number) {
			this.number = number;
		}

		@Override
		public CompletableFuture<Integer> read() {
			this.calls.incrementAndGet();
			CompletableFuture<Integer> answer = new CompletableFuture<>();
			this.held.add(answer);
			if (!this.holds) {
				answer();
			}
			return answer;
		}

		@Override
		public CompletableFuture<Integer> write() {
			return read();
		}

		private void answer() {
			for (CompletableFuture<Integer> next = this.held.poll(); next != null; next = this.held.poll()) {
				next.complete(this.number);
			}
		}

	}

	private final Instance sick = new Instance(1);

	private final Instance well = new Instance(2);

	private final GaugeBook levels = new GaugeBook();

	private final RpcClient client = RpcClient.builder()
		.metrics(this.levels)
		.loadBalancer(RandomLoadBalancer::new)
		.build();

	private Held held;

	@AfterEach
	void close() {
		this.client.close();
		this.sick.server.close();
		this.well.server.close();
	}

	private boolean isSick(State state) {
		return ReferenceStates.instances(this.client)
			.stream()
			.anyMatch((each) -> each.endpoint().port() == this.sick.server.port() && each.state() == state);
	}

	private void fallSick(Protocol protocol) {
		this.held = this.client.reference(Held.class,
				ReferenceStates.at(this.sick.server.port(), this.well.server.port())
					.withProtocol(protocol)
					.withTimeout(Duration.ofSeconds(50)));
		Eventually.until("both are ready", () -> ReferenceStates.ready(this.client) == 2);
		for (int i = 0; i < EARNED; i++) { // during several looks
			this.held.read().join();
			LockSupport.parkNanos(PAUSE.toNanos());
		}
		this.sick.holds = true;
		this.sick.calls.set(0);
		this.well.calls.set(0);
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void overdueIdempotentCalls_areAnsweredByOtherInstance(Protocol protocol) {
		fallSick(protocol);
		List<CompletableFuture<Integer>> all = IntStream.range(0, CALLS).mapToObj((i) -> this.held.read()).toList();
		assertThat(all).extracting(CompletableFuture::join).containsOnly(2);
		int hung = this.sick.calls.get();
		assertThat(hung).isBetween(CALLS / 4, CALLS * 3 / 4);
		assertThat(this.levels.of(Gauge.RESENT_HEDGED)).isEqualTo(hung);
		Eventually.until("it is out", () -> isSick(State.EJECTED));
		assertThat(ReferenceStates.instances(this.client)).filteredOn((each) -> each.state() == State.EJECTED)
			.singleElement()
			.satisfies((each) -> assertThat(each.problem()).contains("overdue"));
		Eventually.until("a call saw how it is", () -> {
			assertThat(this.held.read().join()).isEqualTo(2);
			return this.sick.calls.get() >= hung + 1;
		});
		this.sick.holds = false;
		Eventually.until("it is back", () -> {
			this.held.read().join();
			return isSick(State.READY);
		});
		Eventually.until("nothing is left", () -> this.levels.of(Gauge.PENDING) == 0);
	}

	@Test
	void overdueNonIdempotentCalls_waitForTheirReply() {
		fallSick(Protocol.NATIVE);
		List<CompletableFuture<Integer>> all = IntStream.range(0, CALLS).mapToObj((i) -> this.held.write()).toList();
		Eventually.until("it is out", () -> isSick(State.EJECTED));
		int hung = this.sick.calls.get();
		Eventually.until("it has a call to see how it is", () -> {
			this.held.read().join();
			return this.sick.calls.get() > hung;
		});
		assertThat(all).filteredOn((each) -> !each.isDone()).hasSize(hung);
		assertThat(this.levels.of(Gauge.RESENT_HEDGED)).as("calls to see how it is").isLessThan(10);
		this.sick.holds = false;
		this.sick.answer();
		assertThat(all).extracting(CompletableFuture::join).containsOnly(1, 2);
	}

}
