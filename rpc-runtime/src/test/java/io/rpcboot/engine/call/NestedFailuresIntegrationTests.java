package io.rpcboot.engine.call;

import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.resilience.RetryAdvice;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ExceptionExposure;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Answers to the caller when an implementation throws an {@link RpcException}, over hops.
 */
@Timeout(120)
class NestedFailuresIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final List<AutoCloseable> open = new ArrayList<>();

	/** Classes of exceptions that servers have counted as undeclared. */
	private final Queue<String> counted = new ConcurrentLinkedQueue<>();

	/** Statuses of calls at the server of the middle. */
	private final Queue<RpcStatus> statuses = new ConcurrentLinkedQueue<>();

	private final HopImpl last = new HopImpl();

	private final HopImpl middle = new HopImpl();

	private final LogRecorder log = new LogRecorder("rpc");

	@AfterEach
	void close() throws Exception {
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
		this.log.close();
	}

	private RpcMetrics metrics(boolean isMiddle) {
		return new RpcMetrics() {
			@Override
			public CallRecorder calls(Side side, MethodDescriptor method) {
				return new CallRecorder() {
					@Override
					public void record(RpcStatus status, long nanos, String peer) {
						if (isMiddle) {
							NestedFailuresIntegrationTests.this.statuses.add(status);
						}
					}

					@Override
					public void threw(String type) {
						NestedFailuresIntegrationTests.this.counted.add(type);
					}
				};
			}

			@Override
			public TransportRecorder transport(Side side) {
				return RpcMetrics.none().transport(side);
			}

			@Override
			public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
				return RpcMetrics.none().gauge(level, subject, value);
			}
		};
	}

	private RpcServerBuilder builder(HopImpl hop) {
		return RpcServer.builder().port(0).metrics(metrics(hop == this.middle));
	}

	private void start(HopImpl hop, Dispatch dispatch, RpcServerBuilder builder) {
		assumeTrue(dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21, "Java has virtual threads");
		RpcServer server = builder
			.service(ServiceDescriptor.of(Hop.class), () -> hop, ServiceOptions.defaults().withDispatch(dispatch))
			.start();
		this.open.add(server);
		hop.port = server.port();
	}

	private void start(HopImpl hop, Dispatch dispatch) {
		start(hop, dispatch, builder(hop));
	}

	private Hop reference(int... ports) {
		return reference(client(), ports);
	}

	private RpcClient client() {
		RpcClient client = RpcClient.builder().timeout(LONG).build();
		this.open.add(client);
		return client;
	}

	/** A reference to a service that has no instance. */
	private Hop nowhere() {
		RpcClient client = RpcClient.builder().registry(new InMemoryRegistry()).waitForInstance(Duration.ZERO).build();
		this.open.add(client);
		return client.reference(Hop.class, ReferenceOptions.defaults());
	}

	private static Hop reference(RpcClient client, int... ports) {
		Hop hop = client.reference(Hop.class, ReferenceStates.at(ports).withWaitForInstance(Duration.ofSeconds(20)));
		Eventually.until("ready", () -> ReferenceStates.ready(client) == ports.length);
		return hop;
	}

	private static RpcException failure(String method, Hop hop) {
		Throwable thrown = catchThrowable(() -> {
			switch (method) {
				case "ask" -> hop.ask("x");
				case "read" -> hop.read("x");
				default -> hop.askLater("x").join();
			}
		});
		Throwable cause = (thrown instanceof CompletionException) ? thrown.getCause() : thrown;
		assertThat(cause).isInstanceOf(RpcException.class);
		return (RpcException) cause;
	}

	private void assertNothingWasCountedOrLogged() {
		assertThat(this.counted).isEmpty();
		assertThat(this.log.messages()).noneMatch((line) -> line.contains("Undeclared"));
	}

	/** Ways in which the failure of a call leaves the implementation that has made it. */
	private enum Way {

		THROWN((next) -> next.ask("x")),

		JOINED((next) -> next.askLater("x").join()),

		GOT((next) -> next.askLater("x").get()),

		OF_A_PROXY((next) -> {
			try {
				return next.ask("x");
			}
			catch (RpcException ex) {
				throw new UndeclaredThrowableException(new ExecutionException(ex));
			}
		}),

		FROM_ANOTHER_THREAD((next) -> CompletableFuture.supplyAsync(() -> next.ask("x")).join());

		private final OfNext calls;

		private interface OfNext {

			String call(Hop next) throws Exception;

		}

		Way(OfNext calls) {
			this.calls = calls;
		}

	}

	@ParameterizedTest
	@EnumSource(Way.class)
	void nestedFailure_isUnavailable_andNoUndeclaredException(Way way) {
		assertNested("ask", way, Dispatch.POOL);
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void nestedFailureOfFuture_isUnavailable(Dispatch dispatch) {
		assertNested("askLater", Way.THROWN, dispatch);
	}

	private void assertNested(String method, Way way, Dispatch dispatch) {
		this.last.behaviour = (word) -> {
			throw new RpcException(RpcStatus.NOT_FOUND, "there is no " + word, true);
		};
		start(this.last, Dispatch.POOL);
		Hop next = reference(this.last.port);
		this.middle.behaviour = (word) -> way.calls.call(next);
		this.middle.later = next::askLater;
		start(this.middle, dispatch);
		RpcException failure = failure(method, reference(this.middle.port));
		assertThat(failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(failure.mayHaveExecuted()).isTrue();
		assertThat(failure.remoteType()).isNull();
		assertThat(failure).hasMessageContaining("while it called " + Hop.class.getName() + ".ask")
			.hasMessageContaining("(java.lang.String): NOT_FOUND; it may have executed")
			.hasMessageNotContaining("there is no");
		assertThat(failure.replyAttachments()).containsExactly(Map.entry(RetryAdvice.ATTACHMENT, "-1"));
		assertThat(failure.calledMethod()).isEqualTo(Hop.class.getName() + "." + method + "(java.lang.String)");
		assertNothingWasCountedOrLogged();
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void exceptionThatImplementationCreates_isTheAnswer(Dispatch dispatch) {
		this.middle.behaviour = (word) -> {
			throw new RpcException(RpcStatus.FAILED_PRECONDITION, "no " + word + " yet", true, null, null,
					Map.of("since", "noon"));
		};
		this.middle.later = (word) -> CompletableFuture.failedFuture(new RpcException(RpcStatus.FAILED_PRECONDITION,
				"no " + word + " yet", true, null, null, Map.of("since", "noon")));
		start(this.middle, dispatch);
		Hop hop = reference(this.middle.port);
		for (String method : List.of("ask", "read", "askLater")) {
			RpcException failure = failure(method, hop);
			assertThat(failure.status()).as(method).isEqualTo(RpcStatus.FAILED_PRECONDITION);
			assertThat(failure).hasMessageContaining("no x yet; it executed");
			assertThat(failure.mayHaveExecuted()).isTrue();
			assertThat(failure.replyAttachments()).containsExactly(Map.entry("since", "noon"));
		}
		assertNothingWasCountedOrLogged();
	}

	@Test
	void wrapperOfApplication_isUndeclared() {
		start(this.last, Dispatch.POOL);
		this.last.behaviour = (word) -> {
			throw new RpcException(RpcStatus.NOT_FOUND, "there is no " + word, true);
		};
		Hop next = reference(this.last.port);
		this.middle.behaviour = (word) -> {
			try {
				return next.ask(word);
			}
			catch (RpcException ex) {
				throw new IllegalStateException("the stock is broken", ex);
			}
		};
		start(this.middle, Dispatch.POOL);
		RpcException failure = failure("ask", reference(this.middle.port));
		assertThat(failure.status()).isEqualTo(RpcStatus.APPLICATION);
		assertThat(failure.remoteType()).isEqualTo(IllegalStateException.class.getName());
		assertThat(this.counted).containsExactly(IllegalStateException.class.getName());
	}

	static Stream<Function<Hop, String>> unreachable() {
		return Stream.of((next) -> next.ask("x"), (next) -> next.askLater("x").join());
	}

	@ParameterizedTest
	@MethodSource("unreachable")
	void callOfHopThatIsAway_isUnavailable_andIsNotRepeated(Function<Hop, String> calls) {
		Hop nowhere = nowhere();
		HopImpl other = new HopImpl();
		for (HopImpl each : List.of(this.middle, other)) {
			each.behaviour = (word) -> calls.apply(nowhere);
			start(each, Dispatch.POOL);
		}
		RpcException failure = failure("read", reference(this.middle.port, other.port));
		assertThat(failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(failure).hasMessageContaining("while it called").hasMessageNotContaining("attempt 2");
		assertThat(this.middle.calls.get() + other.calls.get()).as("only who is next to the fault repeats").isOne();
		assertNothingWasCountedOrLogged();
	}

	@Test
	void onlyHopNextToFault_repeats_overThreeHops() {
		this.last.behaviour = (word) -> {
			throw new IllegalStateException("sick");
		};
		start(this.last, Dispatch.POOL);
		HopImpl second = new HopImpl();
		Hop third = reference(this.last.port);
		second.behaviour = third::read;
		start(second, Dispatch.POOL);
		Hop next = reference(second.port);
		this.middle.behaviour = next::read;
		start(this.middle, Dispatch.POOL);
		RpcException failure = failure("read", reference(this.middle.port));
		assertThat(failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(this.middle.calls).hasValue(1);
		assertThat(second.calls).hasValue(1);
		assertThat(this.last.calls).as("the same exception twice").hasValue(2);
		assertThat(this.counted).as("where the fault is").containsOnly(IllegalStateException.class.getName());
	}

	@Test
	void nestedFailures_ejectNoInstance() {
		Hop nowhere = nowhere();
		this.middle.behaviour = (word) -> nowhere.ask(word);
		start(this.middle, Dispatch.POOL);
		start(this.last, Dispatch.POOL);
		RpcClient client = client();
		Hop hop = reference(client, this.middle.port, this.last.port);
		long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
		while (System.nanoTime() < end || this.middle.calls.get() < 20 || this.last.calls.get() < 20) {
			catchThrowable(() -> hop.ask("x"));
		}
		assertThat(ReferenceStates.instances(client)).extracting(ReferenceInfo.Instance::state)
			.containsOnly(ReferenceInfo.State.READY);
	}

	@Test
	void messageOfNestedCall_isSent_whenMessagesAreExposed() {
		Hop nowhere = nowhere();
		this.middle.behaviour = (word) -> nowhere.ask(word);
		start(this.middle, Dispatch.POOL, builder(this.middle).exposeExceptions(ExceptionExposure.MESSAGE));
		assertThat(failure("ask", reference(this.middle.port)))
			.hasMessageContaining("while it called " + Hop.class.getName() + ".ask(java.lang.String): UNAVAILABLE [")
			.hasMessageContaining("no instance of it is known")
			.hasMessageContaining("; it did not execute]; it may have executed");
	}

	@Test
	void nestedCall_isNotNamed_whenNothingIsExposed() {
		Hop nowhere = nowhere();
		this.middle.behaviour = (word) -> nowhere.ask(word);
		start(this.middle, Dispatch.POOL, builder(this.middle).exposeExceptions(ExceptionExposure.NOTHING));
		assertThat(failure("ask", reference(this.middle.port)))
			.hasMessageContaining("while it called another service; it may have executed");
	}

	@Test
	void nestedFailureOfInterceptor_refusesCall() {
		Hop nowhere = nowhere();
		RpcServerInterceptor asks = (call) -> nowhere.ask("may it?");
		start(this.middle, Dispatch.POOL, builder(this.middle).interceptor(asks));
		RpcException failure = failure("read", reference(this.middle.port));
		assertThat(failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(failure.mayHaveExecuted()).isFalse();
		assertThat(failure).hasMessageContaining("while it called " + Hop.class.getName());
		assertThat(this.middle.calls).hasValue(0);
	}

	@Test
	void failedOneWayCall_isLoggedWithoutStackTrace() {
		Hop nowhere = nowhere();
		this.middle.behaviour = (word) -> nowhere.ask(word);
		start(this.middle, Dispatch.POOL);
		reference(this.middle.port).tell("x");
		Eventually.until("it is logged",
				() -> this.log.messages()
					.stream()
					.anyMatch((line) -> line.startsWith("One-way call failed: " + Hop.class.getName() + ".tell")
							&& line.contains("UNAVAILABLE: while it called")));
		assertThat(this.log.events()).allMatch((event) -> event.getThrowableProxy() == null);
		assertThat(this.counted).isEmpty();
	}

	/** The CANCEL of the caller and the deadline of the middle race. */
	@Test
	void callWhoseDeadlinePasses_hasOneStatusAtEachHop() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		this.last.behaviour = (word) -> word + end.await(30, TimeUnit.SECONDS);
		start(this.last, Dispatch.POOL);
		Hop next = reference(this.last.port);
		Queue<RpcStatus> seen = new ConcurrentLinkedQueue<>();
		this.middle.behaviour = (word) -> {
			try {
				return next.ask(word);
			}
			catch (RpcException ex) {
				seen.add(ex.status());
				throw ex;
			}
		};
		start(this.middle, Dispatch.POOL);
		Hop hop = reference(this.middle.port);
		int rounds = 20;
		for (int i = 0; i < rounds; i++) {
			RpcException failure = catchThrowableOfType(RpcException.class,
					() -> CallOptions.none().timeout(Duration.ofMillis(200)).call(() -> hop.ask("x")));
			assertThat(failure.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
		}
		int begun = this.middle.calls.get();
		Eventually.until("the middle has ended", () -> seen.size() == begun && this.statuses.size() >= begun);
		end.countDown();
		assertThat(seen).containsOnly(RpcStatus.DEADLINE_EXCEEDED);
		assertThat(this.statuses).containsOnly(RpcStatus.DEADLINE_EXCEEDED);
		assertNothingWasCountedOrLogged();
	}

	@Test
	void cancelledCall_logsAndCountsNothing_whenItsNestedCallIsCancelled() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		this.last.behaviour = (word) -> {
			begun.countDown();
			return word + end.await(30, TimeUnit.SECONDS);
		};
		start(this.last, Dispatch.POOL);
		Hop next = reference(this.last.port);
		this.middle.behaviour = (word) -> {
			try {
				return next.ask(word);
			}
			catch (RpcException ex) {
				throw new IllegalStateException("wrapped", ex);
			}
		};
		start(this.middle, Dispatch.POOL);
		Hop hop = reference(this.middle.port);
		Thread caller = new Thread(() -> catchThrowable(() -> hop.ask("x")), "caller");
		caller.start();
		assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
		caller.interrupt();
		Eventually.until("the middle has ended", () -> this.statuses.contains(RpcStatus.CANCELLED));
		end.countDown();
		assertNothingWasCountedOrLogged();
	}

}
