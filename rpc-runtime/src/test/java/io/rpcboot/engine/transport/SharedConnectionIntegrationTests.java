package io.rpcboot.engine.transport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Two references on one connection, of which one has calls that do not end. */
@Timeout(60)
class SharedConnectionIntegrationTests {

	private static final int GRANT = 16;

	private static final int SHARE = 12;

	private static final int CALLS = 500;

	private static RpcServer serve(CallsImpl implementation) {
		return RpcServer.builder().port(0).maxCallsPerConnection(GRANT).service(Calls.class, implementation).start();
	}

	private static RpcClient oneConnection(Duration timeout) {
		return RpcClient.builder().timeout(timeout).connectionsPerEndpoint(1).build();
	}

	@Test
	void hangingCalls_leaveShareOfConnectionToOthers() throws Exception {
		CallsImpl implementation = new CallsImpl();
		try (RpcServer server = serve(implementation); RpcClient client = oneConnection(Duration.ofSeconds(50))) {
			Calls hangs = client.reference(Calls.class, ReferenceStates.at(server));
			Calls other = client.reference(Calls.class, ReferenceStates.at(server));
			Eventually.until("both have their connection", () -> ReferenceStates.ready(client) == 2);
			List<CompletableFuture<String>> futures = new ArrayList<>();
			for (int i = 0; i < CALLS; i++) {
				futures.add(hangs.laterAtGate("n" + i));
			}
			Eventually.until("its share is under way", () -> implementation.futures.size() == SHARE);
			for (int i = 0; i < 10 * GRANT; i++) {
				assertThat(other.add(i, 1)).isEqualTo(i + 1);
			}
			assertThat(implementation.futures).hasSize(SHARE);
			for (int i = 0; i < CALLS; i++) {
				CompletableFuture<String> next = implementation.futures.poll(10, TimeUnit.SECONDS);
				assertThat(next).as("call %d begins", i).isNotNull();
				next.complete("done");
			}
			CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
			Eventually.until("no call is pending", () -> client.pendingCalls() == 0);
		}
	}

	/** What was cancelled counts no more. */
	@Test
	void cancelledCalls_releaseTheirShare() throws Exception {
		CallsImpl implementation = new CallsImpl();
		try (RpcServer server = serve(implementation); RpcClient client = oneConnection(Duration.ofSeconds(50))) {
			Calls hangs = client.reference(Calls.class, ReferenceStates.at(server));
			client.reference(Calls.class, ReferenceStates.at(server));
			Eventually.until("both have their connection", () -> ReferenceStates.ready(client) == 2);
			List<CompletableFuture<String>> futures = new ArrayList<>();
			for (int i = 0; i < 2 * SHARE; i++) {
				futures.add(hangs.laterAtGate("n" + i));
			}
			Eventually.until("its share is under way", () -> implementation.futures.size() == SHARE);
			futures.subList(0, SHARE).forEach((future) -> future.cancel(true));
			Eventually.until("the others follow", () -> implementation.futures.size() == 2 * SHARE);
			implementation.futures.forEach((future) -> future.complete("done"));
			CompletableFuture.allOf(futures.subList(SHARE, 2 * SHARE).toArray(CompletableFuture[]::new))
				.get(20, TimeUnit.SECONDS);
		}
	}

	/** The server has them still: nothing interrupts a method. */
	@Test
	void timedOutCalls_keepTheirShare_whileServerExecutesThem() throws Exception {
		CallsImpl implementation = new CallsImpl() {
			@Override
			public CompletableFuture<String> laterAtGate(String name) {
				try {
					this.gate.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				return CompletableFuture.completedFuture(name);
			}
		};
		try (RpcServer server = serve(implementation); RpcClient client = oneConnection(Duration.ofSeconds(20))) {
			Calls hangs = client.reference(Calls.class, ReferenceStates.at(server).withTimeout(Duration.ofMillis(200)));
			Calls other = client.reference(Calls.class, ReferenceStates.at(server));
			Eventually.until("both have their connection", () -> ReferenceStates.ready(client) == 2);
			for (int round = 0; round < 4; round++) {
				List<CompletableFuture<String>> futures = new ArrayList<>();
				for (int i = 0; i < GRANT; i++) {
					futures.add(hangs.laterAtGate("n" + i));
				}
				futures.forEach((future) -> assertThat(future).failsWithin(Duration.ofSeconds(20)));
				assertThat(other.add(round, 1)).isEqualTo(round + 1);
			}
			implementation.gate.countDown();
			Eventually.until("all can be sent again", () -> comes(hangs));
		}
		finally {
			implementation.gate.countDown();
		}
	}

	private static boolean comes(Calls calls) {
		List<CompletableFuture<String>> futures = new ArrayList<>();
		for (int i = 0; i < SHARE; i++) {
			futures.add(calls.laterAtGate("n" + i));
		}
		return futures.stream()
			.allMatch((future) -> "ok".equals(future.handle((result, ex) -> (ex == null) ? "ok" : "").join()));
	}

}
