package io.rpcboot.engine.routing;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.client.Broadcast;
import io.rpcboot.client.BroadcastReport;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Ports;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/** Calls while a registry has answered and names no instance that can be reached yet. */
@Timeout(120)
class LateRegistryIntegrationTests {

	/** Longer than these tests may take, so that a call that waits in vain fails them. */
	private static final Duration LONG = Duration.ofMinutes(10);

	private static final Duration SOON = Duration.ofSeconds(60);

	/** Calls of a reference that wait without a special reason. */
	private static final int MOST_WAITING = 32;

	private final CallsImpl implementation = new CallsImpl();

	private final LateRegistry registry = new LateRegistry();

	private final RpcServer server = RpcServer.builder()
		.port(0)
		.bindAddress("127.0.0.1")
		.service(Calls.class, this.implementation)
		.start();

	private final List<RpcClient> clients = new ArrayList<>();

	@AfterEach
	void stop() {
		this.clients.forEach(RpcClient::close);
		this.server.close();
	}

	private RpcClient client(RpcClientBuilder builder) {
		RpcClient client = builder.timeout(LONG).build();
		this.clients.add(client);
		return client;
	}

	/** A reference whose registry has answered that it knows no instance. */
	private Calls reference(Duration wait) {
		return reference(client(RpcClient.builder().registry(this.registry).waitForInstance(wait)));
	}

	private Calls reference(RpcClient client) {
		Calls calls = client.reference(Calls.class);
		Eventually.until("the registry has answered",
				() -> client.references().stream().allMatch((each) -> each.isResolved()));
		return calls;
	}

	private void name() {
		this.registry.name(this.server.port());
	}

	@Test
	void blockingCalls_wait_untilRegistryNamesInstance() {
		Calls calls = reference(LONG);
		CompletableFuture<String> result = CompletableFuture.supplyAsync(() -> calls.greet("Ann"),
				(task) -> new Thread(task, "test").start());
		Eventually.until("it waits", () -> waiting() == 1);
		name();
		assertThat(result).succeedsWithin(SOON).isEqualTo("hello Ann");
	}

	@Test
	void futures_wait_untilRegistryNamesInstance() {
		Calls calls = reference(LONG);
		List<CompletableFuture<String>> results = new ArrayList<>();
		for (int i = 0; i < MOST_WAITING / 2; i++) {
			results.add(calls.later("n"));
		}
		Eventually.until("they wait", () -> waiting() == MOST_WAITING / 2);
		name();
		results.forEach((result) -> assertThat(result).succeedsWithin(SOON).isEqualTo("later n"));
	}

	@Test
	void oneWayCalls_wait_untilRegistryNamesInstance() {
		Calls calls = reference(LONG);
		calls.notice("first");
		Eventually.until("it waits", () -> waiting() == 1);
		name();
		Eventually.until("it arrives", () -> this.implementation.noticed.contains("first"));
	}

	@Test
	void broadcast_waits_untilRegistryNamesInstance() {
		Calls calls = reference(LONG);
		CompletableFuture<Integer> instances = CompletableFuture.supplyAsync(
				() -> Broadcast.to(calls).call((each) -> each.greet("Ann")).replies().size(),
				(task) -> new Thread(task, "test").start());
		name();
		assertThat(instances).succeedsWithin(SOON).isEqualTo(1);
	}

	static Stream<Arguments> broadcasts() {
		return Stream.of(
				argumentSet("callLater", broadcast((all) -> all.callLater((each) -> each.greet("Ann"))), "hello Ann"),
				argumentSet("runLater", broadcast((all) -> all.runLater((each) -> each.notice("x"))), null),
				argumentSet("callFuture", broadcast((all) -> all.callFuture((each) -> each.later("Ann"))),
						"later Ann"));
	}

	private static <R> Function<Calls, CompletableFuture<List<R>>> broadcast(
			Function<Broadcast<Calls>, CompletableFuture<BroadcastReport<R>>> call) {
		return (calls) -> call.apply(Broadcast.to(calls)).thenApply(BroadcastReport::values);
	}

