package io.rpcboot.engine.shutdown;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ShutdownReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** The end of a server when more than one asks for it, and who is told of it. */
@Timeout(60)
class GracefulShutdownIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(50);

	private final CallsImpl implementation = new CallsImpl();

	private RpcServer server;

	private RpcClient client;

	private Calls calls;

	@BeforeEach
	void start() {
		this.server = RpcServer.builder().port(0).service(Calls.class, this.implementation).build().start();
		this.client = RpcClient.builder().timeout(LONG).build();
		this.calls = this.client.reference(Calls.class, ReferenceStates.at(this.server));
		this.calls.nothing();
	}

	@AfterEach
	void stop() {
		this.implementation.gate.countDown();
		this.client.close();
		this.server.close();
	}

	private void hang() {
		new Thread(() -> this.calls.waitForGate("a")).start();
		Eventually.until("a call hangs", () -> this.server.inFlightCalls() == 1);
	}

	/** A shutdown that another thread runs, and is busy with. */
	private CompletableFuture<ShutdownReport> shutDown(AtomicReference<Thread> thread) {
		CompletableFuture<ShutdownReport> report = new CompletableFuture<>();
		Thread caller = new Thread(() -> report.complete(this.server.shutdown(LONG)));
		caller.start();
		thread.set(caller);
		Eventually.until("clients are told", () -> ReferenceStates.ready(this.client) == 0);
		return report;
	}

	@Test
	void close_cutsRunningShutdownAndWaitsForIt() throws Exception {
		hang();
		CompletableFuture<ShutdownReport> report = shutDown(new AtomicReference<>());
		this.server.close();
		assertThat(report.get(20, TimeUnit.SECONDS).cutCalls()).isEqualTo(1);
		assertThat(this.server.connections()).isEmpty();
	}

	@Test
	void secondShutdown_waitsForFirst_withLongerGracePeriod() throws Exception {
		hang();
		CompletableFuture<ShutdownReport> report = shutDown(new AtomicReference<>());
		CompletableFuture<ShutdownReport> second = new CompletableFuture<>();
		new Thread(() -> second.complete(this.server.shutdown(LONG.multipliedBy(2)))).start();
		this.implementation.gate.countDown();
		assertThat(second.get(20, TimeUnit.SECONDS).drainedCalls()).isZero();
		ShutdownReport first = report.get(20, TimeUnit.SECONDS);
		assertThat(first.drainedCalls()).isEqualTo(1);
		assertThat(first.cutCalls()).isZero();
	}

	/** Its calls are cut, and it does not turn in place until its time is over. */
	@Test
	void shutdown_cutsCalls_whenItsThreadIsInterrupted() throws Exception {
		hang();
		AtomicReference<Thread> thread = new AtomicReference<>();
		CompletableFuture<ShutdownReport> report = shutDown(thread);
		thread.get().interrupt();
		assertThat(report.get(20, TimeUnit.SECONDS).cutCalls()).isEqualTo(1);
	}

	/** An operator's call, for instance, while the process is told to end. */
	@Test
	void shutdownWithinCall_doesNotWaitForItself() throws Exception {
		CompletableFuture<ShutdownReport> report = new CompletableFuture<>();
		this.implementation.atGate = () -> this.server.shutdown(LONG);
		hang();
		new Thread(() -> report.complete(this.server.shutdown(LONG))).start();
		Eventually.until("clients are told", () -> ReferenceStates.ready(this.client) == 0);
		this.implementation.gate.countDown();
		assertThat(report.get(20, TimeUnit.SECONDS).cutCalls()).isZero();
	}

	@Test
	void server_closes_whenDeregistrationFails() {
		Registry registry = (Registry) failing(Registry.class, new InMemoryRegistry());
		RpcServer registered = RpcServer.builder()
			.port(0)
			.registry(registry)
			.bindAddress("127.0.0.1")
			.service(Calls.class, this.implementation)
			.build()
			.start();
		registered.close();
		try (RpcServer next = RpcServer.builder()
			.port(registered.port())
			.bindAddress("127.0.0.1")
			.service(Calls.class, this.implementation)
			.build()) {
			next.bind();
			assertThat(next.port()).isEqualTo(registered.port());
		}
	}

	/** Whose registrations cannot be closed. */
	private static Object failing(Class<?> type, Object target) {
		return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
			if (type == Registry.Registration.class && method.getName().equals("close")) {
				throw new IllegalStateException("on purpose");
			}
			Object result = method.invoke(target, arguments);
			return (result instanceof Registry.Registration) ? failing(Registry.Registration.class, result) : result;
		});
	}

	@Test
	void dependentOfDrain_mayBlock() throws Exception {
		CompletableFuture<ShutdownReport> report = this.server.drain("a test")
			.thenApply((told) -> this.server.shutdown(LONG));
		assertThat(report.get(20, TimeUnit.SECONDS).cutCalls()).isZero();
	}

}
