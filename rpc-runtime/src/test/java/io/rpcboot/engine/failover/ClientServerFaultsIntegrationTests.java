package io.rpcboot.engine.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.Ports;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.SilentRegistry;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.transport.Transport;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.SocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.NonBlocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Servers that are late, away or restarted; clients that are closed. */
class ClientServerFaultsIntegrationTests {

	/** The common pool may have one thread only. */
	private static final Executor NEW_THREAD = (task) -> new Thread(task).start();

	private final CallsImpl implementation = new CallsImpl();

	private final List<AutoCloseable> opened = new ArrayList<>();

	@AfterEach
	void stop() throws Exception {
		this.implementation.gate.countDown();
		for (AutoCloseable one : this.opened) {
			one.close();
		}
	}

	private RpcServer serve(int port) {
		RpcServer server = RpcServer.builder().port(port).service(Calls.class, this.implementation).build().start();
		this.opened.add(server);
		return server;
	}

	private RpcClient build(RpcClientBuilder builder) {
		RpcClient client = builder.build();
		this.opened.add(0, client);
		return client;
	}

	@Test
	void call_waits_untilServerStarts() throws Exception {
		SilentRegistry registry = new SilentRegistry();
		RpcClient client = build(RpcClient.builder()
			.registry(registry)
			.timeout(Duration.ofSeconds(20))
			.waitForInstance(Duration.ofSeconds(20)));
		Calls calls = client.reference(Calls.class);
		CompletableFuture<byte[]> early = calls.echoLater(new byte[] { 1 });
		calls.notice("early");
		CompletableFuture<String> blocking = CompletableFuture.supplyAsync(() -> calls.greet("early"));
		Eventually.until("they wait", () -> client.references().get(0).waitingCalls() == 3);
		assertThat(early).isNotDone();
		registry.speak(serve(0));
		assertThat(early.get(20, TimeUnit.SECONDS)).containsExactly((byte) 1);
		assertThat(blocking.get(20, TimeUnit.SECONDS)).isEqualTo("hello early");
		assertThat(this.implementation.noticed.poll(20, TimeUnit.SECONDS)).isEqualTo("early");
		assertThat(client.references().get(0).waitingCalls()).isZero();
	}

	@Test
	void call_failsAtOnce_withoutKnownInstance() {
		Registry registry = new InMemoryRegistry();
		this.opened.add(registry);
		RpcClient client = build(RpcClient.builder()
			.registry(registry)
			.timeout(Duration.ofSeconds(60))
			.waitForInstance(Duration.ofSeconds(60)));
		Calls calls = client.reference(Calls.class);
		long before = System.nanoTime();
		RpcException thrown = catchThrowableOfType(RpcException.class, () -> calls.greet("x"));
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
		assertThat(thrown.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(thrown.mayHaveExecuted()).isFalse();
		assertThat(thrown).hasMessageContaining(Calls.class.getName())
			.hasMessageContaining("no instance of it is known to the in-memory registry")
			.hasMessageContaining("did not execute");
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> calls.later("x").get(20, TimeUnit.SECONDS))
			.havingCause()
			.isInstanceOf(RpcException.class)
			.withMessageContaining("no instance of it is known to the in-memory registry");
		calls.notice("x");
		Eventually.until("no call is pending", () -> client.pendingCalls() == 0);
	}

	@Test
	void unreachableEndpoint_isRetriedWithBackoffAndLoggedOnce() throws Exception {
		int port = Ports.free();
		try (LogRecorder log = new LogRecorder("rpc.client")) {
			RpcClient client = build(RpcClient.builder()
				.timeout(Duration.ofSeconds(20))
				.backoff(Duration.ofMillis(20), Duration.ofSeconds(1)));
			Calls calls = client.reference(Calls.class, ReferenceStates.at(port));
			Eventually.until("the failure names the backoff", () -> {
				RpcException thrown = catchThrowableOfType(RpcException.class, () -> calls.greet("x"));
				assertThat(thrown.status()).isEqualTo(RpcStatus.UNAVAILABLE);
				assertThat(thrown).hasMessageContaining("127.0.0.1:" + port);
				return thrown.getMessage().contains("BACKING_OFF") && thrown.getMessage().contains("cannot connect");
			});
			Eventually.until("it backs off",
					() -> ReferenceStates.instances(client)
						.stream()
						.allMatch((instance) -> instance.state() == ReferenceInfo.State.BACKING_OFF));
			assertThat(log.messages()).as("one line, not one for each attempt").hasSize(1);
		}
	}

