package io.rpcboot.engine.context;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.context.Attachments;
import io.rpcboot.engine.fixture.ContextCalls;
import io.rpcboot.engine.fixture.ContextCallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.NamedSerializer;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests optional attachments of interceptors, which must not make a call fail. */
@Timeout(120)
class OptionalAttachmentsIntegrationTests {

	private final List<AutoCloseable> open = new ArrayList<>();

	private final ContextCallsImpl implementation = new ContextCallsImpl();

	private final RpcHistory history = RpcHistory.builder().build();

	/** What the interceptor does with each call. */
	private UnaryOperator<Attachments> adds = (attachments) -> attachments.putOptional("trace", "t".repeat(50));

	private UnaryOperator<RpcClientBuilder> ofClient = (client) -> client;

	private final BlockingQueue<ClientInvocation> ended = new LinkedBlockingQueue<>();

	@AfterEach
	void close() throws Exception {
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	private ContextCalls calls(UnaryOperator<RpcServerBuilder> ofServer) {
		RpcServer server = ofServer.apply(RpcServer.builder().port(0).maxThreads(4).metrics(this.history))
			.service(ServiceDescriptor.of(ContextCalls.class), () -> this.implementation)
			.interceptor((invocation) -> {
				invocation.traceId("at-server");
				assertThat(invocation.traceId()).isEqualTo("at-server");
				Map<String, String> seen = new TreeMap<>(invocation.attachments().asMap());
				seen.put("word", (String) invocation.arguments()[0]);
				return switch (invocation.method().name()) {
					case "look" -> seen;
					case "lookLater" -> CompletableFuture.completedFuture(seen);
					case "notice" -> this.implementation.seen.add(seen);
					default -> invocation.proceed();
				};
			})
			.start();
		this.open.add(server);
		RpcClientInterceptor adding = (invocation) -> {
			assertThat(invocation.endpoint()).isNull();
			this.adds.apply(invocation.attachments());
			invocation.traceId("at-client");
			invocation.onEnd((outcome) -> this.ended.add(invocation));
			return invocation.proceed();
		};
		RpcClient client = this.ofClient.apply(RpcClient.builder()).metrics(this.history).interceptor(adding).build();
		this.open.add(client);
		return client.reference(ContextCalls.class, ReferenceStates.at(server));
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 5_000, 9_000, 300_000 })
	void optionalAttachments_areOmitted_whenServerAcceptsNone(int length) throws Exception {
		ContextCalls calls = calls((server) -> server.maxAttachmentsSize(0));
		String word = "w".repeat(length);
		assertThat(calls.look(word)).containsEntry("word", word).doesNotContainKey("trace");
		assertThat(calls.lookLater(word).get(10, TimeUnit.SECONDS)).containsEntry("word", word)
			.doesNotContainKey("trace");
		calls.notice(word);
		assertThat(this.implementation.seen.poll(10, TimeUnit.SECONDS)).containsEntry("word", word)
			.doesNotContainKey("trace");
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 5_000, 9_000, 300_000 })
	void onlyOptionalAttachments_areOmitted_whenServerLimitIsExceeded(int length) throws Exception {
		this.adds = (attachments) -> attachments.putOptional("trace", "t".repeat(50)).put("tenant", "acme");
		ContextCalls calls = calls((server) -> server.maxAttachmentsSize(40));
		String word = "w".repeat(length);
		assertThat(calls.look(word)).containsEntry("word", word)
			.containsEntry("tenant", "acme")
			.doesNotContainKey("trace");
		assertThat(calls.lookLater(word).get(10, TimeUnit.SECONDS)).containsEntry("word", word)
			.containsEntry("tenant", "acme");
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 300_000 })
	void optionalAttachments_arrive_whenServerAcceptsThem(int length) {
		ContextCalls calls = calls((server) -> server);
		String word = "w".repeat(length);
		assertThat(calls.look(word)).containsEntry("word", word).containsEntry("trace", "t".repeat(50));
	}

	@Test
	void optionalAttachments_areOmitted_whenServerFrameSizeIsExceeded() throws Exception {
		ContextCalls calls = calls((server) -> server.maxFrameSize(1024));
		calls.notice("w".repeat(1000));
		assertThat(Objects.requireNonNull(this.implementation.seen.poll(10, TimeUnit.SECONDS)).get("word"))
			.hasSize(1000);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.count("w".repeat(1030)))
			.matches((ex) -> ex.status() == RpcStatus.INVALID_ARGUMENT)
			.withMessageContaining("max-frame-size: the arguments take");
	}

	@Test
	void optionalAttachments_areOmitted_whenClientFrameSizeIsExceeded() throws Exception {
		this.ofClient = (client) -> client.maxFrameSize(1024);
		ContextCalls calls = calls((server) -> server);
		String word = "w".repeat(1000);
		calls.notice(word);
		assertThat(this.implementation.seen.poll(10, TimeUnit.SECONDS)).containsEntry("word", word)
			.doesNotContainKey("trace");
		CompletableFuture<String> later = calls.hangLater(word);
		assertThat(this.implementation.hanging.poll(10, TimeUnit.SECONDS)).isEqualTo(word);
		later.cancel(true);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.count("w".repeat(1030)))
			.withMessageContaining("max-frame-size: the arguments take more than 1024 bytes");
	}

	/** A serializer may refuse to read what it finds too large: the call has run. */
	@Test
	void call_isNotRepeated_whenReplyCannotBeRead() {
		AtomicInteger served = new AtomicInteger();
		this.ofClient = (client) -> client.serializer(new RefusingReplies());
		ContextCalls calls = calls(
				(server) -> server.serializer(new NamedSerializer("refusing")).interceptor((invocation) -> {
					served.incrementAndGet();
					return invocation.proceed();
				}));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.count("a"))
			.matches((ex) -> ex.mayHaveExecuted())
			.withMessageContaining("the reply cannot be read");
		assertThat(served).hasValue(1);
	}

	/** Writes as others do. */
	private record RefusingReplies() implements Serializer {

		@Override
		public String name() {
			return "refusing";
		}

		@Override
		public ServiceCodec codec(ServiceDescriptor service) {
			return refusing(ServiceCodec.class, new ProtostuffSerializer().codec(service));
		}

		private static <T> T refusing(Class<T> type, T codec) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(self, method, arguments) -> {
						if (method.getName().equals("deserializeResult")) {
							throw new MessageTooLargeException(5);
						}
						Object result = method.invoke(codec, arguments);
						return (result instanceof MethodCodec inner) ? refusing(MethodCodec.class, inner) : result;
					}));
		}

	}

	@Test
	void oversizedOptionalAttachments_areOmittedAndLogged() {
		this.adds = (attachments) -> attachments.putOptional("trace", "1").putOptional("baggage", "b".repeat(70_000));
		ContextCalls calls = calls((server) -> server);
		try (LogRecorder log = new LogRecorder("rpc.client")) {
			assertThat(calls.look("a")).containsEntry("trace", "1").doesNotContainKey("baggage");
			assertThat(calls.look("b")).containsEntry("trace", "1").doesNotContainKey("baggage");
			assertThat(log.messages()).isNotEmpty()
				.allSatisfy((line) -> assertThat(line).contains("max-attachments-size: a call of ")
					.contains("goes without some of [trace, baggage]"));
		}
	}

	@Test
	void requiredAttachments_areRefused_whenServerAcceptsNone() {
		this.adds = (attachments) -> attachments.putOptional("trace", "t".repeat(50)).put("tenant", "acme");
		ContextCalls calls = calls((server) -> server.maxAttachmentsSize(0));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.look("a"))
			.matches((ex) -> ex.status() == RpcStatus.INVALID_ARGUMENT)
			.withMessageContaining("max-attachments-size: the attachments take 13 bytes, but the server accepts none");
	}

	@Test
	void optionalReplyAttachments_areOmitted_whenClientLimitIsExceeded() {
		this.open.add(RpcClient.builder().build());
		RpcServer server = RpcServer.builder()
			.port(0)
			.service(ServiceDescriptor.of(ContextCalls.class), () -> this.implementation)
			.interceptor((invocation) -> {
				invocation.context().replyAttachments().putOptional("source", "x".repeat(100));
				return invocation.proceed();
			})
			.start();
		this.open.add(server);
		RpcClient client = RpcClient.builder().maxAttachmentsSize(20).interceptor((invocation) -> {
			invocation.onEnd((outcome) -> this.implementation.seen.add(outcome.attachments().asMap()));
			return invocation.proceed();
		}).build();
		this.open.add(client);
		assertThat(client.reference(ContextCalls.class, ReferenceStates.at(server)).look("a")).containsEntry("word",
				"a");
		this.implementation.seen.remove();
		assertThat(this.implementation.seen.remove()).containsExactly(Map.entry("echo", "a"));
	}

	@Test
	void callHistory_hasTraceIdOfEachSide() throws Exception {
		ContextCalls calls = calls((server) -> server);
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.breakDown("a"));
			assertThat(log.messages()).singleElement()
				.asString()
				.matches(".*breakDown\\(java\\.lang\\.String\\) called by 127\\.0\\.0\\.1:\\d+ in trace at-server");
		}
		ClientInvocation call = Objects.requireNonNull(this.ended.poll(10, TimeUnit.SECONDS));
		assertThat(call.traceId()).isEqualTo("at-client");
		assertThat(call.endpoint()).isNotNull().matches((endpoint) -> endpoint.port() > 0);
		calls.lookLater("b").get(10, TimeUnit.SECONDS);
		calls.notice("c");
		Eventually.until("all noted", () -> this.history.slowest().size() == 6);
		assertThat(this.history.slowest()).allSatisfy((noted) -> assertThat(noted.traceId())
			.isEqualTo((noted.side() == Side.CLIENT) ? "at-client" : "at-server"));
		assertThat(this.history.failed()).extracting(NotedCall::traceId)
			.containsExactlyInAnyOrder("at-client", "at-server");
	}

}
