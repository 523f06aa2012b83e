package io.rpcboot.engine.call;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.server.ExceptionExposure;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the times and the failures of calls that both sides note. */
@Timeout(60)
class CallDetailsIntegrationTests {

	private static final long SOME_NANOS = TimeUnit.MILLISECONDS.toNanos(80);

	private final RpcHistory history = RpcHistory.builder().build();

	private final CallsImpl implementation = new CallsImpl();

	private RpcServerBuilder server() {
		return RpcServer.builder().port(0).bindAddress("127.0.0.1").metrics(this.history);
	}

	private RpcClient client() {
		return RpcClient.builder().timeout(Duration.ofSeconds(30)).metrics(this.history).build();
	}

	private static Stream<NotedCall> of(List<NotedCall> calls, Side side, String method) {
		return calls.stream().filter((each) -> each.side() == side && each.method().startsWith(method + "("));
	}

	@Test
	void serverCalls_tellWaitForThread_andTimeInMethod() {
		ServiceOptions one = ServiceOptions.defaults().withMaxThreads(1);
		try (RpcServer server = server().service(ServiceDescriptor.of(Calls.class), () -> this.implementation, one)
			.start(); RpcClient client = client()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			List<CompletableFuture<String>> three = Stream.of("a", "b", "c")
				.map((name) -> CompletableFuture.supplyAsync(() -> calls.waitForGate(name),
						(task) -> new Thread(task).start()))
				.toList();
			Eventually.until("one runs and two wait",
					() -> server.inFlightCalls() == 3 && !this.implementation.entered.isEmpty());
			Eventually.passed(System.nanoTime() + SOME_NANOS);
			this.implementation.gate.countDown();
			three.forEach((each) -> assertThat(each).succeedsWithin(Duration.ofSeconds(30)));
			Eventually.until("all are noted",
					() -> of(this.history.slowest(), Side.SERVER, "waitForGate").count() == 3);
			assertThat(of(this.history.slowest(), Side.SERVER, "waitForGate")
				.filter((each) -> each.waitedNanos() >= SOME_NANOS)).as("waited for the thread")
				.hasSizeGreaterThanOrEqualTo(2);
			assertThat(of(this.history.slowest(), Side.SERVER, "waitForGate")
				.filter((each) -> each.nanos() - each.waitedNanos() >= SOME_NANOS)).as("ran").hasSize(1);
		}
	}

	@Test
	void clientCall_tellsTimeUntilItWasWritten() throws Exception {
		try (RpcServer server = server().service(Calls.class, this.implementation).start();
				RpcClient client = RpcClient.builder()
					.timeout(Duration.ofSeconds(30))
					.maxPendingCalls(1)
					.metrics(this.history)
					.build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			Thread first = new Thread(() -> calls.waitForGate("a"));
			first.start();
			Eventually.until("it runs", () -> !this.implementation.entered.isEmpty());
			Thread second = new Thread(() -> calls.greet("b"));
			second.start();
			Eventually.until("it waits for a permit", () -> second.getState() == Thread.State.TIMED_WAITING);
			Eventually.passed(System.nanoTime() + SOME_NANOS);
			this.implementation.gate.countDown();
			second.join(30_000);
			assertThat(of(this.history.slowest(), Side.CLIENT, "greet")).singleElement()
				.satisfies((call) -> assertThat(call.waitedNanos())
					.isBetween(SOME_NANOS - TimeUnit.MILLISECONDS.toNanos(2), call.nanos()));
			first.join(30_000);
		}
	}

	@Test
	void callThatWasNeverWritten_waitedAllOfItsTime() {
		try (RpcClient client = RpcClient.builder()
			.timeout(Duration.ofMillis(50))
			.waitForInstance(Duration.ofSeconds(30))
			.registry(new InMemoryRegistry())
			.metrics(this.history)
			.build()) {
			Calls calls = client.reference(Calls.class, ReferenceOptions.defaults());
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.greet("x"));
			assertThat(this.history.failed()).singleElement().satisfies((call) -> {
				assertThat(call.waitedNanos()).isEqualTo(call.nanos());
				assertThat(call.message()).startsWith(Calls.class.getName() + ".greet(");
			});
		}
	}

	@ParameterizedTest
	@CsvSource({ "MESSAGE, it is broken, java.lang.IllegalStateException",
			"TYPE, its text and stack trace are in the server's log (rpc.server.expose-exceptions=message sends the text), java.lang.IllegalStateException",
			"NOTHING, its text and stack trace are in the server's log (rpc.server.expose-exceptions=message sends the text), " })
	void failedCall_hasMessageAndClass_asFarAsTheyAreExposed(ExceptionExposure exposure, String message,
			@Nullable String type) {
		try (RpcServer server = server().exposeExceptions(exposure).service(Calls.class, this.implementation).start();
				RpcClient client = client()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.breakDown("it is broken"));
			Eventually.until("both sides have noted it", () -> this.history.failed().size() == 2);
			assertThat(of(this.history.failed(), Side.SERVER, "breakDown")).singleElement().satisfies((call) -> {
				assertThat(call.status()).isEqualTo(RpcStatus.APPLICATION);
				assertThat(call.message()).isEqualTo(message);
				assertThat(call.exceptionType()).isEqualTo(type);
			});
			assertThat(of(this.history.failed(), Side.CLIENT, "breakDown")).singleElement().satisfies((call) -> {
				assertThat(call.message()).contains(message);
				assertThat(call.exceptionType()).isEqualTo(type);
			});
		}
	}

}
