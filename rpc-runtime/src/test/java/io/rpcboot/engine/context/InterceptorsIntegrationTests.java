package io.rpcboot.engine.context;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.context.CallOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.ContextCalls;
import io.rpcboot.engine.fixture.ContextCallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.RefusedException;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ExceptionExposure;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Code of an application around its calls, on both sides, well-behaved and not. */
@Timeout(120)
class InterceptorsIntegrationTests {

	private final List<AutoCloseable> open = new ArrayList<>();

	private final List<String> steps = new CopyOnWriteArrayList<>();

	private final BlockingQueue<CallOutcome> outcomes = new LinkedBlockingQueue<>();

	private final ContextCallsImpl implementation = new ContextCallsImpl();

	private final RpcServerBuilder server = RpcServer.builder()
		.port(0)
		.maxThreads(8)
		.exposeExceptions(ExceptionExposure.MESSAGE);

	private final RpcClientBuilder client = RpcClient.builder().timeout(Duration.ofSeconds(20));

	@AfterEach
	void close() throws Exception {
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	private ContextCalls calls(Dispatch dispatch, RpcServerInterceptor... ofService) {
		assumeTrue(dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21, "Java has virtual threads");
		RpcServer started = this.server
			.service(ServiceDescriptor.of(ContextCalls.class), () -> this.implementation,
					ServiceOptions.defaults().withDispatch(dispatch).withInterceptors(List.of(ofService)))
			.start();
		this.open.add(started);
		RpcClient built = this.client.build();
		this.open.add(built);
		return built.reference(ContextCalls.class, ReferenceStates.at(started)
			.withInterceptors(List.of((RpcClientInterceptor) (invocation) -> step("reference", invocation::proceed))));
	}

	private interface Proceeds {

		@Nullable Object proceed() throws Throwable;

	}

	private @Nullable Object step(String name, Proceeds further) throws Throwable {
		this.steps.add(name);
		try {
			return further.proceed();
		}
		finally {
			this.steps.add("/" + name);
		}
	}

	private CallOutcome outcome() throws InterruptedException {
		CallOutcome outcome = this.outcomes.poll(10, TimeUnit.SECONDS);
		assertThat(outcome).isNotNull();
		return Objects.requireNonNull(outcome);
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void interceptors_runInOrder_aroundCall(Dispatch dispatch) throws Exception {
		this.client.interceptor((invocation) -> step("client 1", invocation::proceed));
		this.client.interceptor((invocation) -> step("client 2", invocation::proceed));
		this.server.interceptor((invocation) -> step("server", invocation::proceed));
		this.server.interceptor(new Gate((invocation) -> {
			assertThatIllegalStateException().isThrownBy(invocation::arguments)
				.withMessageContaining("the arguments are not read yet");
			return step("gate", invocation::proceed);
		}));
		ContextCalls calls = calls(dispatch, (invocation) -> {
			assertThat(RpcContext.current()).isSameAs(invocation.context());
			assertThat(invocation.arguments()).hasSize(1);
			return step("service", invocation::proceed);
		});
		List<String> both = List.of("client 1", "client 2", "reference", "gate", "server", "service", "/service",
				"/server", "/gate", "/reference", "/client 2", "/client 1");
		assertThat(calls.look("a")).containsEntry("word", "a");
		assertThat(this.steps).containsExactlyElementsOf(both);
		this.steps.clear();
		assertThat(calls.lookLater("b").get(10, TimeUnit.SECONDS)).containsEntry("word", "b");
		assertThat(this.steps).containsExactlyInAnyOrderElementsOf(both);
		this.steps.clear();
		calls.notice("c");
		Eventually.until("all steps", () -> this.steps.size() == both.size());
		assertThat(this.steps).containsExactlyInAnyOrderElementsOf(both);
	}

	/** With a place before the arguments. */
	private record Gate(RpcServerInterceptor inner) implements RpcServerInterceptor {

		@Override
		public @Nullable Object intercept(ServerInvocation invocation) throws Throwable {
			return this.inner.intercept(invocation);
		}

		@Override
		public Position position() {
			return Position.BEFORE_ARGUMENTS;
		}

	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void endListener_isNotifiedOnce_withEachCallStyle(Dispatch dispatch) throws Exception {
		BlockingQueue<CallOutcome> atServer = new LinkedBlockingQueue<>();
		this.client.interceptor((invocation) -> {
			invocation.onEnd(this.outcomes::add);
			invocation.onEnd((outcome) -> {
				throw new IllegalStateException("a listener breaks nothing");
			});
			return invocation.proceed();
		});
		this.server.interceptor((invocation) -> {
			invocation.onEnd(atServer::add);
			return invocation.proceed();
		});
		ContextCalls calls = calls(dispatch);
		calls.look("a");
		assertThat(outcome().attachments().get("echo")).isEqualTo("a");
		calls.lookLater("b").get(10, TimeUnit.SECONDS);
		assertThat(outcome().attachments().get("echo")).isEqualTo("b");
		calls.notice("c");
		assertThat(outcome().status()).isEqualTo(RpcStatus.OK);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.breakDown("d"));
		CallOutcome broken = outcome();
		assertThat(broken.status()).isEqualTo(RpcStatus.APPLICATION);
		assertThat(broken.failure()).hasMessageContaining("d");
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> calls.refuse("e"));
		assertThat(outcome().status()).isEqualTo(RpcStatus.DECLARED);
		List<RpcStatus> statuses = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			statuses.add(Objects.requireNonNull(atServer.poll(10, TimeUnit.SECONDS)).status());
		}
		assertThat(statuses).containsExactlyInAnyOrder(RpcStatus.OK, RpcStatus.OK, RpcStatus.OK, RpcStatus.APPLICATION,
				RpcStatus.DECLARED);
		assertThat(atServer).isEmpty();
		assertThat(this.outcomes).isEmpty();
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void earlyInterceptor_refusesCall_beforeArgumentsAreRead(Dispatch dispatch) {
		this.client.interceptor((invocation) -> {
			if (invocation.method().name().equals("look")) {
				invocation.attachments().put("Authorization", "Bearer right");
			}
			return invocation.proceed();
		});
		this.server.interceptor(new Gate((invocation) -> {
			if (!"Bearer right".equals(invocation.attachments().get("authorization"))) {
				invocation.context().replyAttachments().put("realm", "shop");
				throw new RpcException(RpcStatus.UNAUTHENTICATED, "show who you are", false);
			}
			return invocation.proceed();
		}));
		ContextCalls calls = calls(dispatch);
		assertThat(calls.look("a")).containsEntry("word", "a");
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> calls.lookLater("b").join())
			.withCauseInstanceOf(RpcException.class)
			.satisfies((ex) -> {
				RpcException cause = (RpcException) Objects.requireNonNull(ex.getCause());
				assertThat(cause.status()).isEqualTo(RpcStatus.UNAUTHENTICATED);
				assertThat(cause.mayHaveExecuted()).isFalse();
				assertThat(cause).hasMessageContaining("show who you are; it did not execute");
				assertThat(cause.replyAttachments()).containsExactly(Map.entry("realm", "shop"));
			});
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.count("c"))
			.matches((ex) -> ex.status() == RpcStatus.UNAUTHENTICATED);
		assertThat(this.implementation.runs).hasValue(1);
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void interceptor_answersCall_onEachSide(Dispatch dispatch) throws Exception {
		this.client.interceptor((invocation) -> switch (invocation.method().name()) {
			case "count" -> "from the client";
			case "hangLater" -> CompletableFuture.completedFuture("later from the client");
			default -> invocation.proceed();
		});
		this.server.interceptor((invocation) -> switch (invocation.method().name()) {
			case "look" -> Map.of("from", "the server");
			case "lookLater" -> CompletableFuture.completedFuture(Map.of("later from", "the server"));
			case "refuse" -> throw new RefusedException("by the interceptor", 7);
			default -> invocation.proceed();
		});
		ContextCalls calls = calls(dispatch);
		assertThat(calls.count("a")).isEqualTo("from the client");
		assertThat(calls.hangLater("b").get(10, TimeUnit.SECONDS)).isEqualTo("later from the client");
		assertThat(calls.look("c")).containsExactly(Map.entry("from", "the server"));
		assertThat(calls.lookLater("d").get(10, TimeUnit.SECONDS))
			.containsExactly(Map.entry("later from", "the server"));
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> calls.refuse("e"))
			.matches((ex) -> ex.code() == 7);
		assertThat(this.implementation.runs).hasValue(0);
	}

	@Test
	void interceptorResult_isRefused_whenIncompatibleWithMethod() {
		this.client.interceptor((invocation) -> switch (invocation.method().name()) {
			case "look" -> 5;
			case "lookLater" -> null;
			case "hang" -> throw new IOException("undeclared");
			default -> invocation.proceed();
		});
		this.server.interceptor((invocation) -> invocation.method().name().equals("count") ? 6 : invocation.proceed());
		ContextCalls calls = calls(Dispatch.POOL);
		assertThatIllegalStateException().isThrownBy(() -> calls.look("a"))
			.withMessageContaining(
					"returned java.lang.Integer for io.rpcboot.engine.fixture.ContextCalls.look(java.lang.String)")
			.withMessageContaining("(expected: java.util.Map<java.lang.String, java.lang.String>)");
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> calls.lookLater("b").join())
			.withMessageContaining("returned null for");
		assertThatIllegalStateException().isThrownBy(() -> calls.hang("c"))
			.withMessageContaining("an interceptor threw java.io.IOException, which")
			.withCauseInstanceOf(IOException.class);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.count("d"))
			.matches((ex) -> ex.status() == RpcStatus.APPLICATION)
			.withMessageContaining("returned java.lang.Integer for");
	}

	@Test
	void secondProceedOnClient_isRefused_whenMethodIsNotIdempotent() throws Exception {
		this.client.interceptor((invocation) -> {
			Object first = invocation.proceed();
			assertThat(invocation.attempts()).isOne();
			return invocation.method().name().equals("nothing") ? first : invocation.proceed();
		});
		ContextCalls calls = calls(Dispatch.POOL);
		assertThat(calls.count("a")).as("idempotent").isEqualTo("a2");
		assertThatIllegalStateException().isThrownBy(() -> calls.look("b"))
			.withMessageContaining(
					"called proceed() again, but io.rpcboot.engine.fixture.ContextCalls.look(java.lang.String)");
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> calls.lookLater("c").join())
			.withMessageContaining("called proceed() again");
		Eventually.until("each ran once", () -> this.implementation.runs.get() == 4);
	}

	@Test
	void secondProceedOnServer_isRefused_whenMethodIsNotIdempotent() {
		this.server.interceptor((invocation) -> {
			invocation.proceed();
			return invocation.proceed();
		});
		ContextCalls calls = calls(Dispatch.POOL);
		assertThat(calls.count("a")).isEqualTo("a2");
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.look("b"))
			.withMessageContaining(
					"called proceed() again, but io.rpcboot.engine.fixture.ContextCalls.look(java.lang.String) has run");
		assertThat(this.implementation.runs).hasValue(3);
	}

	@Test
	void clientInterceptor_retriesCall_afterRefusal() throws Exception {
		this.server.interceptor(new Gate((invocation) -> {
			if (invocation.attachments().get("again") == null) {
				throw new RpcException(RpcStatus.RESOURCE_EXHAUSTED, "once more, please", false);
			}
			return invocation.proceed();
		}));
		this.client.interceptor((invocation) -> {
			if (invocation.method().name().equals("look")) {
				try {
					return invocation.proceed();
				}
				catch (RpcException ex) {
					invocation.attachments().put("again", String.valueOf(invocation.attempts()));
					return invocation.proceed();
				}
			}
			CompletableFuture<?> first = (CompletableFuture<?>) invocation.proceed();
			return first.handle((result, failure) -> {
				invocation.attachments().put("again", String.valueOf(invocation.attempts()));
				try {
					return (CompletableFuture<?>) invocation.proceed();
				}
				catch (Throwable ex) {
					return CompletableFuture.failedFuture(ex);
				}
			}).thenCompose((second) -> second);
		});
		ContextCalls calls = calls(Dispatch.POOL);
		assertThat(calls.look("a")).containsEntry("again", "1");
		assertThat(calls.lookLater("b").get(10, TimeUnit.SECONDS)).containsEntry("again", "1");
		assertThat(this.implementation.runs).hasValue(2);
	}

	@Test
	void clientInterceptor_shortensTimeout() {
		this.client.interceptor((invocation) -> {
			if (!invocation.method().name().equals("hang")) {
				return invocation.proceed();
			}
			assertThat(invocation.remaining()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
			invocation.timeout(Duration.ofMillis(200));
			assertThat(invocation.remaining()).isBetween(Duration.ZERO, Duration.ofMillis(200));
			return invocation.proceed();
		});
		ContextCalls calls = calls(Dispatch.POOL);
		calls.look("connected");
		try { // the server's word that nobody waits may be here before that time is over
			assertThat(calls.hang("a")).isEqualTo("cancelled true");
		}
		catch (RpcException ex) {
			assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
		}
		Eventually.until("cancelled", () -> this.implementation.cancelled.contains("a"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void cancelledFuture_cancelsCall_whenInterceptorReturnsOrMapsIt(boolean itsOwn) throws Exception {
		this.client.interceptor((invocation) -> {
			invocation.onEnd(this.outcomes::add);
			CompletableFuture<?> made = (CompletableFuture<?>) invocation.proceed();
			return itsOwn ? made.thenApply((result) -> result) : made;
		});
		ContextCalls calls = calls(Dispatch.POOL);
		CompletableFuture<String> result = calls.hangLater("a");
		assertThat(this.implementation.hanging.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		result.cancel(true);
		assertThat(this.implementation.cancelled.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		assertThat(outcome().status()).isEqualTo(RpcStatus.CANCELLED);
	}

	@Test
	void interceptor_changesArguments_onBothSides() {
		this.client.interceptor((invocation) -> {
			invocation.arguments()[0] += "1";
			return invocation.proceed();
		});
		ContextCalls calls = calls(Dispatch.POOL, (invocation) -> {
			invocation.arguments()[0] += "2";
			return invocation.proceed();
		});
		assertThat(calls.look("a")).containsEntry("word", "a12");
	}

	@Test
	void objectMethods_bypassInterceptors() throws Exception {
		this.client.interceptor((invocation) -> {
			throw new IllegalStateException("none");
		});
		ContextCalls calls = calls(Dispatch.POOL);
		assertThat(calls).hasToString("reference to io.rpcboot.engine.fixture.ContextCalls").isEqualTo(calls);
		assertThatIllegalStateException().isThrownBy(() -> CallOptions.with("a", "b").call(() -> calls.look("a")))
			.withMessage("none");
	}

}
