package io.rpcboot.engine.routing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.Ports;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.SilentRegistry;
import io.rpcboot.engine.fixture.peer.FakeServer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The only instance is away: for a moment, or for longer. */
@Timeout(60)
class WaitForInstanceIntegrationTests {

	/** From the end of a server to the port of its successor. */
	private static final Duration GAP = Duration.ofMillis(800);

	/** A successor that is later may be too late for a call that waits for a second. */
	private static final Duration LATE = Duration.ofMillis(870);

	private static final int MAX_ROUNDS = 8;

	private CallsImpl implementation = new CallsImpl();

	private final List<AutoCloseable> opened = new ArrayList<>();

	@AfterEach
	void stop() throws Exception {
		for (AutoCloseable one : this.opened) {
			one.close();
		}
	}

	private RpcServer serve(int port) {
		RpcServer server = RpcServer.builder().port(port).service(Calls.class, this.implementation).start();
		this.opened.add(server);
		return server;
	}

	private RpcClient build(RpcClientBuilder builder) {
		RpcClient client = builder.build();
		this.opened.add(0, client);
		return client;
	}

	/** Blocking, asynchronous and one-way calls of several references. */
	@Test
	void calls_succeed_whenOnlyInstanceRestarts() throws Exception {
		int rounds = 1;
		while (!restart()) {
			assertThat(rounds++).as("restarts that took longer than a call waits").isLessThan(MAX_ROUNDS);
		}
	}

	/** Whether the successor was there in time; on a busy machine it may be late. */
	private boolean restart() throws Exception {
		this.implementation = new CallsImpl();
		RpcServer before = serve(0);
		RpcClient client = build(RpcClient.builder().timeout(Duration.ofSeconds(10)));
		Calls first = client.reference(Calls.class, ReferenceStates.at(before));
		Calls second = client.reference(Calls.class, ReferenceStates.at(before));
		AtomicLong noticed = new AtomicLong();
		try (Load load = new Load(6, (number) -> call((number % 2 == 0) ? first : second, number, noticed))) {
			load.awaitMore(200);
			long start = System.nanoTime();
			before.shutdown(Duration.ofSeconds(5));
			LockSupport.parkNanos(GAP.toNanos());
			serve(before.port());
			if (System.nanoTime() - start > LATE.toNanos()) {
				return false;
			}
			load.awaitMore(200);
			load.stop();
			assertThat(load.failures()).isEmpty();
		}
		Eventually.until("every one-way call arrives", () -> this.implementation.noticed.size() == noticed.get());
		return true;
	}

	private static void call(Calls calls, long number, AtomicLong noticed) throws Exception {
		switch ((int) (number % 3)) {
			case 0 -> assertThat(calls.greet("n" + number)).isEqualTo("hello n" + number);
			case 1 -> assertThat(calls.later("n" + number).get(20, TimeUnit.SECONDS)).isEqualTo("later n" + number);
			default -> {
				noticed.incrementAndGet();
				calls.notice("n" + number);
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			}
		}
	}

	/** With when-full=queue those that wait for room fail as soon as they have it. */
	@ParameterizedTest
	@EnumSource(OverflowPolicy.class)
	void calls_failAtOnceThenReconnect_whenConnectionIsRefused(OverflowPolicy whenFull) throws Exception {
		int port = Ports.free();
		RpcClient client = build(RpcClient.builder()
			.timeout(Duration.ofSeconds(60))
			.waitForInstance(Duration.ofSeconds(60))
			.whenFull(whenFull)
			.maxPendingCalls(4)
			.backoff(Duration.ofSeconds(60), Duration.ofSeconds(60)));
		Calls calls = client.reference(Calls.class, ReferenceStates.at(port));
		RpcException thrown = catchThrowableOfType(RpcException.class, () -> calls.greet("x"));
		assertThat(thrown.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(thrown.mayHaveExecuted()).isFalse();
		assertThat(thrown.getStackTrace()).as("that of the caller")
			.anyMatch((frame) -> frame.getClassName().equals(WaitForInstanceIntegrationTests.class.getName()));
		assertThat(thrown).hasMessageContaining("no instance takes calls: 127.0.0.1:" + port + " is BACKING_OFF");
		List<CompletableFuture<String>> futures = new ArrayList<>();
		for (int i = 0; i < 7 && whenFull != OverflowPolicy.FAIL; i++) { // four of them
																			// have
			// room
			futures.add(calls.later("x"));
		}
		for (CompletableFuture<String> future : futures) {
			assertThat(future.handle((result, failure) -> failure).get(20, TimeUnit.SECONDS)).isInstanceOfSatisfying(
					RpcException.class, (ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE));
		}
		calls.notice("lost");
		serve(port);
		Eventually.until("a call has the server found, long before the backoff is over", () -> answers(calls));
		Eventually.until("no call is pending", () -> client.pendingCalls() == 0);
	}

	private static boolean answers(Calls calls) {
		try {
			return calls.greet("y").equals("hello y");
		}
		catch (RpcException ex) {
			assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
			return false;
		}
	}

	/** The server accepts and says nothing, so the attempt has no outcome. */
	@Test
	void call_failsAfterWaitForInstance_whenServerIsSilent() throws Exception {
		try (FakeServer fake = new FakeServer(new byte[0])) {
			RpcClient client = build(
					RpcClient.builder().timeout(Duration.ofSeconds(60)).waitForInstance(Duration.ofMillis(100)));
			Calls calls = client.reference(Calls.class, ReferenceStates.at(fake.port()));
			long before = System.nanoTime();
			RpcException thrown = catchThrowableOfType(RpcException.class, () -> calls.greet("x"));
			assertThat(thrown.status()).isEqualTo(RpcStatus.UNAVAILABLE);
			assertThat(thrown).hasMessageContaining("is CONNECTING");
			assertThat(Duration.ofNanos(System.nanoTime() - before)).isBetween(Duration.ofMillis(100),
					Duration.ofSeconds(20));
			assertThat(fake.accepted()).as("one attempt, which is under way").isEqualTo(1);
		}
	}

	@Test
	void reference_overridesWaitForInstance() {
		RpcClient client = build(RpcClient.builder()
			.registry(new SilentRegistry())
			.timeout(Duration.ofSeconds(60))
			.waitForInstance(Duration.ofSeconds(60)));
		Calls calls = client.reference(Calls.class, ReferenceOptions.defaults().withWaitForInstance(Duration.ZERO));
		RpcException thrown = catchThrowableOfType(RpcException.class, () -> calls.greet("x"));
		assertThat(thrown.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(thrown).hasMessageContaining("no instance of it is known to silence; the registry is CONNECTING");
	}

}
