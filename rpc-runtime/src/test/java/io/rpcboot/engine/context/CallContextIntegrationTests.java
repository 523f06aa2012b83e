package io.rpcboot.engine.context;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.CallOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.ContextCalls;
import io.rpcboot.engine.fixture.ContextCallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.RefusedException;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Tests attachments, deadlines and cancellation over one hop and two. */
@Timeout(120)
class CallContextIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	/** Shorter than a call that hangs, longer than a pause of a busy machine. */
	private static final Duration BRIEF = Duration.ofSeconds(3);

	private final List<AutoCloseable> open = new ArrayList<>();

	private final ContextCallsImpl last = new ContextCallsImpl();

	private final ContextCallsImpl middle = new ContextCallsImpl();

	@AfterEach
	void close() throws Exception {
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	private ContextCalls calls(ContextCallsImpl implementation, Dispatch dispatch) {
		return calls(implementation, dispatch, (server) -> server, (client) -> client, ReferenceOptions.defaults());
	}

	private ContextCalls calls(ContextCallsImpl implementation, Dispatch dispatch,
			UnaryOperator<RpcServerBuilder> ofServer, UnaryOperator<RpcClientBuilder> ofClient,
			ReferenceOptions options) {
		assumeTrue(dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21, "Java has virtual threads");
		RpcServer server = ofServer.apply(RpcServer.builder().port(0).maxThreads(8))
			.service(ServiceDescriptor.of(ContextCalls.class), () -> implementation,
					ServiceOptions.defaults().withDispatch(dispatch))
			.start();
		this.open.add(server);
		RpcClient client = ofClient.apply(RpcClient.builder().applicationName("till").timeout(LONG)).build();
		this.open.add(client);
		return client.reference(ContextCalls.class,
				options.withEndpoints(ReferenceStates.at(server).endpoints().get(0)));
	}

	/** A → middle → last. */
	private ContextCalls chain(Dispatch dispatch, UnaryOperator<RpcClientBuilder> ofMiddle, ReferenceOptions options) {
		this.middle.next = calls(this.last, Dispatch.POOL, (server) -> server, ofMiddle, options);
		return calls(this.middle, dispatch);
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void attachments_travelInBothDirections(Dispatch dispatch) throws Exception {
		ContextCalls calls = calls(this.last, dispatch);
		List<String> replies = new ArrayList<>();
		CallOptions options = CallOptions.with("Tenant", "acme")
			.and("note", "größe \uD83D\uDE00")
			.onReply((reply) -> replies.add(String.valueOf(reply.get("ECHO"))));
		assertThat(options.call(() -> calls.look("a"))).containsEntry("tenant", "acme")
			.containsEntry("note", "größe \uD83D\uDE00")
			.containsEntry("method", "look")
			.containsEntry("peer", "till");
		assertThat(options.call(() -> calls.lookLater("b")).get(10, TimeUnit.SECONDS)).containsEntry("tenant", "acme");
		assertThat(replies).containsExactly("a", "b");
		options.run(() -> calls.notice("c"));
		assertThat(this.last.seen.poll(10, TimeUnit.SECONDS)).containsEntry("word", "a");
		assertThat(this.last.seen.poll(10, TimeUnit.SECONDS)).containsEntry("word", "b");
		assertThat(this.last.seen.poll(10, TimeUnit.SECONDS)).containsEntry("word", "c")
			.containsEntry("tenant", "acme");
		assertThat(calls.look("d")).as("never in the next call").doesNotContainKey("tenant");
		assertThat(RpcContext.current()).isNull();
		assertThat(CallOptions.current()).isNull();
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void replyAttachments_arrive_whenCallFails(Dispatch dispatch) {
		ContextCalls calls = calls(this.last, dispatch);
		AtomicReference<Attachments> reply = new AtomicReference<>();
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.breakDown("x"))
			.satisfies((ex) -> assertThat(ex.replyAttachments()).containsExactly(Map.entry("echo", "x")))
			.matches((ex) -> ex.status() == RpcStatus.APPLICATION);
		CallOptions options = CallOptions.none().onReply(reply::set);
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> options.call(() -> calls.refuse("y")))
			.withMessage("y")
			.matches((ex) -> ex.code() == 1);
		assertThat(reply.get().get("echo")).isEqualTo("y");
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> options.call(() -> calls.breakDown("z")));
		assertThat(reply.get().get("echo")).isEqualTo("z");
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void deadline_shrinks_overTwoHops(Dispatch dispatch) throws Exception {
		ContextCalls calls = chain(dispatch, (client) -> client, ReferenceOptions.defaults());
		CallOptions brief = CallOptions.none().timeout(Duration.ofSeconds(10));
		if (dispatch != Dispatch.EVENT_LOOP) {
			brief.call(() -> calls.look("a"));
			assertMillisAtLast("a", 0, 10_000);
		}
		brief.call(() -> calls.lookLater("b")).get(10, TimeUnit.SECONDS);
		assertMillisAtLast("b", 0, 10_000);
		brief.run(() -> calls.notice("c"));
		assertMillisAtLast("c", 20_001, Long.MAX_VALUE);
	}

	@Test
	void detachedReference_usesItsOwnTimeout() throws Exception {
		ContextCalls calls = chain(Dispatch.POOL, (client) -> client, ReferenceOptions.defaults().withDetached(true));
		CallOptions.none().timeout(Duration.ofSeconds(10)).call(() -> calls.look("a"));
		assertMillisAtLast("a", 10_001, 20_000);
	}

	private void assertMillisAtLast(String word, long least, long most) throws InterruptedException {
		Map<String, String> seen = this.last.seen.poll(10, TimeUnit.SECONDS);
		assertThat(seen).containsEntry("word", word);
		assertThat(Long.parseLong(seen.get("millis"))).isBetween(least, most);
	}

	@Test
	void onlyListedAttachments_areForwarded() throws Exception {
		ContextCalls calls = chain(Dispatch.POOL, (client) -> client.forwardAttachments(List.of("Tenant", "user")),
				ReferenceOptions.defaults());
		CallOptions options = CallOptions.with("tenant", "acme").and("secret", "1");
		assertThat(options.call(() -> calls.look("a"))).containsEntry("tenant", "acme")
			.doesNotContainKey("secret")
			.doesNotContainKey("user");
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void cancellation_propagatesToSecondHop(Dispatch dispatch) throws Exception {
		ContextCalls calls = chain(dispatch, (client) -> client, ReferenceOptions.defaults());
		CompletableFuture<String> result = calls.hangLater("a");
		assertThat(this.last.hanging.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		result.cancel(true);
		assertThat(this.middle.cancelled.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		assertThat(this.last.cancelled.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
	}

	@Test
	void timeout_endsBothHops() throws Exception {
		ContextCalls calls = chain(Dispatch.POOL, (client) -> client, ReferenceOptions.defaults());
		calls.look("connected");
		CallOptions brief = CallOptions.none().timeout(BRIEF);
		try { // the word of the last hop that nobody waits may be here before that
			assertThat(brief.call(() -> calls.hang("a"))).isEqualTo("cancelled true");
		}
		catch (RpcException ex) {
			assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
		}
		// the deadline may end the call of the middle hop before it is cancelled
		assertThat(this.last.cancelled.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		assertThat(this.open).filteredOn(RpcServer.class::isInstance)
			.hasSize(2)
			.allSatisfy((server) -> Eventually.until("its calls have ended",
					() -> ((RpcServer) server).inFlightCalls() == 0));
	}

	@Test
	void detachedCall_continues_afterItsCallerTimesOut() throws Exception {
		ContextCalls calls = chain(Dispatch.POOL, (client) -> client, ReferenceOptions.defaults().withDetached(true));
		calls.look("connected");
		CallOptions brief = CallOptions.none().timeout(BRIEF);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> brief.call(() -> calls.hang("a")));
		assertThat(this.last.hanging.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		assertThat(this.middle.cancelled.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		assertThat(this.last.cancelled.poll(200, TimeUnit.MILLISECONDS)).isNull();
	}

	@Test
	void lostClient_cancelsBothHops() throws Exception {
		ContextCalls calls = chain(Dispatch.POOL, (client) -> client, ReferenceOptions.defaults());
		CompletableFuture<String> result = calls.hangLater("a");
		assertThat(this.last.hanging.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		this.open.remove(this.open.size() - 1).close();
		assertThat(this.middle.cancelled.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		assertThat(this.last.cancelled.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> result.get(10, TimeUnit.SECONDS));
	}

	@Test
	void innerCall_continues_afterOuterCallCompletes() throws Exception {
		ContextCalls next = calls(this.last, Dispatch.POOL);
		CompletableFuture<CompletableFuture<String>> inner = new CompletableFuture<>();
		ContextCallsImpl starts = new ContextCallsImpl();
		starts.next = onLook((word) -> inner.complete(next.hangLater(word)));
		assertThat(calls(starts, Dispatch.POOL).look("a")).isEmpty();
		assertThat(this.last.hanging.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		assertThat(this.last.cancelled.poll(200, TimeUnit.MILLISECONDS)).isNull();
		inner.get(10, TimeUnit.SECONDS).cancel(true);
		assertThat(this.last.cancelled.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
	}

	@Test
	void wrappedTask_keepsContext_onNewThread() throws Exception {
		CompletableFuture<List<Object>> seen = new CompletableFuture<>();
		ContextCallsImpl wraps = new ContextCallsImpl();
		wraps.next = onLook((word) -> {
			RpcContext context = ContextCallsImpl.context();
			new Thread(context.wrap(() -> {
				RpcContext there = RpcContext.current();
				CallOptions.with("x", "1")
					.run(() -> seen.complete(
							List.of(there == context, RpcContext.current() == context, CallOptions.current() != null)));
			})).start();
			seen.join();
		});
		calls(wraps, Dispatch.POOL).look("a");
		assertThat(seen.get(10, TimeUnit.SECONDS)).containsExactly(true, true, true);
	}

	@Test
	void context_staysReadableButImmutable_afterItsCallEnds() throws Exception {
		AtomicReference<RpcContext> kept = new AtomicReference<>();
		ContextCallsImpl keeps = new ContextCallsImpl();
		keeps.next = onLook((word) -> kept.set(ContextCallsImpl.context()));
		ContextCalls calls = calls(keeps, Dispatch.POOL);
		CallOptions.with("tenant", "acme").call(() -> calls.look("a"));
		RpcContext context = kept.get();
		assertThat(context.attachments().get("tenant")).isEqualTo("acme");
		assertThat(context.isCancelled()).isFalse();
		context.onCancel(() -> this.last.cancelled.add("never")).remove();
		assertThatIllegalStateException().isThrownBy(() -> context.replyAttachments().put("late", "1"))
			.withMessage("attachments cannot be changed: the response of this call was sent");
		assertThatIllegalStateException().isThrownBy(() -> context.attachments().put("late", "1"))
			.withMessage("attachments cannot be changed: they were received");
	}

	@Test
	void oversizedAttachments_areRefused_beforeSending() {
		ContextCalls calls = calls(this.last, Dispatch.POOL, (server) -> server.maxAttachmentsSize(100),
				(client) -> client.maxAttachmentsSize(200), ReferenceOptions.defaults());
		CallOptions over = CallOptions.with("long", "x".repeat(300));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> over.call(() -> calls.look("a")))
			.matches((ex) -> ex.status() == RpcStatus.INVALID_ARGUMENT && !ex.mayHaveExecuted())
			.withMessageContaining(
					"max-attachments-size: the attachments [long] take 307 bytes (expected: at most 200)");
		CallOptions overServer = CallOptions.with("long", "x".repeat(150));
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> overServer.call(() -> calls.lookLater("a")).join())
			.withMessageContaining(
					"max-attachments-size: the attachments take 157 bytes, but the server accepts at most 100");
		CallOptions huge = CallOptions.with("long", "x".repeat(70_000));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> huge.call(() -> calls.look("a")))
			.withMessageContaining("the attachments take more than 65535 bytes");
		assertThat(this.last.seen).isEmpty();
	}

	@Test
	void call_failsAsInternal_whenReplyAttachmentsAreTooLarge() {
		ContextCalls calls = calls(this.last, Dispatch.POOL, (server) -> server,
				(client) -> client.maxAttachmentsSize(20), ReferenceOptions.defaults());
		assertThat(calls.look("short")).containsEntry("word", "short");
		String word = "y".repeat(50);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.look(word))
			.matches((ex) -> ex.status() == RpcStatus.INTERNAL)
			.withMessageContaining(
					"attachments of the reply: max-attachments-size: the attachments [echo] take 57 bytes");
		assertThatExceptionOfType(RpcException.class).as("a failure goes without")
			.isThrownBy(() -> calls.breakDown(word))
			.withMessageContaining("IllegalStateException")
			.satisfies((ex) -> assertThat(ex.replyAttachments()).isEmpty());
	}

	@Test
	void replyAttachments_areOmitted_whenClientAcceptsNone() {
		ContextCalls calls = calls(this.last, Dispatch.POOL, (server) -> server,
				(client) -> client.maxAttachmentsSize(0), ReferenceOptions.defaults());
		assertThat(calls.look("a")).containsEntry("word", "a");
	}

	/** What a call of {@code look} does instead of it. */
	private static ContextCalls onLook(Consumer<String> task) {
		return (ContextCalls) Proxy.newProxyInstance(ContextCalls.class.getClassLoader(),
				new Class<?>[] { ContextCalls.class }, (self, method, arguments) -> {
					assertThat(method.getName()).isEqualTo("look");
					task.accept((String) arguments[0]);
					return Map.of();
				});
	}

}
