package io.rpcboot.engine.overload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** A method with a limit leaves the other methods of its service their threads. */
@Timeout(120)
class LimitedMethodIntegrationTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final CountDownLatch gate = new CountDownLatch(1);

	private final AtomicInteger entered = new AtomicInteger();

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger most = new AtomicInteger();

	/** A service of which one method waits for the gate. */
	public interface Reports {

		CompletableFuture<Integer> render(int number);

		int answer(int number);

	}

	private final class ReportsImpl implements Reports {

		@Override
		public CompletableFuture<Integer> render(int number) {
			LimitedMethodIntegrationTests test = LimitedMethodIntegrationTests.this;
			test.entered.incrementAndGet();
			test.most.accumulateAndGet(test.running.incrementAndGet(), Math::max);
			try {
				test.gate.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			test.running.decrementAndGet();
			return CompletableFuture.completedFuture(number);
		}

		@Override
		public int answer(int number) {
			return number;
		}

	}

	@AfterEach
	void open() {
		this.gate.countDown();
	}

	@Test
	void hangingLimitedMethod_leavesThreadsToOtherMethods() throws Exception {
		Reports implementation = new ReportsImpl();
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.maxThreads(3)
			.service(ServiceDescriptor.of(Reports.class), () -> implementation,
					ServiceOptions.defaults().withMaxThreads("render", 2))
			.start(); RpcClient client = RpcClient.builder().build()) {
			Reports reports = client.reference(Reports.class, ReferenceStates.at(server).withTimeout(LONG));
			List<CompletableFuture<Integer>> all = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				all.add(reports.render(i));
			}
			Eventually.until("it has what it may have", () -> this.entered.get() == 2);
			for (int i = 0; i < 1000; i++) {
				assertThat(reports.answer(i)).isEqualTo(i);
			}
			Eventually.until("the others wait", () -> server.pool().waiting() == 18);
			Eventually.until("no thread but those is busy", () -> server.pool().busy() == 2);
			assertThat(reports.answer(1)).isOne();
			assertThat(this.entered).hasValue(2);
			this.gate.countDown();
			for (int i = 0; i < 20; i++) {
				assertThat(all.get(i).get(20, TimeUnit.SECONDS)).isEqualTo(i);
			}
			assertThat(this.most).hasValue(2);
			Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
		}
	}

}
