package io.rpcboot.engine.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

import io.rpcboot.RpcException;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.ServerProcess;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** One of two instances stands still; the other has room. */
@Timeout(60)
class FrozenInstanceIntegrationTests {

	private static final int CALLS = 3000;

	/** What a server grants at first; one that stands still grants no more. */
	private static final int FIRST_GRANT = 64;

	private static final int SHORT = 1;

	/** Longer than what needs no memory of a server. */
	private static final int LONG = 6000;

	private int notExecuted;

	@ParameterizedTest
	@CsvSource({ "NATIVE, 64", "GRPC, 100" })
	void onlyCallsSentToFrozenInstance_fail(Protocol protocol, int most) throws Exception {
		assertThat(failures(protocol, CALLS, SHORT)).as("calls that failed").isBetween(1, most);
		assertThat(this.notExecuted).isZero();
	}

	/** One may have asked it for memory. */
	@Test
	void onlyLongCallsSentToFrozenInstance_fail() throws Exception {
		assertThat(failures(Protocol.NATIVE, CALLS / 10, LONG)).as("calls that failed").isBetween(1, FIRST_GRANT);
		assertThat(this.notExecuted).isLessThanOrEqualTo(1);
	}

	/** Its share ends after two seconds, and it has it again when it goes on. */
	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void frozenInstance_isNotChosen_untilItAnswers(Protocol protocol) throws Exception {
		try (ServerProcess frozen = new ServerProcess("", 0);
				RpcServer other = RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).start();
				RpcClient client = RpcClient.builder().protocol(protocol).timeout(Duration.ofMillis(1500)).build();
				LogRecorder log = new LogRecorder("rpc.client")) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(frozen.port(), other.port()));
			Eventually.until("both are connected", () -> ReferenceStates.ready(client) == 2);
			frozen.suspend(true);
			Eventually.until("it is noticed", () -> {
				failed(calls);
				return log.messages().stream().anyMatch((line) -> line.contains("sent nothing for 2 s"));
			});
			int failed = 0;
			for (int i = 0; i < 200; i++) {
				failed += failed(calls);
			}
			// one may be chosen while it is noticed
			assertThat(failed).as("calls that failed").isLessThanOrEqualTo(1);
			assertThat(client.references().get(0).instances()).extracting(ReferenceInfo.Instance::state)
				.containsExactlyInAnyOrder(ReferenceInfo.State.READY, ReferenceInfo.State.FROZEN);
			frozen.suspend(false);
			Eventually.until("it answers again", () -> {
				failed(calls); // one of them sees whether it is well
				return problems(client).stream().allMatch(String::isEmpty);
			});
			List<Long> before = client.connections().stream().map(ConnectionInfo::usedCalls).toList();
			Eventually.until("both have calls again", () -> {
				failed(calls);
				List<Long> after = client.connections().stream().map(ConnectionInfo::usedCalls).toList();
				return IntStream.range(0, after.size()).allMatch((i) -> after.get(i) > before.get(i));
			});
		}
	}

	@Test
	void idempotentCalls_areResent_whenInstanceIsFrozen() throws Exception {
		try (ServerProcess frozen = new ServerProcess("", 0);
				RpcServer other = RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).start();
				RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(20)).build()) {
			Calls calls = client.reference(Calls.class,
					ReferenceStates.at(frozen.port(), other.port()).withIdempotent("echoLater", true));
			Eventually.until("both are connected", () -> ReferenceStates.ready(client) == 2);
			for (int i = 0; i < CALLS; i++) { // some of them earn the right to be made
												// once more
				assertThat(calls.echoLater(new byte[SHORT]).join()).hasSize(SHORT);
			}
			frozen.suspend(true);
			List<CompletableFuture<byte[]>> futures = new ArrayList<>();
			for (int i = 0; i < FIRST_GRANT; i++) {
				futures.add(calls.echoLater(new byte[SHORT]));
			}
			long begin = System.nanoTime();
			futures.forEach((future) -> assertThat(future.join()).hasSize(SHORT));
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
			frozen.suspend(false);
		}
	}

	private static List<String> problems(RpcClient client) {
		return client.references().get(0).instances().stream().map(ReferenceInfo.Instance::problem).toList();
	}

	private static int failed(Calls calls) {
		try {
			calls.greet("x");
			return 0;
		}
		catch (RpcException ex) {
			return 1;
		}
	}

	private int failures(Protocol protocol, int count, int length) throws Exception {
		try (ServerProcess frozen = new ServerProcess("", 0);
				RpcServer other = RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).start();
				RpcClient client = RpcClient.builder()
					.protocol(protocol)
					.timeout(Duration.ofSeconds(5))
					.connectionsPerEndpoint(1)
					.build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(frozen.port(), other.port()));
			Eventually.until("both are connected", () -> ReferenceStates.ready(client) == 2);
			frozen.suspend(true);
			List<CompletableFuture<byte[]>> futures = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				futures.add(calls.echoLater(new byte[length]));
			}
			int failed = 0;
			for (CompletableFuture<byte[]> future : futures) {
				failed += fails(future, length) ? 1 : 0;
			}
			Eventually.until("no call is pending", () -> client.pendingCalls() == 0);
			return failed;
		}
	}

	private boolean fails(CompletableFuture<byte[]> future, int length) {
		try {
			assertThat(future.join()).hasSize(length);
			return false;
		}
		catch (CompletionException ex) {
			assertThat(ex.getCause()).isInstanceOfSatisfying(RpcException.class,
					(failure) -> this.notExecuted += failure.mayHaveExecuted() ? 0 : 1);
			return true;
		}
	}

}
