package io.rpcboot.engine.overload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A server whose number of threads changes while it serves calls. */
@Timeout(120)
class ChangedThreadsIntegrationTests {

	/** A service; there are two. */
	public interface Work {

		CompletableFuture<Integer> run();

	}

	/** The other service. */
	public interface Other extends Work {

	}

	private final Semaphore gate = new Semaphore(0);

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger most = new AtomicInteger();

	private final Other work = () -> {
		this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
		this.gate.acquireUninterruptibly();
		this.running.decrementAndGet();
		return CompletableFuture.completedFuture(1);
	};

	private RpcServer server;

	private final RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(100)).build();

	private Work reference;

	@AfterEach
	void close() {
		this.gate.release(1_000_000);
		this.client.close();
		this.server.close();
	}

	private void start(int threads, boolean alone) {
		start(threads, alone, ServiceOptions.defaults());
	}

	private void start(int threads, boolean alone, ServiceOptions options) {
		RpcServerBuilder builder = RpcServer.builder().port(0).bindAddress("127.0.0.1").maxThreads(threads);
		builder.service(ServiceDescriptor.of(Work.class), () -> this.work, options);
		if (!alone) {
			builder.service(Other.class, this.work);
		}
		this.server = builder.start();
		this.reference = this.client.reference(Work.class, ReferenceStates.at(this.server));
	}

	private List<CompletableFuture<Integer>> calls(int number) {
		List<CompletableFuture<Integer>> calls = new ArrayList<>();
		for (int i = 0; i < number; i++) {
			calls.add(this.reference.run());
		}
		return calls;
	}

	private void awaitRunning(int number) {
		Eventually.until(number + " run", () -> this.running.get() == number);
	}

	/** Without a call that ends: nothing but the change may wake a thread. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void waitingCalls_run_afterMoreThreads(boolean alone) {
		start(4, alone);
		List<CompletableFuture<Integer>> calls = calls(8);
		awaitRunning(alone ? 4 : 3);
		this.server.maxThreads(8, "test");
		awaitRunning(alone ? 8 : 6);
		assertThat(this.server.pool().maxThreads()).isEqualTo(8);
		this.gate.release(8);
		calls.forEach(CompletableFuture::join);
	}

	/** There are always more calls than threads, so no thread is ever idle. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void surplusThreads_end_underLoad(boolean alone) {
		start(8, alone);
		List<CompletableFuture<Integer>> calls = calls(60);
		int before = alone ? 8 : 6;
		awaitRunning(before);
		this.server.maxThreads(4, "test");
		this.gate.release(20);
		int share = alone ? 4 : 3;
		awaitRunning(share);
		Eventually.until("busy", () -> this.server.pool().busy() <= 4);
		this.most.set(0);
		this.gate.release(20);
		Eventually.until("40 have ended", () -> calls.stream().filter(CompletableFuture::isDone).count() == 40);
		awaitRunning(share);
		assertThat(this.most.get()).isBetween(1, share);
		this.server.maxThreads(8, "test");
		awaitRunning(before);
		this.gate.release(20);
		calls.forEach(CompletableFuture::join);
	}

	@Test
	void ownLimitOfService_isKept() {
		start(8, true, ServiceOptions.defaults().withMaxThreads(2));
		List<CompletableFuture<Integer>> calls = calls(9);
		awaitRunning(2);
		this.server.maxThreads(16, "test");
		this.gate.release(3);
		Eventually.until("3 have ended", () -> calls.stream().filter(CompletableFuture::isDone).count() == 3);
		awaitRunning(2);
		this.server.maxThreads(1, "test");
		this.gate.release(3);
		awaitRunning(1);
		this.gate.release(3);
		calls.forEach(CompletableFuture::join);
		assertThat(this.most.get()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, Integer.MIN_VALUE })
	void invalidNumber_isRefused(int threads) {
		start(3, true);
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> this.server.maxThreads(threads, "test"))
			.withMessage("pool.max-threads: %d (expected: 1 or more)".formatted(threads));
		assertThat(this.server.pool().maxThreads()).isEqualTo(3);
	}

	/** A permit of a service that is lost or taken twice would change its share. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callsUnderLoad_areAllAnswered_duringThousandChanges(boolean alone) throws InterruptedException {
		start(8, alone);
		this.gate.release(100_000_000);
		Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
		AtomicInteger rounds = new AtomicInteger();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			Thread thread = new Thread(() -> {
				try {
					while (!Thread.currentThread().isInterrupted()) {
						calls(20).forEach(CompletableFuture::join);
						rounds.incrementAndGet();
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
			this.server.maxThreads(1 + i * 7 % 9, "test");
			int seen = rounds.get();
			Eventually.until("calls go on", () -> rounds.get() > seen || !failures.isEmpty());
		}
		threads.forEach(Thread::interrupt);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(failures).isEmpty();
		this.server.maxThreads(8, "test");
		this.gate.drainPermits();
		List<CompletableFuture<Integer>> calls = calls(20);
		awaitRunning(alone ? 8 : 6);
		this.gate.release(20);
		calls.forEach(CompletableFuture::join);
	}

}
