package io.rpcboot.engine.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcException;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.ServerProcess;
import io.rpcboot.fixture.Eventually;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server that stands still for longer than its callers wait: for 1.5 s with timeouts of
 * 400 ms; {@code mvn verify -Drpc.test.long=true} makes it 10 s and 2 s.
 */
@Timeout(60)
class SuspendedServerIntegrationTests {

	private static final int CALLERS = 16;

	private static final int TIMEOUT_MILLIS = Load.LONG ? 2000 : 400;

	/** What the clock, the way and a thread that is to begin may take. */
	private static final int TOLERANCE_MILLIS = 400;

	/** Timeouts of each caller while the server is suspended. */
	private static final int TIMEOUTS = 4;

	private final AtomicInteger timeouts = new AtomicInteger();

	private final AtomicInteger answers = new AtomicInteger();

	private volatile boolean ends;

	/**
	 * One that a thread had taken when the process was stopped is no fault of anybody.
	 */
	@Test
	void call_doesNotStart_afterItsDeadline() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
		try (ServerProcess server = new ServerProcess("", 0);
				RpcClient client = RpcClient.builder().timeout(Duration.ofMillis(TIMEOUT_MILLIS)).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server.port()));
			Eventually.until("it answers", () -> answers(calls));
			List<Future<?>> callers = new ArrayList<>();
			for (int i = 0; i < CALLERS; i++) {
				callers.add(threads.submit(() -> callUntilTheEnd(calls)));
			}
			Eventually.until("calls are answered", () -> this.answers.get() > 1000);
			server.suspend(true);
			int timeoutsBefore = this.timeouts.get();
			Eventually.until("calls have timed out in the socket",
					() -> this.timeouts.get() >= timeoutsBefore + TIMEOUTS * CALLERS);
			server.suspend(false);
			int before = this.answers.get();
			Eventually.until("calls are answered again", () -> this.answers.get() > before + 1000);
			this.ends = true;
			for (Future<?> caller : callers) {
				caller.get(20, TimeUnit.SECONDS);
			}
			assertThat(calls.add(0, 0)).as("calls that began late").isLessThanOrEqualTo(2);
		}
		finally {
			this.ends = true;
			threads.shutdownNow();
		}
	}

	private static boolean answers(Calls calls) {
		try {
			return calls.add(0, 0) == 0;
		}
		catch (RpcException ex) {
			return false;
		}
	}

	private void callUntilTheEnd(Calls calls) {
		while (!this.ends) {
			long until = System.currentTimeMillis() + TIMEOUT_MILLIS + TOLERANCE_MILLIS;
			try {
				calls.greet(ServerProcess.UNTIL + until);
				this.answers.incrementAndGet();
			}
			catch (RpcException ex) {
				this.timeouts.incrementAndGet();
			}
		}
	}

}
