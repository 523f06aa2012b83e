package io.rpcboot.engine.context;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.Broadcast;
import io.rpcboot.client.CallbackThread;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Context of a served call in callbacks of the futures of calls that are made for it. */
@Timeout(120)
class CallbackContextIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final Duration OUTER = Duration.ofSeconds(30);

	/** Service that the test calls. */
	public interface Middle {

		CompletableFuture<Map<String, String>> run(String variation);

		CompletableFuture<String> hang(String word);

		/** Returns before its callbacks run. */
		String begin(String word);

	}

	/** Ways in which a second call hangs on the future of a first one. */
	private enum Variation {

		THEN_COMPOSE(1, (last) -> last.first("x").thenCompose(last::second)),

		THEN_APPLY(1, (last) -> last.first("x").thenApply(last::secondNow)),

		WHEN_COMPLETE(1, (last) -> {
			CompletableFuture<Map<String, String>> end = new CompletableFuture<>();
			last.first("x").whenComplete((value, failure) -> last.second(value).thenAccept(end::complete));
			return end;
		}),

		HANDLE(1, (last) -> last.first("x").handle((value, failure) -> last.second(value)).thenCompose((all) -> all)),

		EXCEPTIONALLY(1,
				(last) -> last.failing("x")
					.thenApply((any) -> Map.<String, String>of())
					.exceptionallyCompose((failure) -> last.second("y"))),

		ALL_OF(2,
				(last) -> CompletableFuture.allOf(last.first("x"), last.first("y"))
					.thenCompose((nothing) -> last.second("z"))),

		ANY_OF(2,
				(last) -> CompletableFuture.anyOf(last.first("x"), last.first("y"))
					.thenCompose((any) -> last.second("z"))),

		THEN_COMBINE(2,
				(last) -> last.first("x")
					.thenCombine(last.first("y"), (x, y) -> last.second(x + y))
					.thenCompose((all) -> all)),

		OR_TIMEOUT(1, (last) -> last.first("x").orTimeout(20, TimeUnit.SECONDS).thenCompose(last::second)),

		TWO_LEVELS(2, (last) -> last.first("x").thenCompose(last::first).thenCompose(last::second)),

		NEW_STAGE(1,
				(last) -> last.first("x")
					.copy()
					.minimalCompletionStage()
					.thenCompose(last::second)
					.toCompletableFuture()),

		BROADCAST(1,
				(last) -> Broadcast.to(last)
					.callFuture((each) -> each.first("x"))
					.thenCompose((report) -> last.second("y")));

		private final int held;

		private final Function<HeldCalls, CompletableFuture<Map<String, String>>> calls;

		Variation(int held, Function<HeldCalls, CompletableFuture<Map<String, String>>> calls) {
			this.held = held;
			this.calls = calls;
		}

	}

	private final class MiddleImpl implements Middle {

		@Override
		public CompletableFuture<Map<String, String>> run(String variation) {
			RpcContext served = RpcContext.current();
			CompletableFuture<Map<String, String>> result = Variation.valueOf(variation).calls
				.apply(CallbackContextIntegrationTests.this.toLast())
				.thenApply((all) -> {
					CallbackContextIntegrationTests.this.inCallback.set(RpcContext.current() == served);
					return all;
				});
			CallbackContextIntegrationTests.this.registered.add(variation);
			return result;
		}

		@Override
		public CompletableFuture<String> hang(String word) {
			HeldCalls next = CallbackContextIntegrationTests.this.toLast();
			CompletableFuture<String> result = next.first(word).thenCompose(next::hang);
			CallbackContextIntegrationTests.this.registered.add(word);
			return result;
		}

		@Override
		public String begin(String word) {
			try {
				CallbackContextIntegrationTests.this.follow.of(CallbackContextIntegrationTests.this.toLast());
				CallbackContextIntegrationTests.this.registered.add(word);
				return word;
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

	private final List<AutoCloseable> open = new ArrayList<>();

	private final HeldCallsImpl last = new HeldCallsImpl();

	private @Nullable HeldCalls next;

	/** True if the context in the last callback was that of the served call. */
	private final AtomicReference<@Nullable Boolean> inCallback = new AtomicReference<>();

	/** Results or failures of chains that ran on after their call. */
	private final BlockingQueue<Object> ended = new LinkedBlockingQueue<>();

	/** Words of calls of the middle whose callbacks are registered. */
	private final BlockingQueue<String> registered = new LinkedBlockingQueue<>();

	private @Nullable RpcServerInterceptor ofMiddle;

	/** Call that {@code begin} starts. */
	private Follow follow = (next) -> next.first("x")
		.thenCompose(next::second)
		.whenComplete((all, failure) -> this.ended.add((failure != null) ? failure : all));

	private interface Follow {

		void of(HeldCalls next) throws Exception;

	}

	@AfterEach
	void close() throws Exception {
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	/** Answers calls of the middle once its callbacks are registered. */
	private void open(int calls) throws InterruptedException {
		assertThat(this.registered.poll(20, TimeUnit.SECONDS)).isNotNull();
		this.last.open(calls);
	}

	private HeldCalls toLast() {
		HeldCalls known = this.next;
		assertThat(known).isNotNull();
		return known;
	}

	private RpcClient client() {
		RpcClient client = RpcClient.builder().timeout(LONG).forwardAttachments(List.of("tenant")).build();
		this.open.add(client);
		return client;
	}

	private Middle chain(Dispatch dispatch, CallbackThread callbacks) {
		return chain(dispatch, ReferenceOptions.defaults().withCallbacks(callbacks));
	}

	private Middle chain(Dispatch dispatch, ReferenceOptions ofLast) {
		assumeTrue(dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21, "Java has virtual threads");
		RpcServer there = RpcServer.builder().port(0).service(HeldCalls.class, this.last).start();
		this.open.add(there);
		this.next = client().reference(HeldCalls.class,
				ofLast.withEndpoints(ReferenceStates.at(there).endpoints().get(0)));
		RpcServerBuilder builder = RpcServer.builder().port(0);
		if (this.ofMiddle != null) {
			builder.interceptor(this.ofMiddle);
		}
		RpcServer here = builder
			.service(ServiceDescriptor.of(Middle.class), MiddleImpl::new,
					ServiceOptions.defaults().withDispatch(dispatch))
			.start();
		this.open.add(here);
		toLast().secondNow("connected");
		return client().reference(Middle.class, ReferenceStates.at(here));
	}

	static Stream<Arguments> variations() {
		List<Arguments> all = new ArrayList<>();
		for (Variation each : Variation.values()) {
			for (Dispatch dispatch : Dispatch.values()) {
				all.add(Arguments.of(each, dispatch, CallbackThread.POOL));
			}
			if (each != Variation.THEN_APPLY) { // blocks
				all.add(Arguments.of(each, Dispatch.POOL, CallbackThread.EVENT_LOOP));
			}
		}
		return all.stream();
	}

	@ParameterizedTest
	@Tag("jdk25")
	@MethodSource("variations")
	void secondCall_hasContextOfServedCall(Variation variation, Dispatch dispatch, CallbackThread callbacks)
			throws Exception {
		Middle middle = chain(dispatch, callbacks);
		CompletableFuture<Map<String, String>> result = CallOptions.with("tenant", "acme")
			.and("secret", "1")
			.timeout(OUTER)
			.call(() -> middle.run(variation.name()));
		open(variation.held);
		Map<String, String> seen = result.get(20, TimeUnit.SECONDS);
		assertThat(seen).containsEntry("tenant", "acme").doesNotContainKey("secret");
		assertThat(Long.parseLong(seen.get("millis"))).isBetween(1L, OUTER.toMillis());
		assertThat(this.inCallback.get()).isTrue();
	}

	@ParameterizedTest
	@EnumSource(CallbackThread.class)
	void secondCall_isCancelledWithServedCall(CallbackThread callbacks) throws Exception {
		CompletableFuture<String> result = chain(Dispatch.POOL, callbacks).hang("a");
		open(1);
		assertThat(this.last.hanging.poll(20, TimeUnit.SECONDS)).isEqualTo("first");
		result.cancel(true);
		assertThat(this.last.cancelled.poll(20, TimeUnit.SECONDS)).isEqualTo("first");
	}

	@Test
	void callback_hasContext_whenFirstCallTimesOut() throws Exception {
		Middle middle = chain(Dispatch.POOL,
				ReferenceOptions.defaults().withMethodTimeout("failing", Duration.ofMillis(300)));
		CompletableFuture<Map<String, String>> result = CallOptions.with("tenant", "acme")
			.timeout(OUTER)
			.call(() -> middle.run(Variation.EXCEPTIONALLY.name()));
		Map<String, String> seen = result.get(20, TimeUnit.SECONDS);
		assertThat(seen).containsEntry("tenant", "acme");
		assertThat(Long.parseLong(seen.get("millis"))).isBetween(1L, OUTER.toMillis());
	}

	@Test
	void fallbackAndInterceptor_haveContext_inCallbacks() throws Exception {
		BlockingQueue<String> tenants = new LinkedBlockingQueue<>();
		HeldCalls fallback = (HeldCalls) Proxy.newProxyInstance(HeldCalls.class.getClassLoader(),
				new Class<?>[] { HeldCalls.class }, (self, method, arguments) -> {
					tenants.add("fallback of " + tenant());
					return toLast().second("x").thenApply((all) -> "for " + all.get("tenant"));
				});
		Middle middle = chain(Dispatch.POOL,
				ReferenceOptions.defaults()
					.withFallback(() -> fallback)
					.withMethodTimeout("first", Duration.ofMillis(300))
					.withInterceptors(List.of((call) -> {
						if (!call.method().name().equals("first")) {
							return call.proceed();
						}
						call.onEnd((outcome) -> tenants.add("end of " + tenant()));
						return ((CompletableFuture<?>) Objects.requireNonNull(call.proceed()))
							.whenComplete((value, failure) -> tenants.add("callback of " + tenant()));
					})));
		CompletableFuture<Map<String, String>> result = CallOptions.with("tenant", "acme")
			.call(() -> middle.run(Variation.THEN_COMPOSE.name()));
		assertThat(result.get(20, TimeUnit.SECONDS)).containsEntry("tenant", "acme");
		assertThat(tenants).contains("fallback of acme", "end of acme", "callback of acme")
			.allMatch((each) -> each.endsWith("acme"));
	}

	@ParameterizedTest
	@EnumSource(CallbackThread.class)
	void oneWayCall_forwardsAttachments_inCallback(CallbackThread callbacks) throws Exception {
		this.follow = (next) -> next.first("x").thenAccept(next::told);
		Middle middle = chain(Dispatch.POOL, callbacks);
		CallOptions.with("tenant", "acme").call(() -> middle.begin("a"));
		open(1);
		assertThat(this.last.seen.poll(20, TimeUnit.SECONDS)).containsEntry("tenant", "acme");
	}

	@Test
	void replyListener_hasContext() throws Exception {
		BlockingQueue<String> tenants = new LinkedBlockingQueue<>();
		this.follow = (
				next) -> CallOptions.none().onReply((reply) -> tenants.add(tenant())).call(() -> next.first("x"));
		Middle middle = chain(Dispatch.POOL, CallbackThread.POOL);
		CallOptions.with("tenant", "acme").call(() -> middle.begin("a"));
		open(1);
		assertThat(tenants.poll(20, TimeUnit.SECONDS)).isEqualTo("acme");
	}

	@Test
	void scopesOfInterceptors_areOpenInCallbacksAndEndListeners() throws Exception {
		ThreadLocal<@Nullable String> state = new ThreadLocal<>();
		BlockingQueue<String> seen = new LinkedBlockingQueue<>();
		this.ofMiddle = (call) -> {
			call.addScope(() -> {
				state.set(call.method().name());
				return state::remove;
			});
			call.addScope(() -> {
				throw new IllegalStateException("on purpose");
			});
			call.onEnd((outcome) -> seen.add("end " + state.get()));
			return call.proceed();
		};
		this.follow = (next) -> next.first("x").thenAccept((any) -> seen.add("callback " + state.get()));
		Middle middle = chain(Dispatch.POOL, CallbackThread.POOL);
		middle.begin("a");
		assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("end begin");
		open(1);
		assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("callback begin");
		assertThat(stateInCallbackOutside(state)).isNull();
	}

	private @Nullable String stateInCallbackOutside(ThreadLocal<@Nullable String> state) throws Exception {
		CompletableFuture<String> later = toLast().first("x").thenApply((any) -> String.valueOf(state.get()));
		this.last.open(1);
		String seen = later.get(20, TimeUnit.SECONDS);
		return seen.equals("null") ? null : seen;
	}

	@Test
	void callback_keepsContext_afterServedCallHasEnded() throws Exception {
		Middle middle = chain(Dispatch.POOL, CallbackThread.POOL);
		assertThat(CallOptions.with("tenant", "acme").timeout(OUTER).call(() -> middle.begin("a"))).isEqualTo("a");
		open(1);
		Object end = this.ended.poll(20, TimeUnit.SECONDS);
		assertThat(end).asInstanceOf(InstanceOfAssertFactories.MAP).containsEntry("tenant", "acme");
	}

	@Test
	void deadlineOfEndedCall_stillApplies_inCallbacks() throws Exception {
		this.follow = (next) -> next.first("x")
			.exceptionally((failure) -> "late")
			.thenCompose(next::second)
			.whenComplete((all, failure) -> this.ended.add((failure != null) ? failure : all));
		Middle middle = chain(Dispatch.POOL, CallbackThread.POOL);
		CallOptions.none().timeout(Duration.ofSeconds(3)).call(() -> middle.begin("a"));
		assertThat(this.ended.poll(20, TimeUnit.SECONDS)).isInstanceOfSatisfying(CompletionException.class,
				(ex) -> assertThat(ex.getCause()).isInstanceOfSatisfying(RpcException.class,
						(cause) -> assertThat(cause.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED)));
	}

	@Test
	void callerThatLeaves_cancelsNoCallOfEndedCall() throws Exception {
		this.follow = (next) -> next.first("x").thenCompose(next::hang);
		Middle middle = chain(Dispatch.POOL, CallbackThread.POOL);
		middle.begin("a");
		this.open.remove(this.open.size() - 1).close();
		open(1);
		assertThat(this.last.hanging.poll(20, TimeUnit.SECONDS)).isEqualTo("first");
		assertThat(this.last.cancelled.poll(200, TimeUnit.MILLISECONDS)).isNull();
	}

	@ParameterizedTest
	@EnumSource(CallbackThread.class)
	void callOutsideOfContext_hasNoneInCallbacks(CallbackThread callbacks) throws Exception {
		Middle middle = chain(Dispatch.POOL, callbacks);
		CompletableFuture<Map<String, String>> served = CallOptions.with("tenant", "acme")
			.call(() -> middle.run(Variation.THEN_COMPOSE.name()));
		open(1);
		served.get(20, TimeUnit.SECONDS);
		for (int i = 0; i < 100; i++) {
			CompletableFuture<String> outside = toLast().first("x")
				.thenApply((any) -> tenant() + " " + CallOptions.current());
			this.last.open(1);
			assertThat(outside.get(20, TimeUnit.SECONDS)).isEqualTo("nobody null");
		}
	}

	@Test
	void callOptions_applyInCallbacks() throws Exception {
		chain(Dispatch.POOL, CallbackThread.POOL);
		CompletableFuture<Map<String, String>> result = CallOptions.with("tenant", "acme")
			.and("language", "de")
			.call(() -> toLast().first("x").thenCompose(toLast()::second));
		this.last.open(1);
		assertThat(result.get(20, TimeUnit.SECONDS)).containsEntry("tenant", "acme").containsEntry("language", "de");
		assertThat(CallOptions.current()).isNull();
	}

	private static String tenant() {
		RpcContext context = RpcContext.current();
		return (context != null) ? String.valueOf(context.attachments().get("tenant")) : "nobody";
	}

}
