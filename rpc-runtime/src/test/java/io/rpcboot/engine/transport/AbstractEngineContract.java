package io.rpcboot.engine.transport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.RefusedException;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Contract of every transport and protocol. */
abstract class AbstractEngineContract {

	private final CallsImpl implementation = new CallsImpl();

	private RpcServer server;

	private RpcClient client;

	private Calls calls;

	abstract EventLoopOptions.Transport transport();

	Protocol protocol() {
		return Protocol.NATIVE;
	}

	/** Returns TLS of both sides, null for clear text. */
	@Nullable TlsOptions tls() {
		return null;
	}

	@BeforeEach
	void start() {
		this.server = server().build();
		this.server.start();
		this.client = client().build();
		this.calls = this.client.reference(Calls.class, at(this.server));
		// the first handshake of a JVM takes seconds on a busy machine
		Eventually.until("the client is connected", () -> ReferenceStates.ready(this.client) == 1);
	}

	/** Returns what is expected of the protocol. */
	private <T> T by(T ofNative, T ofGrpc) {
		return (protocol() == Protocol.GRPC) ? ofGrpc : ofNative;
	}

	private EventLoopOptions eventLoop() {
		return EventLoopOptions.defaults().withTransport(transport()).withThreads(2);
	}

	private RpcServerBuilder server() {
		RpcServerBuilder server = RpcServer.builder()
			.port(0)
			.protocols(protocol())
			.maxFrameSize(64 * 1024)
			.eventLoop(eventLoop())
			.service(Calls.class, this.implementation);
		TlsOptions tls = tls();
		return (tls != null) ? server.tls(tls.withClientAuth(TlsOptions.ClientAuth.NEED)) : server;
	}

	private RpcClientBuilder client() {
		RpcClientBuilder client = RpcClient.builder()
			.protocol(protocol())
			.waitForInstance(Duration.ofSeconds(20))
			.maxFrameSize(64 * 1024)
			.eventLoop(eventLoop());
		TlsOptions tls = tls();
		return (tls != null) ? client.tls(tls) : client;
	}

	/** Returns how clients find a server. */
	ReferenceOptions at(RpcServer called) {
		return ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", called.port()));
	}

	/** Returns a part of the message of a call whose time is over. */
	String timedOut() {
		return "no reply within the timeout of 1 s; it may have executed";
	}

	/** Returns the port at which clients call the server. */
	int calledPort() {
		return this.server.port();
	}

	@AfterEach
	void stop() {
		this.implementation.gate.countDown();
		Eventually.until("no call is in flight", () -> this.server.inFlightCalls() == 0);
		Eventually.until("no call is pending", () -> this.client.pendingCalls() == 0);
		this.client.close();
		this.server.close();
	}

	@Test
	void blockingCalls_returnResults() {
		assertThat(this.calls.greet("Doug")).isEqualTo("hello Doug");
		assertThat(this.calls.greet(null)).isEqualTo("hello null");
		assertThat(this.calls.add(Integer.MAX_VALUE, 1)).isEqualTo(Integer.MIN_VALUE);
		assertThat(this.calls.reverse(List.of("a", "b", "c"))).containsExactly("c", "b", "a");
		assertThat(this.calls.echo(new byte[0])).isEmpty();
		assertThat(this.calls.echo(null)).isNull();
		this.calls.nothing();
		assertThat(this.implementation.executed).hasValue(6);
	}

	@Test
	void bodiesOfAllSizes_arriveIntact() {
		for (int size : new int[] { 1, 127, 128, 1023, 1024, 16 * 1024 - 8, 16 * 1024, 16 * 1024 + 8, 60_000 }) {
			byte[] bytes = new byte[size];
			bytes[0] = 1;
			bytes[size - 1] = 2;
			assertThat(this.calls.echo(bytes)).as("size %d", size).isEqualTo(bytes);
		}
	}

	@Test
	void futures_completeWithTheirResults() throws Exception {
		assertThat(this.calls.later("Doug").get(20, TimeUnit.SECONDS)).isEqualTo("later Doug");
		List<CompletableFuture<byte[]>> futures = new ArrayList<>();
		for (int i = 0; i < 1000; i++) {
			futures.add(this.calls.echoLater(new byte[] { (byte) i }));
		}
		for (int i = 0; i < 1000; i++) {
			assertThat(futures.get(i).get(20, TimeUnit.SECONDS)).containsExactly((byte) i);
		}
	}

