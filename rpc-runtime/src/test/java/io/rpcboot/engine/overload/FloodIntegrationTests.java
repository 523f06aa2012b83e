package io.rpcboot.engine.overload;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.netty.util.ResourceLeakDetector;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A hundred thousand asynchronous calls at once, under each policy for a client that is
 * full: whatever it does, every future completes once, with its own answer or with the
 * refusal of the policy, and what was refused did not run.
 */
@Timeout(120)
class FloodIntegrationTests {

	private static final int CALLS = 100_000;

	private static final int CALLERS = 4;

	private final CallsImpl implementation = new CallsImpl();

	private final AtomicIntegerArray completions = new AtomicIntegerArray(CALLS);

	private final AtomicInteger right = new AtomicInteger();

	private final AtomicInteger refused = new AtomicInteger();

	private final AtomicInteger lost = new AtomicInteger();

	/** One of the failures that are no refusals. */
	private final AtomicReference<Throwable> failure = new AtomicReference<>();

	/** A client, and whether it may refuse. */
	private record Policy(String name, boolean mayRefuse, UnaryOperator<RpcClientBuilder> client) {

		@Override
		public String toString() {
			return this.name;
		}

	}

	static Stream<Policy> policies() {
		return Stream.of(
				new Policy("fails when full", true,
						(client) -> client.maxPendingCalls(2000).whenFull(OverflowPolicy.FAIL)),
				new Policy("waits in the caller", false,
						(client) -> client.maxPendingCalls(2000).whenFull(OverflowPolicy.BLOCK)),
				new Policy("waits in a queue", true,
						(client) -> client.maxPendingCalls(2000).whenFull(OverflowPolicy.QUEUE)),
				new Policy("has a queue for all", false,
						(client) -> client.maxPendingCalls(CALLS).whenFull(OverflowPolicy.QUEUE)),
				new Policy("has room for all", false, (client) -> client.maxPendingCalls(CALLS)));
	}

	@ParameterizedTest
	@MethodSource("policies")
	void future_completesOnce_withEachOverflowPolicy(Policy policy) throws Exception {
		try (LeakWatch leaks = new LeakWatch(ResourceLeakDetector.Level.SIMPLE);
				RpcServer server = RpcServer.builder().port(0).service(Calls.class, this.implementation).start();
				RpcClient client = policy.client().apply(RpcClient.builder().timeout(Duration.ofSeconds(60))).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			Eventually.until("it is ready", () -> ReferenceStates.ready(client) == 1);
			join(fire(calls, CALLS));
			Eventually.until("all are done", Duration.ofSeconds(60), () -> completed() == CALLS);
			Eventually.until("nothing is under way", () -> client.pendingCalls() == 0 && server.inFlightCalls() == 0);
			assertThat(this.lost).as("lost, such as %s", this.failure).hasValue(0);
			assertThat(this.implementation.executed).hasValue(this.right.get());
			assertThat(this.right).hasValueGreaterThan(1000);
			if (!policy.mayRefuse()) {
				assertThat(this.refused).hasValue(0);
			}
			assertThat(calls.greet("after")).isEqualTo("hello after");
			leaks.assertNoLeak();
		}
		assertEachCompletedOnce(CALLS);
	}

	/** The one or the other closes while calls are made and answered. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void future_completesOnce_whenClientOrServerCloses(boolean closeClient) throws Exception {
		int count = CALLS / 5;
		try (LeakWatch leaks = new LeakWatch(ResourceLeakDetector.Level.SIMPLE)) {
			RpcServer server = RpcServer.builder().port(0).service(Calls.class, this.implementation).start();
			RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(2)).build();
			try (server; client) {
				Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
				List<Thread> callers = fire(calls, count);
				Eventually.until("some are answered", () -> this.right.get() > 500);
				(closeClient ? (Runnable) client::close : (Runnable) server::close).run();
				join(callers);
				Eventually.until("all are done", () -> completed() == count);
				Eventually.until("nothing is under way",
						() -> client.pendingCalls() == 0 && server.inFlightCalls() == 0);
			}
			leaks.assertNoLeak();
		}
		assertThat(this.implementation.executed).hasValueBetween(this.right.get(), this.right.get() + this.lost.get());
		assertEachCompletedOnce(count);
	}

	private int completed() {
		return this.right.get() + this.refused.get() + this.lost.get();
	}

	private void assertEachCompletedOnce(int count) {
		for (int i = 0; i < count; i++) {
			if (this.completions.get(i) != 1) {
				throw new AssertionError("call %d completed %d times".formatted(i, this.completions.get(i)));
			}
		}
	}

	private List<Thread> fire(Calls calls, int count) {
		List<Thread> callers = new ArrayList<>();
		for (int i = 0; i < CALLERS; i++) {
			int first = i;
			Thread caller = new Thread(() -> {
				for (int number = first; number < count; number += CALLERS) {
					call(calls, number);
				}
			}, "caller-" + i);
			callers.add(caller);
			caller.start();
		}
		return callers;
	}

	private static void join(List<Thread> callers) throws InterruptedException {
		for (Thread caller : callers) {
			caller.join();
		}
	}

	private void call(Calls calls, int number) {
		CompletableFuture<byte[]> future = calls.echoLater(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
		future.whenComplete((answer, failure) -> {
			this.completions.incrementAndGet(number);
			if (failure == null && ByteBuffer.wrap(answer).getInt() == number) {
				this.right.incrementAndGet();
			}
			else if (failure instanceof RpcException refusal && refusal.status() == RpcStatus.RESOURCE_EXHAUSTED
					&& !refusal.mayHaveExecuted()) {
				this.refused.incrementAndGet();
			}
			else {
				this.lost.incrementAndGet();
				this.failure.set(failure);
			}
		});
	}

}
