package io.rpcboot.engine.overload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** More calls than a server can answer in time: those that it runs are answered. */
@Timeout(120)
class OverloadIntegrationTests {

	private static final int THREADS = 4;

	private static final long CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	/** The threads run sixty calls in this time; more than that wait. */
	private static final Duration TIMEOUT = Duration.ofMillis(300);

	private static final int PENDING = 600;

	private static final long RUN_NANOS = TimeUnit.SECONDS.toNanos(4);

	/**
	 * Runs more that may fail than succeed before one more succeeds than fails. A machine
	 * without a core for this test makes calls late, now and then, that the server has
	 * executed in time.
	 */
	private static final int MORE_FAILURES = 3;

	private final AtomicInteger executed = new AtomicInteger();

	private final AtomicInteger inTime = new AtomicInteger();

	/** The service of this test. */
	public interface Work {

		CompletableFuture<Integer> work(int number);

	}

	private CompletableFuture<Integer> work(int number) {
		this.executed.incrementAndGet();
		Eventually.passed(System.nanoTime() + CALL_NANOS);
		return CompletableFuture.completedFuture(number);
	}

	@Test
	void executedCalls_areMostlyAnsweredInTime_underOverload() throws InterruptedException {
		Work implementation = this::work;
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.maxThreads(THREADS)
			.service(Work.class, implementation)
			.start(); RpcClient client = RpcClient.builder().build()) {
			Work work = client.reference(Work.class, ReferenceStates.at(server).withTimeout(TIMEOUT));
			Eventually.until("connected", () -> ReferenceStates.ready(client) == 1);
			List<String> shares = new ArrayList<>();
			int more = 0;
			while (more < 1 && more > -MORE_FAILURES) {
				this.executed.set(0);
				this.inTime.set(0);
				overload(work);
				Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
				shares.add("%d of %d".formatted(this.inTime.get(), this.executed.get()));
				more += (this.inTime.get() > this.executed.get() * 9 / 10) ? 1 : -1;
			}
			System.out.println("answered in time: " + shares);
			assertThat(more).as("answered in time of those that were executed: %s", shares).isOne();
		}
	}

	private void overload(Work work) throws InterruptedException {
		Semaphore pending = new Semaphore(PENDING);
		long end = System.nanoTime() + RUN_NANOS;
		for (int i = 1; System.nanoTime() - end < 0; i++) {
			pending.acquire();
			work.work(i).whenComplete((result, failure) -> {
				this.inTime.addAndGet((failure == null) ? 1 : 0);
				pending.release();
			});
		}
		pending.acquire(PENDING);
	}

}
