package io.rpcboot.engine.overload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.PoolInfo;
import io.rpcboot.server.PoolInfo.Holder;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the log line about hanging calls that have all threads. */
@Timeout(60)
class PoolExhaustionIntegrationTests {

	private static final int THREADS = 3;

	@Test
	void poolExhaustion_isLoggedOnceWithItsHolders() throws Exception {
		CallsImpl implementation = new CallsImpl();
		try (LogRecorder log = new LogRecorder("rpc.server");
				RpcServer server = RpcServer.builder()
					.port(0)
					.bindAddress("127.0.0.1")
					.maxThreads(THREADS)
					.service(Calls.class, implementation)
					.start();
				RpcClient client = RpcClient.builder().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			assertThat(calls.add(1, 2)).isEqualTo(3);
			Eventually.until("no thread is busy", () -> server.pool().busy() == 0);
			assertThat(server.pool().usedUp()).isNull();
			List<CompletableFuture<String>> all = new ArrayList<>();
			for (int i = 0; i < THREADS + 2; i++) {
				all.add(CompletableFuture.supplyAsync(() -> calls.waitForGate("x"),
						(task) -> new Thread(task).start()));
			}
			Eventually.until("it is seen", () -> server.pool().usedUp() != null);
			PoolInfo pool = server.pool();
			assertThat(pool.maxThreads()).isEqualTo(THREADS);
			assertThat(pool.busy()).isEqualTo(THREADS);
			assertThat(pool.waiting()).isEqualTo(2);
			assertThat(pool.usedUp().waiting()).isEqualTo(2);
			Holder holder = pool.usedUp().holders().get(0);
			assertThat(pool.usedUp().holders()).hasSize(1);
			assertThat(holder.method()).contains("Calls", "waitForGate(");
			assertThat(holder.threads()).isEqualTo(THREADS);
			assertThat(holder.stuck()).isEqualTo(THREADS);
			assertThat(holder.stack()).anyMatch((frame) -> frame.contains("CallsImpl.waitForGate"))
				.noneMatch((frame) -> frame.contains("ServerCall"));
			Eventually.until("it is said", () -> !log.messages().isEmpty());
			assertThat(log.messages()).singleElement()
				.asString()
				.startsWith("All 3 threads are in use and 2 calls wait for one (pool.max-threads)")
				.contains("waitForGate(", "3, of which 3 have run the same call", "\tat ", "CallsImpl.waitForGate");
			implementation.gate.countDown();
			for (CompletableFuture<String> each : all) {
				assertThat(each.handle((result, failure) -> true).get(20, TimeUnit.SECONDS)).isTrue();
			}
			Eventually.until("all are free", () -> server.pool().busy() == 0 && server.pool().waiting() == 0);
		}
	}

}
