package io.rpcboot.engine.contract;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.NamedSerializer;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.OlderCalls;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.loadbalance.RandomLoadBalancer;
import io.rpcboot.server.RpcServer;
import io.rpcboot.workload.UserService;
import io.rpcboot.workload.UserServiceImpl;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The two sides were not made for each other. */
class IncompatibleServiceIntegrationTests {

	/** Far more than a refusal takes. */
	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final RpcClient client = RpcClient.builder().timeout(TIMEOUT).loadBalancer(RandomLoadBalancer::new).build();

	@AfterEach
	void stop() {
		assertThat(this.client.pendingCalls()).isZero();
		this.client.close();
	}

	/** Nothing in it is as it was. */
	public interface FirstCalls {

		String hello();

	}

	private static RpcServer older() {
		return RpcServer.builder()
			.port(0)
			.service(OlderCalls.described(), () -> new OlderImpl())
			.service(UserService.class, new UserServiceImpl())
			.start();
	}

	private static final class OlderImpl implements OlderCalls {

		@Override
		public String greet(String name) {
			return "old " + name;
		}

		@Override
		public String waitForGate(String name) {
			return name;
		}

		@Override
		public void notice(String word) {
		}

		@Override
		public List<Integer> reverse(List<Integer> numbers) {
			return numbers;
		}

		@Override
		public int subtract(int left, int right) {
			return left - right;
		}

	}

	@Test
	void changedMethods_failAtOnce_whileOthersSucceed() {
		try (LogRecorder log = new LogRecorder("rpc.client"); RpcServer server = older()) {
			Calls calls = this.client.reference(Calls.class, ReferenceStates.at(server));
			UserService users = this.client.reference(UserService.class, ReferenceStates.at(server));
			assertThat(calls.greet("first")).isEqualTo("old first");
			assertRefused(() -> calls.add(1, 2), RpcStatus.FAILED_PRECONDITION, "different versions of the interface",
					"method add(int, int) is missing at the server");
			assertRefused(() -> calls.reverse(List.of("a")), RpcStatus.FAILED_PRECONDITION,
					"argument 1 of reverse(java.util.List<java.lang.String>)");
			assertRefused(() -> get(calls.echoLater(new byte[1])), RpcStatus.FAILED_PRECONDITION, "echoLater");
			calls.notice("arrives");
			assertThat(calls.waitForGate("x")).isEqualTo("x");
			assertThat(users.existUser("a9")).isTrue();
			assertThat(server.connections()).hasSize(1);
			assertThat(ReferenceStates.instances(this.client)).extracting(ReferenceInfo.Instance::state)
				.containsOnly(ReferenceInfo.State.READY);
			assertThat(ReferenceStates.instances(this.client).get(0).problem())
				.startsWith("12 of 15 methods are refused: ")
				.contains("add(int, int)");
			assertThat(ReferenceStates.instances(this.client).get(1).problem()).isEmpty();
			assertThat(log.messages()).singleElement()
				.asString()
				.contains(Calls.class.getName())
				.contains("12 of 15 methods are refused")
				.contains("method add(int, int) is missing at the server");
			Eventually.until("no call is pending", () -> this.client.pendingCalls() == 0);
		}
	}

	/** Its sender is told by the log alone. */
	@Test
	void refusedOneWayCall_isLogged() {
		try (LogRecorder log = new LogRecorder("rpc.client");
				RpcServer server = RpcServer.builder()
					.port(0)
					.service(OlderCalls.described(FirstCalls.class), () -> (FirstCalls) () -> "hello")
					.start()) {
			Calls calls = this.client.reference(Calls.class, ReferenceStates.at(server));
			calls.notice("lost");
			Eventually.until("logged",
					() -> log.messages()
						.stream()
						.anyMatch((line) -> line.contains("method notice(java.lang.String) is missing at the server")));
			calls.notice("lost as well");
			Eventually.until("no call is pending", () -> this.client.pendingCalls() == 0);
		}
	}

