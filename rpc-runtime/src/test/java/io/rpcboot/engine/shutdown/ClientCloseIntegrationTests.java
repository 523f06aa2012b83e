package io.rpcboot.engine.shutdown;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.SilentRegistry;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.Registry.Subscription;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Tests the calls of a client that is closed. */
@Timeout(60)
class ClientCloseIntegrationTests {

	/** The common pool may have one thread only, and these tasks wait for each other. */
	private static final Executor OWN_THREAD = (task) -> new Thread(task, "test").start();

	private final CallsImpl implementation = new CallsImpl();

	private final RpcServer server = RpcServer.builder()
		.port(0)
		.bindAddress("127.0.0.1")
		.service(Calls.class, this.implementation)
		.start();

	@AfterEach
	void stop() {
		this.implementation.gate.countDown();
		this.server.close();
	}

	private static RpcClientBuilder builder(Duration gracePeriod) {
		return RpcClient.builder()
			.timeout(Duration.ofSeconds(40))
			.waitForInstance(Duration.ofSeconds(20))
			.gracePeriod(gracePeriod);
	}

	private static RpcClient client(Duration gracePeriod) {
		return builder(gracePeriod).build();
	}

	private CompletableFuture<String> blockingCallAtGate(Calls calls) {
		CompletableFuture<String> result = CompletableFuture.supplyAsync(() -> calls.waitForGate("blocking"),
				OWN_THREAD);
		Eventually.until("it has begun", () -> !this.implementation.entered.isEmpty());
		return result;
	}

	@Test
	void sentCalls_completeAndNewCallsAreRefused_duringGracePeriod() throws Exception {
		RpcClient client = client(Duration.ofSeconds(30));
		Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
		CompletableFuture<String> blocking = blockingCallAtGate(calls);
		CompletableFuture<String> later = calls.laterAtGate("later");
		Eventually.until("it has begun", () -> !this.implementation.futures.isEmpty());
		CompletableFuture<Void> closing = CompletableFuture.runAsync(client::close, OWN_THREAD);
		Eventually.until("no call is taken any more", () -> isRefused(calls));
		assertThat(closing).isNotDone();
		this.implementation.futures.element().complete("after all");
		assertThat(later.get(20, TimeUnit.SECONDS)).isEqualTo("after all");
		assertThat(closing).isNotDone();
		this.implementation.gate.countDown();
		assertThat(blocking.get(20, TimeUnit.SECONDS)).isEqualTo("passed blocking");
		closing.get(20, TimeUnit.SECONDS);
		assertThat(client.pendingCalls()).isZero();
	}

	private static boolean isRefused(Calls calls) {
		try {
			calls.add(1, 2);
			return false;
		}
		catch (RpcException ex) {
			assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE);
			assertThat(ex).hasMessageContaining("the client is closed").hasMessageContaining("did not execute");
			return true;
		}
	}

	/** Among them some that are on their way to a queue in this moment. */
	@Test
	void futures_end_whenClientCloses() {
		for (int round = 0; round < 20; round++) {
			RpcClient client = builder(Duration.ZERO).whenFull(OverflowPolicy.QUEUE).build();
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
			assertThat(calls.add(1, 2)).isEqualTo(3);
			List<CompletableFuture<String>> futures = new ArrayList<>();
			for (int i = 0; i < 4200; i++) {
				futures.add(calls.laterAtGate("x"));
			}
			client.close();
			futures.forEach((future) -> assertThat(future).failsWithin(Duration.ofSeconds(20)));
		}
	}

	@Test
	void calls_areCut_afterGracePeriod() {
		RpcClient client = client(Duration.ofMillis(200));
		Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
		CompletableFuture<String> blocking = blockingCallAtGate(calls);
		client.close();
		assertThat(blocking).failsWithin(Duration.ofSeconds(20))
			.withThrowableOfType(ExecutionException.class)
			.withMessageContaining("UNAVAILABLE")
			.withMessageContaining("may have executed");
	}

	@Test
	void calls_areCut_withoutGracePeriod() {
		RpcClient client = client(Duration.ZERO);
		Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
		CompletableFuture<String> blocking = blockingCallAtGate(calls);
		client.close();
		assertThat(blocking).failsWithin(Duration.ofSeconds(20));
		client.close();
	}

	/** Their registry never answers. */
	@Test
	void callsWaitingForInstance_failAtOnce_whenClientCloses() {
		RpcClient client = RpcClient.builder()
			.timeout(Duration.ofSeconds(40))
			.waitForInstance(Duration.ofSeconds(20))
			.gracePeriod(Duration.ofMinutes(10))
			.registry(new SilentRegistry())
			.build();
		Calls nowhere = client.reference(Calls.class);
		CompletableFuture<String> waiting = nowhere.later("x");
		client.close();
		RpcException failure = (RpcException) catchThrowableOfType(ExecutionException.class, waiting::get).getCause();
		assertThat(failure).hasMessageContaining("the client is closed").hasMessageContaining("did not execute");
	}

	@Test
	void oneWayCalls_areWritten_beforeClientCloses() {
		for (int round = 0; round < 20; round++) {
			RpcClient client = client(Duration.ofSeconds(20));
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
			assertThat(calls.add(1, 2)).isEqualTo(3);
			calls.notice("last words");
			client.close();
		}
		Eventually.until("all have arrived", () -> this.implementation.noticed.size() == 20);
	}

	@Test
	void negativeGracePeriod_isRefused() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> RpcClient.builder().gracePeriod(Duration.ofMillis(-1)))
			.withMessageContaining("shutdown.grace-period");
	}

	/** Knows nothing but who subscribes. */
	private static Registry registry(Callable<Subscription> subscribed) {
		return (Registry) Proxy.newProxyInstance(ClientCloseIntegrationTests.class.getClassLoader(),
				new Class<?>[] { Registry.class },
				(proxy, method, arguments) -> method.getName().equals("subscribe") ? subscribed.call() : null);
	}

	@Test
	void reference_isRefused_whenClientClosesDuringItsCreation() {
		AtomicReference<RpcClient> closing = new AtomicReference<>();
		AtomicInteger ended = new AtomicInteger();
		RpcClient client = RpcClient.builder().registry(registry(() -> {
			CompletableFuture.runAsync(closing.get()::close, OWN_THREAD).get(20, TimeUnit.SECONDS);
			return ended::incrementAndGet;
		})).build();
		closing.set(client);
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> client.reference(Calls.class, ReferenceOptions.defaults()))
			.withMessage("the client is closed");
		assertThat(ended).hasValue(1);
	}

	@Test
	void failingUnsubscribe_doesNotBlockClose() {
		RpcClient client = RpcClient.builder().registry(registry(() -> () -> {
			throw new IllegalStateException("broken");
		})).build();
		client.reference(Calls.class, ReferenceOptions.defaults());
		Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
		assertThat(calls.add(1, 2)).isEqualTo(3);
		client.close();
		assertThat(client.connections()).isEmpty();
		assertThat(isRefused(calls)).isTrue();
	}

}