	@ParameterizedTest
	@MethodSource("broadcasts")
	void broadcastWithoutBlocking_waits_untilRegistryNamesInstance(
			Function<Calls, CompletableFuture<List<String>>> broadcast, String value) {
		CompletableFuture<List<String>> values = broadcast.apply(reference(LONG));
		assertThat(values).isNotDone();
		name();
		assertThat(values).succeedsWithin(SOON).asInstanceOf(LIST).containsExactly(value);
	}

	@ParameterizedTest
	@MethodSource("broadcasts")
	void broadcastWithoutBlocking_fails_afterWaitForInstance(
			Function<Calls, CompletableFuture<List<String>>> broadcast) {
		assertThat(broadcast.apply(reference(Duration.ofMillis(50)))).failsWithin(SOON)
			.withThrowableThat()
			.withCauseInstanceOf(RpcException.class)
			.withMessageContaining("no instance of it is known to a late registry");
	}

	@Test
	void broadcastWithoutBlocking_fails_whenClientClosesMeanwhile() {
		CompletableFuture<?> report = Broadcast.to(reference(LONG)).callLater((each) -> each.greet("Ann"));
		this.clients.get(0).close();
		assertThat(report).failsWithin(SOON).withThrowableThat().withMessageContaining("the client is closed");
	}

	@Test
	void cancelledBroadcast_callsNobody_whenRegistryNamesInstance() {
		Calls calls = reference(LONG);
		CompletableFuture<?> cancelled = Broadcast.to(calls).runLater((each) -> each.notice("cancelled"));
		CompletableFuture<?> kept = Broadcast.to(calls).runLater((each) -> each.notice("kept"));
		cancelled.cancel(false);
		name();
		assertThat(kept).succeedsWithin(SOON);
		Eventually.until("it arrives", () -> this.implementation.noticed.contains("kept"));
		assertThat(this.implementation.noticed).doesNotContain("cancelled");
	}

	@Test
	void call_waits_whenKnownInstanceRefusesAndNewOneIsNotNamed() throws IOException {
		this.registry.name(Ports.free());
		Calls calls = reference(LONG);
		Eventually.until("it refuses",
				() -> this.clients.get(0)
					.references()
					.stream()
					.allMatch((each) -> each.state().contains("BACKING_OFF")));
		CompletableFuture<String> result = calls.later("Ann");
		Eventually.until("it waits", () -> waiting() == 1);
		name();
		assertThat(result).succeedsWithin(SOON).isEqualTo("later Ann");
	}

