package io.rpcboot.engine.call;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.Relay;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.transport.Transport;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.SocketOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A calls B, which calls A: one event loop for each side of each of them. */
@Timeout(60)
class MutualCallsIntegrationTests {

	private static final EventLoopOptions ONE_LOOP = EventLoopOptions.defaults().withThreads(1);

	private static final int CALLERS = 16;

	private static final int DEPTH = 6;

	/** A server and the client with which its handlers call the other one. */
	private static final class Node implements Relay, AutoCloseable {

		private final RpcServer server;

		private final RpcClient client;

		private volatile Relay other;

		Node(int threads, Duration timeout) {
			this.server = RpcServer.builder()
				.port(0)
				.maxThreads(threads)
				.eventLoop(ONE_LOOP)
				.service(Relay.class, this)
				.start();
			this.client = RpcClient.builder().timeout(timeout).eventLoop(ONE_LOOP).build();
		}

		void meet(Node node) {
			this.other = this.client.reference(Relay.class, ReferenceStates.at(node.server));
		}

		@Override
		public int hand(int further) {
			return (further == 0) ? 1 : 1 + this.other.hand(further - 1);
		}

		@Override
		public CompletableFuture<Integer> handLater(int further) {
			return (further == 0) ? CompletableFuture.completedFuture(1)
					: this.other.handLater(further - 1).thenApply((calls) -> calls + 1);
		}

		boolean isIdle() {
			return this.server.inFlightCalls() == 0 && this.client.pendingCalls() == 0;
		}

		@Override
		public void close() {
			this.client.close();
			this.server.close();
		}

	}

	private interface Scenario {

		void run(Node a, Node b) throws Exception;

	}

	private static void between(int threads, Duration timeout, Scenario scenario) throws Exception {
		try (Node a = new Node(threads, timeout); Node b = new Node(threads, timeout)) {
			a.meet(b);
			b.meet(a);
			scenario.run(a, b);
			Eventually.until("nothing is under way", () -> a.isIdle() && b.isIdle());
		}
	}

	private static List<Future<Integer>> callers(Relay relay, int depth) {
		ExecutorService executor = Executors.newFixedThreadPool(CALLERS);
		try {
			List<Future<Integer>> results = new ArrayList<>();
			for (int i = 0; i < CALLERS; i++) {
				results.add(executor.submit(() -> relay.hand(depth)));
			}
			return results;
		}
		finally {
			executor.shutdown();
		}
	}

	/** Not one thread more than all calls under way need. */
	@Test
	void nestedBlockingCalls_complete_withOneThreadPerCall() throws Exception {
		between(CALLERS * (DEPTH + 1), Duration.ofSeconds(20), (a, b) -> {
			List<Future<Integer>> results = new ArrayList<>();
			for (int i = 0; i < 10; i++) {
				results.addAll(callers(a.other, DEPTH));
				results.addAll(callers(b.other, DEPTH));
				for (Future<Integer> result : results) {
					assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo(DEPTH + 1);
				}
				results.clear();
			}
		});
	}

	/**
	 * 3,000 calls on each connection: less than its grant, for each waits for the next.
	 */
	@Test
	void nestedFutures_complete_withOneThread() throws Exception {
		between(1, Duration.ofSeconds(20), (a, b) -> {
			List<CompletableFuture<Integer>> results = new ArrayList<>();
			for (int i = 0; i < 300; i++) {
				results.add(((i % 2 == 0) ? a : b).other.handLater(20));
			}
			for (CompletableFuture<Integer> result : results) {
				assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo(21);
			}
		});
	}

	/** Each thread waits for a call that waits for a thread. */
	@Test
	void nestedBlockingCalls_endAtDeadline_whenThreadsAreExhausted() throws Exception {
		between(2, Duration.ofSeconds(2), (a, b) -> {
			for (Future<Integer> result : callers(a.other, DEPTH)) {
				Throwable thrown = catchThrowable(() -> result.get(20, TimeUnit.SECONDS));
				assertThat(thrown).hasCauseInstanceOf(RpcException.class);
				assertThat(((RpcException) thrown.getCause()).status()).isIn(RpcStatus.DEADLINE_EXCEEDED,
						RpcStatus.APPLICATION);
			}
			Eventually.until("nothing is under way", () -> a.isIdle() && b.isIdle());
			assertThat(a.other.hand(1)).isEqualTo(2);
			assertThat(b.other.hand(1)).isEqualTo(2);
		});
	}

	/** The message names the method and the thread; a future is welcome there. */
	@Test
	void blockingCall_isRefused_onEventLoop() throws Exception {
		between(2, Duration.ofSeconds(20), (a, b) -> {
			try (Transport foreign = new Transport("foreign", ONE_LOOP, SocketOptions.defaults(), Duration.ZERO,
					null)) {
				Throwable thrown = catchThrowable(
						() -> foreign.anyLoop().submit(() -> a.other.hand(0)).get(10, TimeUnit.SECONDS));
				assertThat(thrown).hasCauseInstanceOf(RpcException.class);
				assertThat(thrown.getCause()).hasMessageContaining("Relay.hand(int)")
					.hasMessageContaining("foreign-loop-1");
				assertThat(((RpcException) thrown.getCause()).mayHaveExecuted()).isFalse();
				Future<CompletableFuture<Integer>> started = foreign.anyLoop().submit(() -> a.other.handLater(3));
				assertThat(started.get(10, TimeUnit.SECONDS).get(10, TimeUnit.SECONDS)).isEqualTo(4);
			}
		});
	}

}
