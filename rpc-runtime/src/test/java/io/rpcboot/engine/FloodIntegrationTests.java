package io.rpcboot.engine;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

	private final CountDownLatch done = new CountDownLatch(CALLS);

	/** A client, and whether it may refuse. */
	private record Policy(String name, boolean mayRefuse, UnaryOperator<RpcClientBuilder> client) {

		@Override
		public String toString() {
			return this.name;
		}

	}

	static Stream<Policy> policies() {
		return Stream.of(new Policy("fails when full", true, (client) -> client.maxPendingCalls(2000)),
				new Policy("has room for all", false, (client) -> client.maxPendingCalls(CALLS)));
	}

	@ParameterizedTest
	@MethodSource("policies")
	void everyFutureCompletesOnce(Policy policy) throws Exception {
		try (LeakWatch leaks = new LeakWatch();
				RpcServer server = RpcServer.builder()
					.port(0)
						.service(Calls.class, this.implementation)
					.start();
				RpcClient client = policy.client().apply(RpcClient.builder().timeout(Duration.ofSeconds(60))).build()) {
			Calls calls = client.reference(Calls.class, References.at(server));
			fire(calls);
			assertThat(this.done.await(60, TimeUnit.SECONDS)).as("%s are not done", this.done.getCount()).isTrue();
			Eventually.until("nothing is under way", () -> client.pendingCalls() == 0 && server.inFlightCalls() == 0);
			assertThat(this.right.get() + this.refused.get()).isEqualTo(CALLS);
			assertThat(this.implementation.executed).hasValue(this.right.get());
			assertThat(this.right).hasValueGreaterThan(1000);
			if (!policy.mayRefuse()) {
				assertThat(this.refused).hasValue(0);
			}
			assertThat(calls.greet("after")).isEqualTo("hello after");
			leaks.assertNoLeak();
		}
		for (int i = 0; i < CALLS; i++) {
			if (this.completions.get(i) != 1) {
				throw new AssertionError("call %d completed %d times".formatted(i, this.completions.get(i)));
			}
		}
	}

	private void fire(Calls calls) throws InterruptedException {
		List<Thread> callers = new ArrayList<>();
		for (int i = 0; i < CALLERS; i++) {
			int first = i;
			Thread caller = new Thread(() -> {
				for (int number = first; number < CALLS; number += CALLERS) {
					fire(calls, number);
				}
			}, "caller-" + i);
			callers.add(caller);
			caller.start();
		}
		for (Thread caller : callers) {
			caller.join();
		}
	}

	private void fire(Calls calls, int number) {
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
			this.done.countDown();
		});
	}

}