	@Test
	void call_failsWithReason_afterWaitForInstance() {
		Calls calls = reference(Duration.ofMillis(50));
		RpcException failure = catchThrowableOfType(RpcException.class, () -> calls.greet("Ann"));
		assertThat(failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(failure).hasMessageContaining("no instance of it is known to a late registry")
			.hasMessageContaining("did not execute");
	}

	@Test
	void call_failsAtOnce_withoutWaitForInstance() {
		assertFailsAtOnce(reference(Duration.ZERO));
	}

	@Test
	void reference_overridesWaitOfClient() {
		RpcClient client = client(RpcClient.builder().registry(this.registry).waitForInstance(LONG));
		assertFailsAtOnce(
				client.reference(Calls.class, ReferenceOptions.defaults().withWaitForInstance(Duration.ZERO)));
	}

	@Test
	void call_failsAtOnce_whenFixedAddressRefuses() throws IOException {
		RpcClient client = client(RpcClient.builder().waitForInstance(LONG));
		assertFailsAtOnce(client.reference(Calls.class, ReferenceStates.at(Ports.free())));
	}

	@Test
	void call_failsAtOnce_whenRegistryNamesInstancesWithoutDelay() {
		try (InMemoryRegistry inMemory = new InMemoryRegistry()) {
			assertFailsAtOnce(reference(client(RpcClient.builder().registry(inMemory).waitForInstance(LONG))));
		}
	}

	@Test
	void call_waits_whenApplicationExpectsInstanceInRegistryWithoutDelay() {
		AtomicBoolean expected = new AtomicBoolean(true);
		Predicate<ServiceId> own = (service) -> expected.get() && service.name().equals(Calls.class.getName());
		try (InMemoryRegistry inMemory = new InMemoryRegistry()) {
			Calls calls = reference(
					client(RpcClient.builder().registry(inMemory).waitForInstance(LONG).expectedServices(own)));
			List<CompletableFuture<String>> results = new ArrayList<>();
			for (int i = 0; i < 4 * MOST_WAITING; i++) {
				results.add(calls.later("n"));
			}
			Eventually.until("all wait", () -> waiting() == results.size());
			inMemory.register(instance(this.server.port()));
			results.forEach((result) -> assertThat(result).succeedsWithin(SOON).isEqualTo("later n"));
			this.server.close();
			expected.set(false);
		}
	}

	/** A service that stays away must not take the threads and permits of the others. */
	@Test
	void fewCallsWaitAndOthersFailAtOnce_whenServiceStaysAway() {
		Calls calls = reference(LONG);
		List<CompletableFuture<String>> results = new ArrayList<>();
		for (int i = 0; i < 1000; i++) {
			results.add(calls.later("n"));
		}
		Eventually.until("the others have failed",
				() -> results.stream().filter(CompletableFuture::isDone).count() == 1000 - MOST_WAITING);
		assertThat(waiting()).isEqualTo(MOST_WAITING);
		name();
		Eventually.until("all have ended", () -> results.stream().allMatch(CompletableFuture::isDone));
		assertThat(results.stream().filter((result) -> !result.isCompletedExceptionally())).hasSize(MOST_WAITING);
	}

	@Test
	void call_failsAtOnce_whenRegistryIsClosed() {
		Calls calls = reference(LONG);
		this.registry.close();
		assertFailsAtOnce(calls);
	}

	@Test
	void call_fails_whenExpectationThrows() {
		RpcClient client = client(
				RpcClient.builder().registry(this.registry).waitForInstance(LONG).expectedServices((service) -> {
					throw new IllegalStateException("broken");
				}));
		assertFailsAtOnce(reference(client));
	}

	private static void assertFailsAtOnce(Calls calls) {
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.greet("Ann"))
			.withMessageContaining("did not execute")
			.extracting(RpcException::status)
			.isEqualTo(RpcStatus.UNAVAILABLE);
	}

	private int waiting() {
		return this.clients.get(0).references().stream().mapToInt((each) -> each.waitingCalls()).sum();
	}

	private static ServiceInstance instance(int port) {
		return new ServiceInstance("1", "app", new Endpoint("127.0.0.1", port), ServiceInstance.DEFAULT_WEIGHT, 0,
				Set.of(ServiceId.of(Calls.class)));
	}

	/**
	 * Names instances some time after they were registered, as a remote registry does.
	 */
	private static final class LateRegistry implements Registry {

		private final List<Consumer<List<ServiceInstance>>> listeners = new CopyOnWriteArrayList<>();

		private volatile List<ServiceInstance> named = List.of();

		private volatile RegistryState state = RegistryState.CONNECTED;

		void name(int port) {
			this.named = List.of(instance(port));
			this.listeners.forEach((each) -> each.accept(this.named));
		}

		@Override
		public Registration register(ServiceInstance instance) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
			this.listeners.add(listener);
			listener.accept(this.named);
			return () -> this.listeners.remove(listener);
		}

		@Override
		public RegistryState state() {
			return this.state;
		}

		@Override
		public boolean isLocal() {
			return true;
		}

		@Override
		public String description() {
			return "a late registry";
		}

		@Override
		public void close() {
			this.state = RegistryState.CLOSED;
		}

	}

}
