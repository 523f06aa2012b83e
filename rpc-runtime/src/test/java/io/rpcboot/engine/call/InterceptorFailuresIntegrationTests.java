package io.rpcboot.engine.call;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/** Exceptions that client interceptors and fallbacks throw for a call of a server. */
@Timeout(120)
class InterceptorFailuresIntegrationTests {

	private final List<AutoCloseable> open = new ArrayList<>();

	private final HopImpl last = new HopImpl();

	private final HopImpl middle = new HopImpl();

	/** Failures that the implementation in the middle has seen. */
	private final Queue<Throwable> seen = new ConcurrentLinkedQueue<>();

	/** Outcomes that its interceptor has seen. */
	private final Queue<CallOutcome> outcomes = new ConcurrentLinkedQueue<>();

	/** Exception of an application. */
	private static final class Refused extends RpcException {

		private static final long serialVersionUID = 1L;

		Refused(String calledMethod) {
			super(RpcStatus.PERMISSION_DENIED, "not here", false, null, null, Map.of(), calledMethod);
		}

	}

	@AfterEach
	void close() throws Exception {
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	private void start(HopImpl hop) {
		RpcServer server = RpcServer.builder().port(0).bindAddress("127.0.0.1").service(Hop.class, hop).start();
		this.open.add(server);
		hop.port = server.port();
	}

	private Hop reference(RpcClientBuilder builder, int... ports) {
		RpcClient client = builder.timeout(Duration.ofSeconds(30)).build();
		this.open.add(client);
		Hop hop = client.reference(Hop.class, ReferenceStates.at(ports));
		Eventually.until("ready", () -> ReferenceStates.ready(client) == ports.length);
		return hop;
	}

	private Hop intercepted(RpcClientInterceptor interceptor) {
		start(this.last);
		return reference(RpcClient.builder().interceptor((call) -> {
			call.onEnd(this.outcomes::add);
			return interceptor.intercept(call);
		}), this.last.port);
	}

	private static String call(String method, Hop hop) {
		return switch (method) {
			case "ask" -> hop.ask("x");
			case "read" -> hop.read("x");
			default -> hop.askLater("x").join();
		};
	}

	/** Calls two instances that call on, so that each could be tried. */
	private RpcException failureOfOuterCall(String method, Hop next) {
		HopImpl other = new HopImpl();
		for (HopImpl each : List.of(this.middle, other)) {
			each.behaviour = (word) -> {
				try {
					return call(method, next);
				}
				catch (RuntimeException ex) {
					this.seen.add((ex instanceof CompletionException) ? ex.getCause() : ex);
					throw ex;
				}
			};
			start(each);
		}
		Hop outer = reference(RpcClient.builder(), this.middle.port, other.port);
		RpcException failure = catchThrowableOfType(RpcException.class, () -> outer.read("x"));
		assertThat(this.middle.calls.get() + other.calls.get()).as("only who is next to the fault repeats").isOne();
		return failure;
	}

	private static String name(String method) {
		return Hop.class.getName() + "." + method + "(java.lang.String)";
	}

	private static RpcException refusal() {
		return new RpcException(RpcStatus.UNAVAILABLE, "the breaker is open", false, null,
				new IllegalStateException("its cause"), Map.of("since", "noon"));
	}

	static Stream<Arguments> refusals() {
		RpcClientInterceptor before = (call) -> {
			throw refusal();
		};
		RpcClientInterceptor failed = (call) -> (call.method().style() == Style.FUTURE)
				? CompletableFuture.failedFuture(refusal()) : before.intercept(call);
		RpcClientInterceptor after = (call) -> {
			Object result = call.proceed();
			if (result instanceof CompletableFuture<?> future) {
				return future.thenApply((any) -> {
					throw refusal();
				});
			}
			throw refusal();
		};
		return Stream.of("ask", "read", "askLater")
			.flatMap((method) -> Stream.of(argumentSet(method + ", before", method, before),
					argumentSet(method + ", by its result", method, failed),
					argumentSet(method + ", after", method, after)));
	}

	@ParameterizedTest
	@MethodSource("refusals")
	void exceptionOfInterceptor_isFailureOfItsCall_andIsNotRepeated(String method, RpcClientInterceptor interceptor) {
		RpcException failure = failureOfOuterCall(method, intercepted(interceptor));
		assertThat(this.seen).singleElement().isInstanceOfSatisfying(RpcException.class, (each) -> {
			assertThat(each.calledMethod()).isEqualTo(name(method));
			assertThat(each).hasMessage("the breaker is open").hasRootCauseMessage("its cause");
			assertThat(each.status()).isEqualTo(RpcStatus.UNAVAILABLE);
			assertThat(each.mayHaveExecuted()).isFalse();
			assertThat(each.replyAttachments()).containsExactly(Map.entry("since", "noon"));
			assertThat(each.getStackTrace()[0].getMethodName()).isEqualTo("refusal");
		});
		assertThat(this.outcomes).singleElement()
			.satisfies((each) -> assertThat(each.failure()).isSameAs(this.seen.peek()));
		assertThat(failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(failure)
			.hasMessageContaining("while it called " + name(method) + ": UNAVAILABLE; it may have executed");
	}

	@Test
	void exceptionOfFallback_isFailureOfItsCall() {
		HopImpl spare = new HopImpl();
		spare.behaviour = (word) -> {
			throw new RpcException(RpcStatus.NOT_FOUND, "no spare " + word, true);
		};
		RpcClient client = RpcClient.builder().registry(new InMemoryRegistry()).waitForInstance(Duration.ZERO).build();
		this.open.add(client);
		Hop next = client.reference(Hop.class, ReferenceOptions.defaults().withFallback(() -> spare));
		RpcException failure = failureOfOuterCall("ask", next);
		assertThat(failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(failure).hasMessageContaining("while it called " + name("ask") + ": NOT_FOUND");
	}

	@Test
	void subclass_staysAsItIs_andNamesItsMethodItself() {
		RpcException failure = failureOfOuterCall("ask", intercepted((call) -> {
			throw new Refused(call.method().toString());
		}));
		assertThat(this.seen).singleElement().isInstanceOf(Refused.class);
		assertThat(failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(failure).hasMessageContaining("while it called " + name("ask") + ": PERMISSION_DENIED");
	}

	@Test
	void futureOfInterceptor_isCancelledByCaller() {
		CompletableFuture<String> made = new CompletableFuture<>();
		CompletableFuture<String> future = intercepted((call) -> made).askLater("x");
		future.cancel(false);
		assertThat(made).isCancelled();
		assertThat(this.outcomes).extracting(CallOutcome::status).containsExactly(RpcStatus.CANCELLED);
	}

	@Test
	void cancelledFutureOfInterceptor_isCancelledForCaller() {
		CompletableFuture<String> made = new CompletableFuture<>();
		CompletableFuture<String> future = intercepted((call) -> made).askLater("x");
		made.cancel(false);
		assertThat(future).isCancelled();
		assertThat(catchThrowable(future::join)).isInstanceOf(CancellationException.class);
	}

	@Test
	void futureOfInterceptor_endsWithFutureOfCaller() {
		CompletableFuture<String> made = new CompletableFuture<>();
		CompletableFuture<String> future = intercepted((call) -> made).askLater("x");
		future.complete("given up");
		assertThat(made).isCompletedWithValue("given up");
		assertThat(this.outcomes).extracting(CallOutcome::status).containsExactly(RpcStatus.OK);
	}

}