	@Test
	void calls_wait_whileServerRestarts() throws Exception {
		RpcServer before = serve(0);
		int port = before.port();
		RpcClient client = build(RpcClient.builder()
			.timeout(Duration.ofSeconds(20))
			.waitForInstance(Duration.ofSeconds(20))
			.backoff(Duration.ofMillis(20), Duration.ofMillis(200)));
		Calls calls = client.reference(Calls.class, ReferenceStates.at(port));
		try (Load load = new Load(4, (number) -> assertThat(calls.greet("n" + number)).isEqualTo("hello n" + number))) {
			load.awaitMore(100);
			before.shutdown(Duration.ofSeconds(5));
			Eventually.until("calls wait", () -> client.references().get(0).waitingCalls() == 4);
			serve(port);
			load.awaitMore(100);
			load.stop();
			assertThat(load.failures()).isEmpty();
		}
		assertThat(ReferenceStates.ready(client)).isEqualTo(1);
	}

	@Test
	void client_endsAllCalls_whenClosed() throws Exception {
		RpcServer server = serve(0);
		RpcClient client = build(RpcClient.builder()
			.registry(new SilentRegistry())
			.timeout(Duration.ofSeconds(60))
			.waitForInstance(Duration.ofSeconds(60)));
		Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
		Calls nowhere = client.reference(Calls.class);
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			futures.add(calls.laterAtGate("n" + i));
			futures.add(nowhere.laterAtGate("n" + i));
		}
		futures.add(CompletableFuture.supplyAsync(() -> calls.waitForGate("x"), NEW_THREAD));
		futures.add(CompletableFuture.supplyAsync(() -> nowhere.waitForGate("x"), NEW_THREAD));
		Eventually.until("they run", () -> this.implementation.futures.size() == 100 && client.pendingCalls() == 202);
		client.close();
		for (CompletableFuture<?> future : futures) {
			Throwable cause = catchThrowableOfType(ExecutionException.class, () -> future.get(10, TimeUnit.SECONDS))
				.getCause();
			assertThat(cause).isInstanceOfSatisfying(RpcException.class,
					(ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE));
		}
		Eventually.until("no call is pending", () -> client.pendingCalls() == 0);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.greet("late"))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE));
		Eventually.until("the server lets go", () -> server.connections().size() == 0);
		this.implementation.futures.forEach((future) -> future.complete("late"));
		this.implementation.gate.countDown();
		Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
	}

	@Test
	void calls_end_whenMadeDuringClientClose() throws Exception {
		RpcServer server = serve(0);
		for (int round = 0; round < (Load.LONG ? 10 : 1); round++) {
			RpcClient client = build(RpcClient.builder().timeout(Duration.ofSeconds(60)));
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			calls.greet("warm");
			List<CompletableFuture<byte[]>> futures = Collections.synchronizedList(new ArrayList<>());
			try (Load load = new Load(2, (number) -> futures.add(calls.echoLater(new byte[1])))) {
				load.awaitMore(50);
				client.close();
				load.awaitMore(10);
			}
			for (CompletableFuture<byte[]> future : futures) {
				future.handle((result, failure) -> true).get(10, TimeUnit.SECONDS);
			}
			Eventually.until("no call is pending", () -> client.pendingCalls() == 0);
		}
	}

	@Test
	void endpoint_hasOneConnection_withSeveralRegistrations() throws Exception {
		RpcServer server = serve(0);
		Registry registry = new InMemoryRegistry();
		this.opened.add(registry);
		Set<ServiceId> services = Set.of(ServiceId.of(Calls.class));
		registry.register(new ServiceInstance("a", "app", new Endpoint("127.0.0.1", server.port()), 100, 0, services));
		RpcClient client = build(RpcClient.builder().registry(registry));
		Calls calls = client.reference(Calls.class);
		assertThat(calls.greet("x")).isEqualTo("hello x");
		for (int i = 1; i <= 20; i++) {
			registry.register(new ServiceInstance("b" + i, "app", new Endpoint("127.0.0.1", server.port()), 100 + i, i,
					services));
			String id = "b" + i;
			Eventually.until("update arrives",
					() -> ReferenceStates.instances(client).stream().anyMatch((instance) -> instance.id().equals(id)));
			assertThat(calls.greet("x")).isEqualTo("hello x");
		}
		assertThat(server.connections()).hasSize(1);
		assertThat(ReferenceStates.instances(client)).singleElement()
			.satisfies((instance) -> assertThat(instance.connections()).isEqualTo(1));
	}

	@Test
	void references_shareConnection() {
		RpcServer server = serve(0);
		RpcClient client = build(RpcClient.builder());
		for (int i = 0; i < 10; i++) {
			assertThat(client.reference(Calls.class, ReferenceStates.at(server)).greet("x")).isEqualTo("hello x");
		}
		assertThat(server.connections()).hasSize(1);
	}

	@Test
	void blockingCall_failsAtOnce_onEventLoop() throws Exception {
		RpcServer server = serve(0);
		RpcClient client = build(RpcClient.builder().timeout(Duration.ofSeconds(20)));
		Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
		calls.greet("warm");
		try (Transport other = new Transport("other", EventLoopOptions.defaults(), SocketOptions.defaults(),
				Duration.ZERO, RpcMetrics.none().transport(Side.CLIENT))) {
			long before = System.nanoTime();
			ExecutionException thrown = catchThrowableOfType(ExecutionException.class,
					() -> other.anyLoop().submit(() -> calls.greet("x")).get(10, TimeUnit.SECONDS));
			assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
			assertThat(thrown.getCause()).isInstanceOf(RpcException.class)
				.hasMessageContaining("Calls.greet")
				.hasMessageContaining("a blocking call on thread other-loop-1, which is an event loop");
			CompletableFuture<byte[]> future = other.anyLoop()
				.submit(() -> calls.echoLater(new byte[] { 1 }))
				.get(10, TimeUnit.SECONDS);
			assertThat(future.get(10, TimeUnit.SECONDS)).containsExactly((byte) 1);
		}
	}

	@Test
	void blockingCall_fails_onForeignNonBlockingThread() throws Exception {
		RpcServer server = serve(0);
		RpcClient client = build(RpcClient.builder().timeout(Duration.ofSeconds(20)));
		Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
		ThreadFactory foreign = (task) -> new FastThreadLocalThread(task, "foreign-loop");
		assertThat(greetOn(calls, new MultiThreadIoEventLoopGroup(1, foreign, LocalIoHandler.newFactory())))
			.endsWith(": INTERNAL: a blocking call on thread foreign-loop, which is an event loop and must not wait;"
					+ " call from another thread or let the method return a CompletableFuture; it did not execute");
		assertThat(greetOn(calls, Executors.newSingleThreadExecutor(ReactorThread::new))).contains(
				"a blocking call on thread parallel-1, which is a non-blocking thread of Reactor and must not wait;");
		assertThat(greetOn(calls, new DefaultEventExecutorGroup(1))).isEqualTo("hello x");
	}

	/** The result, or the message of the failure. */
	private static String greetOn(Calls calls, ExecutorService threads) throws Exception {
		try {
			return threads.submit(() -> calls.greet("x")).get(20, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			return String.valueOf(ex.getCause().getMessage());
		}
		finally {
			threads.shutdown();
		}
	}

	/** As Reactor's own: no thread of Netty. */
	private static final class ReactorThread extends Thread implements NonBlocking {

		ReactorThread(Runnable task) {
			super(task, "parallel-1");
		}

	}

}