	@Test
	void service_isRefused_whenNoMethodMatches() {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.service(OlderCalls.described(FirstCalls.class), () -> (FirstCalls) () -> "hello")
			.service(UserService.class, new UserServiceImpl())
			.start()) {
			Calls calls = this.client.reference(Calls.class, ReferenceStates.at(server));
			UserService users = this.client.reference(UserService.class, ReferenceStates.at(server));
			assertRefused(() -> calls.greet("first"), RpcStatus.FAILED_PRECONDITION, Calls.class.getName(),
					"different versions of the interface", "method greet(java.lang.String) is missing at the server");
			assertRefused(() -> calls.greet("again"), RpcStatus.FAILED_PRECONDITION, Calls.class.getName());
			assertThat(users.existUser("a9")).isTrue();
			assertThat(ReferenceStates.instances(this.client)).extracting(ReferenceInfo.Instance::state)
				.containsExactlyInAnyOrder(ReferenceInfo.State.INCOMPATIBLE, ReferenceInfo.State.READY);
		}
	}

	@Test
	void calls_goToInstance_withMatchingMethod() {
		CallsImpl implementation = new CallsImpl();
		try (RpcServer old = older();
				RpcServer other = older();
				RpcServer current = RpcServer.builder().port(0).service(Calls.class, implementation).start()) {
			Calls calls = this.client.reference(Calls.class,
					ReferenceStates.at(old.port(), current.port(), other.port()));
			Set<String> greetings = new HashSet<>();
			for (int i = 0; i < 200; i++) {
				assertThat(calls.add(i, 1)).isEqualTo(i + 1);
				assertThat(calls.later("x")).succeedsWithin(TIMEOUT).isEqualTo("later x");
				greetings.add(calls.greet("x"));
			}
			assertThat(greetings).as("what all have goes to all").containsExactlyInAnyOrder("old x", "hello x");
			current.shutdown(Duration.ZERO);
			assertThat(catchThrowableOfType(RpcException.class,
					() -> this.client.reference(Calls.class, ReferenceStates.at(old.port(), other.port())).add(1, 2))
				.status()).isEqualTo(RpcStatus.FAILED_PRECONDITION);
			assertThat(calls.greet("y")).isEqualTo("old y");
		}
	}

	/** The very first calls, while nobody knows yet who has what. */
	@Test
	void firstCalls_succeed_beforeContractsAreExchanged() {
		for (int round = 0; round < 10; round++) {
			try (RpcServer old = older();
					RpcServer current = RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).start();
					RpcClient fresh = RpcClient.builder().timeout(TIMEOUT).build()) {
				Calls calls = fresh.reference(Calls.class, ReferenceStates.at(old.port(), current.port()));
				List<CompletableFuture<String>> futures = IntStream.range(0, 100)
					.mapToObj((i) -> calls.later("x" + i))
					.toList();
				for (int i = 0; i < futures.size(); i++) {
					assertThat(get(futures.get(i))).isEqualTo("later x" + i);
				}
				assertThat(fresh.pendingCalls()).isZero();
			}
		}
	}

	@Test
	void unknownService_isNamedInFailure() {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.service(UserService.class, new UserServiceImpl())
			.build()
			.start()) {
			Calls calls = this.client.reference(Calls.class, ReferenceStates.at(server).withVersion("2"));
			UserService users = this.client.reference(UserService.class, ReferenceStates.at(server));
			RpcException thrown = refused(() -> calls.greet("x"));
			assertThat(thrown.status()).isEqualTo(RpcStatus.NOT_FOUND);
			assertThat(thrown).hasMessageContaining("service io.rpcboot.engine.fixture.Calls:2 is not offered here")
				.hasMessageContaining("offered: io.rpcboot.workload.UserService");
			assertThat(users.existUser("a9")).isTrue();
		}
	}

	@Test
	void serializerMismatch_isNamedInFailure() {
		RpcException thrown;
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.serializer(new NamedSerializer("renamed"))
			.service(Calls.class, new CallsImpl())
			.build()
			.start(); RpcClient client = RpcClient.builder().timeout(TIMEOUT).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			thrown = catchThrowableOfType(RpcException.class, () -> calls.greet("x"));
			Eventually.until("no connection stays", () -> server.connections().size() == 0);
		}
		assertThat(thrown.status()).isIn(RpcStatus.UNAVAILABLE, RpcStatus.FAILED_PRECONDITION);
		assertThat(thrown.mayHaveExecuted()).isFalse();
		assertThat(thrown).hasMessageContaining("serializer")
			.hasMessageContaining("'renamed'")
			.hasMessageContaining("'protostuff'");
	}

	private static <T> T get(CompletableFuture<T> future) {
		try {
			return future.get(30, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			throw (RpcException) ex.getCause();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void assertRefused(ThrowingCallable call, RpcStatus status, String... texts) {
		RpcException thrown = refused(call);
		assertThat(thrown.status()).isEqualTo(status);
		assertThat(thrown).hasMessageContainingAll(texts);
	}

	private static RpcException refused(ThrowingCallable call) {
		long before = System.nanoTime();
		RpcException thrown = catchThrowableOfType(RpcException.class, call);
		assertThat(Duration.ofNanos(System.nanoTime() - before)).as("not at the deadline")
			.isLessThan(TIMEOUT.dividedBy(4));
		assertThat(thrown).isNotNull();
		assertThat(thrown.mayHaveExecuted()).isFalse();
		return thrown;
	}

}