	@Test
	void futures_completeOffEventLoop() throws Exception {
		AtomicReference<String> thread = new AtomicReference<>();
		this.calls.laterAtGate("x").thenRun(() -> thread.set(Thread.currentThread().getName()));
		this.implementation.futures.take().complete("done");
		Eventually.until("the future is complete", () -> thread.get() != null);
		assertThat(thread.get()).startsWith("rpc-callback-");
	}

	@Test
	void blockingCall_succeeds_withinCallback() throws Exception {
		String answer = this.calls.later("Doug")
			.thenApply((first) -> this.calls.greet(first))
			.get(20, TimeUnit.SECONDS);
		assertThat(answer).isEqualTo("hello later Doug");
	}

	@Test
	void oneWayCalls_arrive() throws Exception {
		for (int i = 0; i < 100; i++) {
			this.calls.notice("n" + i);
		}
		List<String> words = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			words.add(this.implementation.noticed.poll(20, TimeUnit.SECONDS));
		}
		assertThat(words).contains("n0", "n99").doesNotContainNull();
	}

	@Test
	void declaredException_arrivesAsItself() {
		RefusedException refused = catchThrowableOfType(RefusedException.class, () -> this.calls.refuse("too late"));
		assertThat(refused).hasMessage("too late");
		assertThat(refused.code()).isEqualTo(42);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> this.calls.refuseLater("no").get())
			.withCauseInstanceOf(RefusedException.class)
			.withMessageContaining("no");
	}

	@Test
	void undeclaredException_isReportedWithoutMessage() {
		RpcException thrown = catchThrowableOfType(RpcException.class, () -> this.calls.breakDown("no more paper"));
		assertThat(thrown.status()).isEqualTo(RpcStatus.APPLICATION);
		assertThat(thrown.remoteType()).isEqualTo("java.lang.IllegalStateException");
		assertThat(thrown.mayHaveExecuted()).isTrue();
		assertThat(thrown).hasMessageContaining("Calls.breakDown(java.lang.String) at 127.0.0.1:" + calledPort())
			.hasMessageContaining("expose-exceptions")
			.hasMessageNotContaining("no more paper");
	}

	@Test
	void timeout_isExplainedInFailure() {
		assertThat(this.calls.greet("before")).isEqualTo("hello before");
		RpcException thrown = catchThrowableOfType(RpcException.class, () -> this.calls.waitForGateBriefly("x"));
		assertThat(thrown.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
		assertThat(thrown.mayHaveExecuted()).isTrue();
		assertThat(thrown).hasMessageContaining(timedOut());
		assertThat(this.calls.greet("after")).isEqualTo("hello after");
	}

	@Test
	void future_failsAtDeadline() {
		Calls hasty = this.client.reference(Calls.class, at(this.server).withTimeout(Duration.ofMillis(100)));
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> hasty.laterAtGate("x").get(20, TimeUnit.SECONDS))
			.havingCause()
			.isInstanceOfSatisfying(RpcException.class,
					(ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
	}

	@Test
	void cancellation_reachesServer() throws Exception {
		CompletableFuture<String> answer = this.calls.laterAtGate("x");
		CompletableFuture<String> running = this.implementation.futures.poll(20, TimeUnit.SECONDS);
		assertThat(answer.cancel(true)).isTrue();
		assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> running.get(20, TimeUnit.SECONDS));
	}

	@Test
	void interruptedCaller_stopsWaiting() throws Exception {
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Future<RpcException> outcome = executor.submit(() -> {
				RpcException thrown = catchThrowableOfType(RpcException.class, () -> this.calls.waitForGate("x"));
				assertThat(Thread.interrupted()).isTrue();
				return thrown;
			});
			this.implementation.entered.poll(20, TimeUnit.SECONDS);
			executor.shutdownNow();
			assertThat(outcome.get(20, TimeUnit.SECONDS).status()).isEqualTo(RpcStatus.CANCELLED);
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void argumentsBeyondClientLimit_areRefused_beforeSending() {
		RpcException thrown = catchThrowableOfType(RpcException.class, () -> this.calls.echo(new byte[64 * 1024]));
		assertThat(thrown.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT);
		assertThat(thrown.mayHaveExecuted()).isFalse();
		assertThat(thrown).hasMessageContaining("max-frame-size").hasMessageContaining("65536");
		assertThat(this.implementation.executed).hasValue(0);
		assertThat(this.calls.greet("after")).isEqualTo("hello after");
	}

	@Test
	void argumentsBeyondServerLimit_areRefused() {
		try (RpcClient generous = client().maxFrameSize(8 * 1024 * 1024).build()) {
			Calls other = generous.reference(Calls.class, at(this.server));
			RpcException thrown = catchThrowableOfType(RpcException.class, () -> other.echo(new byte[100_000]));
			assertThat(thrown.status()).isEqualTo(by(RpcStatus.INVALID_ARGUMENT, RpcStatus.RESOURCE_EXHAUSTED));
			assertThat(thrown.mayHaveExecuted()).isFalse();
			assertThat(thrown).hasMessageContaining(by("the server accepts at most 65536", "at most 65536"));
			assertThat(other.greet("after")).isEqualTo("hello after");
			assertThat(this.implementation.executed).hasValue(1);
		}
	}

	@Test
	void resultBeyondServerLimit_failsOnlyItsCall() {
		RpcException thrown = catchThrowableOfType(RpcException.class, () -> this.calls.grow(64 * 1024));
		assertThat(thrown.status()).isEqualTo(RpcStatus.INTERNAL);
		assertThat(thrown.mayHaveExecuted()).isTrue();
		assertThat(thrown).hasMessageContaining("rpc.server.max-frame-size: the result takes more than")
			.hasMessageEndingWith("; it executed");
		assertThat(this.calls.greet("after")).isEqualTo("hello after");
	}

	@Test
	void resultBeyondClientLimit_failsOnlyItsCall() {
		try (RpcClient small = client().maxFrameSize(2048).build()) {
			Calls other = small.reference(Calls.class, at(this.server));
			RpcException thrown = catchThrowableOfType(RpcException.class, () -> other.grow(10_000));
			assertThat(thrown.status()).isEqualTo(by(RpcStatus.INTERNAL, RpcStatus.RESOURCE_EXHAUSTED));
			assertThat(other.greet("after")).isEqualTo("hello after");
		}
	}

	@Test
	void blockedCall_delaysNoOtherCall() throws Exception {
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Future<String> blocked = executor.submit(() -> this.calls.waitForGate("x"));
			assertThat(this.implementation.entered.poll(20, TimeUnit.SECONDS)).isEqualTo("x");
			assertThat(this.calls.greet("other")).isEqualTo("hello other");
			this.implementation.gate.countDown();
			assertThat(blocked.get(20, TimeUnit.SECONDS)).isEqualTo("passed x");
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void pendingCalls_areBounded() throws Exception {
		try (RpcClient narrow = client().maxPendingCalls(2).whenFull(OverflowPolicy.FAIL).build()) {
			Calls other = narrow.reference(Calls.class, at(this.server));
			CompletableFuture<String> first = other.laterAtGate("1");
			CompletableFuture<String> second = other.laterAtGate("2");
			assertThat(other.laterAtGate("3")).failsWithin(Duration.ZERO)
				.withThrowableThat()
				.havingCause()
				.isInstanceOfSatisfying(RpcException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("max-pending-calls: 2 calls are pending already");
					assertThat(ex.status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
				});
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> other.waitForGateBriefly("4"))
				.withMessageContaining("max-pending-calls: all the time 2 calls were pending already")
				.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
			this.implementation.futures.take().complete("a");
			this.implementation.futures.take().complete("b");
			first.get(20, TimeUnit.SECONDS);
			second.get(20, TimeUnit.SECONDS);
			Eventually.until("there is room again", () -> narrow.pendingCalls() == 0);
			assertThat(other.greet("4")).isEqualTo("hello 4");
		}
	}

	@Test
	void calls_waitForGrant_untilItIsRaised() throws Exception {
		try (RpcServer narrow = server().maxCallsPerConnection(4).start();
				RpcClient other = client().timeout(Duration.ofSeconds(20)).build()) {
			Calls narrowCalls = other.reference(Calls.class, at(narrow));
			List<CompletableFuture<byte[]>> futures = new ArrayList<>();
			for (int i = 0; i < 500; i++) {
				futures.add(narrowCalls.echoLater(new byte[1500]));
			}
			for (CompletableFuture<byte[]> future : futures) {
				assertThat(future.get(20, TimeUnit.SECONDS)).hasSize(1500);
			}
			assertThat(narrowCalls.echo(new byte[50_000])).hasSize(50_000);
		}
	}

	@Test
	void objectMethods_areLocal() {
		assertThat(this.calls).hasToString("reference to io.rpcboot.engine.fixture.Calls").isEqualTo(this.calls);
		assertThat(this.calls.hashCode()).isEqualTo(System.identityHashCode(this.calls));
		assertThat(this.implementation.executed).hasValue(0);
	}

}
