package io.rpcboot.engine.http;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Credentials;
import io.rpcboot.server.AdmissionOptions;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.InvokeRequest;
import io.rpcboot.server.InvokeResult;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Calls that an operator makes at the server of the same process. */
class OperatorCallsIntegrationTests extends AbstractHttpEngine {

	private static final ServiceId CALLS = ServiceId.of(Calls.class);

	private static final ServiceId DESK = ServiceId.of(Desk.class);

	private static final class DeskImpl implements Desk {

		@Override
		public String seen(String attachment) {
			RpcContext context = RpcContext.current();
			assertThat(context).isNotNull();
			context.replyAttachments().put("cost", "7").put("city", "Köln");
			return "%s %s %s".formatted(context.caller(), context.attachments().get(attachment),
					context.attachments().get("authorization"));
		}

		@Override
		public String order(Order order, List<String> notes) throws OutOfStock {
			throw new OutOfStock("no " + order.article());
		}

		@Override
		public String atOnce() {
			return "at once";
		}

		@Override
		public Stream<String> feed(int count) {
			return Stream.of("a");
		}

	}

	private static InvokeRequest request(ServiceId service, String method, String json) {
		return new InvokeRequest(service, method, json, Duration.ofSeconds(30), Attachments.none(), null);
	}

	private static InvokeRequest seen(Attachments attachments, @Nullable String token) {
		return new InvokeRequest(DESK, "seen", "{\"attachment\": \"tenant\"}", Duration.ofSeconds(30), attachments,
				(token != null) ? Credentials.bearer(token) : null);
	}

	private InvokeResult invoke(InvokeRequest request) {
		if (this.server == null) {
			start(builder().service(Desk.class, new DeskImpl()));
		}
		return this.server.invoke(request).join();
	}

	private InvokeResult greet() {
		return invoke(request(CALLS, "greet", "{\"name\": \"Ann\"}"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "greet(java.lang.String) | {\"name\":\"Ann\"} | {\"value\":\"hello Ann\"}",
					"greet | {\"name\":\"Ann\"} | {\"value\":\"hello Ann\"}",
					"Greet | {\"name\":\"Ann\"} | {\"value\":\"hello Ann\"}",
					"add | {\"left\":1,\"right\":2} | {\"value\":3}", "nothing | {} | {}",
					"notice | {\"word\":\"x\"} | {}", "later | {\"name\":\"x\"} | {\"value\":\"later x\"}" })
	void method_isCalled_byAnyOfItsNames(String method, String json, String result) {
		InvokeResult answer = invoke(request(CALLS, method, json));
		assertThat(answer.json()).isEqualTo(result);
		assertThat(answer.status()).isEqualTo(RpcStatus.OK);
		assertThat(answer.took()).isPositive();
	}

	@Test
	void methodOnEventLoop_isCalled() {
		assertThat(invoke(request(DESK, "atOnce", "{}")).json()).isEqualTo("{\"value\":\"at once\"}");
	}

	@Test
	void result_comesOnAThreadThatMayBlock() {
		start(builder());
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		CompletableFuture<InvokeResult> result = this.server.invoke(request(CALLS, "waitForGate", "{\"name\":\"x\"}"));
		result.whenComplete((done, failure) -> thread.complete(Thread.currentThread()));
		this.implementation.gate.countDown();
		assertThat(thread.join()).isNotInstanceOf(EventLoopThread.class);
	}

	@Test
	void attachments_goBothWays() {
		InvokeResult answer = invoke(seen(new Attachments().put("tenant", "Übersee"), null));
		assertThat(answer.json()).isEqualTo("{\"value\":\"anonymous Übersee null\"}");
		assertThat(answer.attachments().asMap()).containsEntry("cost", "7").containsEntry("city", "Köln").hasSize(2);
	}

	@Test
	void declaredException_isAnError_andTheMethodHasRun() {
		InvokeResult answer = invoke(request(DESK, "order", "{\"order\": {\"article\": \"tea\"}}"));
		assertThat(answer.status()).isEqualTo(RpcStatus.UNKNOWN);
		assertThat(answer.json()).startsWith("{\"code\":\"unknown\",\"message\":").contains("no tea", "details");
		assertThat(answer.mayHaveRun()).isTrue();
	}

	@Test
	void undeclaredException_isAnError() {
		InvokeResult answer = invoke(request(CALLS, "breakDown", "{\"message\": \"secret\"}"));
		assertThat(answer.status()).isEqualTo(RpcStatus.UNKNOWN);
		assertThat(answer.json()).contains("IllegalStateException").doesNotContain("secret");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			greet | Ann        | no JSON at byte
			greet | ~~         | no body
			greet | {"nam":1}  | nam
			order | {"order":{"number":"x"}} | order.number:
			""")
	void badArguments_areNamed_andTheMethodDoesNotRun(String method, String json, String problem) {
		InvokeResult answer = invoke(request(method.equals("order") ? DESK : CALLS, method, json));
		assertThat(answer.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT);
		assertThat(answer.json()).contains(problem);
		assertThat(answer.mayHaveRun()).isFalse();
		assertThat(this.implementation.executed).hasValue(0);
	}

	@Test
	void interceptors_seeAndRefuseCalls() {
		List<String> methods = new ArrayList<>();
		start(builder().interceptor((call) -> {
			methods.add(call.method().name());
			if (call.method().name().equals("add")) {
				throw new RpcException(RpcStatus.INVALID_ARGUMENT, "left: must be positive", false);
			}
			return call.proceed();
		}));
		assertThat(greet().status()).isEqualTo(RpcStatus.OK);
		InvokeResult invalid = invoke(request(CALLS, "add", "{}"));
		assertThat(invalid.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT);
		assertThat(invalid.json()).contains("left: must be positive");
		assertThat(methods).containsExactly("greet", "add");
	}

	@Test
	void deadline_endsCall() {
		start(builder());
		InvokeResult late = invoke(new InvokeRequest(CALLS, "waitForGate", "{\"name\":\"x\"}", Duration.ofMillis(100),
				Attachments.none(), null));
		assertThat(late.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
		assertThat(late.took()).isBetween(Duration.ofMillis(100), Duration.ofSeconds(20));
	}

	@Test
	void deadline_endsCallOfBlockedEventLoop() {
		start(builder().dispatch(Dispatch.EVENT_LOOP));
		InvokeResult late = invoke(new InvokeRequest(CALLS, "waitForGate", "{\"name\":\"x\"}", Duration.ofMillis(100),
				Attachments.none(), null));
		assertThat(late.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
		assertThat(late.json()).contains("the server has not answered in time");
		this.implementation.gate.countDown();
	}

	@Test
	void fifthCall_isRefused_whileFourAreInFlight() {
		start(builder());
		List<CompletableFuture<InvokeResult>> held = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			held.add(this.server.invoke(request(CALLS, "waitForGate", "{\"name\":\"x\"}")));
		}
		awaitInFlight(4);
		InvokeResult refused = greet();
		assertThat(refused.status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
		assertThat(refused.json()).contains("4 calls of operators are in flight");
		assertThat(refused.mayHaveRun()).isFalse();
		this.implementation.gate.countDown();
		assertThat(held).allMatch((each) -> each.join().status() == RpcStatus.OK);
		for (int i = 0; i < 100; i++) { // the permits and the connections are free again
			assertThat(greet().status()).isEqualTo(RpcStatus.OK);
		}
	}

	@Test
	void limitOfCallsInFlight_holds() {
		start(builder().maxInFlightCalls(1));
		CompletableFuture<InvokeResult> held = this.server.invoke(request(CALLS, "waitForGate", "{\"name\":\"x\"}"));
		awaitInFlight(1);
		InvokeResult refused = greet();
		assertThat(refused.status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
		assertThat(refused.json()).contains("rpc.server.limits.in-flight-calls");
		this.implementation.gate.countDown();
		assertThat(held.join().status()).isEqualTo(RpcStatus.OK);
	}

	@Test
	void responseBeyondTheLimit_isAnError() {
		start(builder().maxFrameSize(64 * 1024));
		InvokeResult answer = invoke(request(CALLS, "grow", "{\"size\": 100000}"));
		assertThat(answer.status()).isNotEqualTo(RpcStatus.OK);
		assertThat(answer.json()).contains("max-frame-size");
	}

	@Test
	void largeArguments_areReadInParts_andTooLargeOnesRefused() {
		start(builder().maxFrameSize(1024 * 1024));
		String text = "x".repeat(900 * 1024);
		assertThat(invoke(request(CALLS, "greet", "{\"name\":\"%s\"}".formatted(text))).json())
			.isEqualTo("{\"value\":\"hello %s\"}".formatted(text));
		InvokeResult refused = invoke(request(CALLS, "greet", "{\"name\":\"%s\"}".formatted(text + text)));
		assertThat(refused.status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
		assertThat(refused.json()).contains("max-frame-size");
	}

	@Test
	void attachments_areTaken_upToTheirLimit() {
		start(builder().maxAttachmentsSize(60_000));
		Attachments large = new Attachments().put("tenant", "x".repeat(59_000));
		assertThat(invoke(nothing(large)).status()).isEqualTo(RpcStatus.OK);
		Attachments beyond = new Attachments().put("tenant", "x".repeat(61_000));
		assertThatIllegalArgumentException().isThrownBy(() -> invoke(nothing(beyond)))
			.withMessageContaining("max-attachments-size");
	}

	private static InvokeRequest nothing(Attachments attachments) {
		return new InvokeRequest(CALLS, "nothing", "{}", Duration.ofSeconds(30), attachments, null);
	}

	@Test
	void unknownMethod_isNotFound_withTheNearest() {
		start(builder().service(Desk.class, new DeskImpl()));
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> invoke(request(CALLS, "gret", "{}")))
			.withMessageContaining("nearest: Greet");
		assertThatExceptionOfType(NoSuchElementException.class)
			.isThrownBy(() -> invoke(request(new ServiceId("Calls", "", ""), "greet", "{}")))
			.withMessageContaining("nearest: io.rpcboot.engine.fixture.Calls");
		assertThatExceptionOfType(NoSuchElementException.class)
			.isThrownBy(() -> invoke(request(new ServiceId(CALLS.name(), "2", ""), "greet", "{}")))
			.withMessageContaining("rpc-version '2'");
		assertThatExceptionOfType(NoSuchElementException.class)
			.isThrownBy(() -> invoke(request(CALLS, "greet\r\nX: y", "{}")))
			.withMessageContaining("has no method");
	}

	@Test
	void methodWithStream_isNamed() {
		start(builder().service(Desk.class, new DeskImpl()));
		assertThatIllegalArgumentException().isThrownBy(() -> invoke(request(DESK, "feed", "{\"count\":1}")))
			.withMessageContaining("takes or returns a stream");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> invoke(request(new ServiceId("grpc.health.v1.Health", "", ""), "Check", "{}")))
			.withMessageContaining("belongs to the server itself");
	}

	@Test
	void drainedServer_refuses_untilItIsOnline() {
		start(builder());
		assertThat(greet().status()).isEqualTo(RpcStatus.OK);
		this.server.drain("test");
		InvokeResult refused = greet();
		assertThat(refused.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(refused.mayHaveRun()).isFalse();
		this.server.online("test");
		assertThat(greet().status()).isEqualTo(RpcStatus.OK);
	}

	@Test
	void shutdown_drainsCallOfOperator() {
		start(builder());
		CompletableFuture<InvokeResult> held = this.server.invoke(request(CALLS, "waitForGate", "{\"name\":\"x\"}"));
		awaitInFlight(1);
		CompletableFuture<Void> shutdown = CompletableFuture
			.runAsync(() -> this.server.shutdown(Duration.ofSeconds(60)));
		Eventually.until("it stops", () -> {
			try {
				this.server.invoke(request(CALLS, "nothing", "{}"));
				return false;
			}
			catch (IllegalStateException ex) {
				return true;
			}
		});
		this.implementation.gate.countDown();
		assertThat(held.orTimeout(60, TimeUnit.SECONDS).join().json()).isEqualTo("{\"value\":\"passed x\"}");
		shutdown.join();
		Eventually.until("no thread is left",
				() -> Thread.getAllStackTraces()
					.keySet()
					.stream()
					.noneMatch((each) -> each.getName().startsWith("rpc-operator")));
	}

	@Test
	void server_saysWhatItLacks() {
		RpcServer unbound = builder().build();
		assertThatIllegalStateException().isThrownBy(() -> unbound.invoke(request(CALLS, "greet", "{}")))
			.withMessageContaining("not started");
		unbound.close();
		start(builder().protocols(Protocol.NATIVE, Protocol.GRPC));
		assertThatIllegalStateException().isThrownBy(this::greet)
			.withMessageContaining("rpc.server.protocols")
			.withMessageContaining("expected: connect");
	}

	private static CallerIdentity user(Credentials credentials) {
		if (!credentials.value().startsWith("user-")) {
			throw new RpcException(RpcStatus.UNAUTHENTICATED, "no such user", false);
		}
		return CallerIdentity.of(() -> credentials.value().substring(5), Instant.MAX);
	}

	/**
	 * Nothing of the application goes along; credentials need no TLS within a process.
	 */
	@Test
	void rules_decide_withTypedCredentialsAlone() {
		start(builder().service(ServiceDescriptor.of(Desk.class), DeskImpl::new, ServiceOptions.defaults())
			.tls(new Authority().here())
			.access(AccessOptions.defaults()
				.withAuthenticator(OperatorCallsIntegrationTests::user)
				.withAuthorizer((caller, service, method) -> caller.getName().equals("ops"))));
		InvokeResult unknown = invoke(seen(Attachments.none(), null));
		assertThat(unknown.status()).isEqualTo(RpcStatus.UNAUTHENTICATED);
		assertThat(unknown.mayHaveRun()).isFalse();
		assertThat(invoke(seen(Attachments.none(), "wrong")).status()).isEqualTo(RpcStatus.UNAUTHENTICATED);
		assertThat(invoke(seen(Attachments.none(), "user-guest")).status()).isEqualTo(RpcStatus.PERMISSION_DENIED);
		assertThat(invoke(seen(Attachments.none(), "user-ops")).json()).startsWith("{\"value\":\"ops null");
		assertThat(this.log.messages()).noneMatch((each) -> each.contains("user-ops"));
	}

	@Test
	void portWithCertificates_takesOperatorWithCredentialsAlone() {
		TlsOptions tls = new Authority().here().withClientAuth(TlsOptions.ClientAuth.NEED);
		start(builder().tls(tls)
			.access(AccessOptions.defaults().withAuthenticator(OperatorCallsIntegrationTests::user)));
		InvokeResult refused = greet();
		assertThat(refused.status()).isEqualTo(RpcStatus.UNAUTHENTICATED);
		assertThat(refused.json()).contains("rpc.server.ssl.client-auth=need");
		assertThat(invoke(new InvokeRequest(CALLS, "greet", "{\"name\":\"Ann\"}", Duration.ofSeconds(30),
				Attachments.none(), Credentials.bearer("user-ops")))
			.json()).isEqualTo("{\"value\":\"hello Ann\"}");
	}

	@Test
	void portWithCertificates_refusesCredentials_withoutAnAuthenticator() {
		start(builder().tls(new Authority().here().withClientAuth(TlsOptions.ClientAuth.NEED)));
		assertThat(invoke(new InvokeRequest(CALLS, "greet", "{}", Duration.ofSeconds(30), Attachments.none(),
				Credentials.bearer("any")))
			.status()).isEqualTo(RpcStatus.UNAUTHENTICATED);
	}

	/** The port is not touched. */
	@Test
	void limitsOfThePort_doNotApply() {
		start(builder().admission(AdmissionOptions.defaults().withAllowed(List.of("192.0.2.1"))).maxConnections(1));
		assertThat(greet().status()).isEqualTo(RpcStatus.OK);
	}

	@Test
	void serverWithoutSockets_isCalled() {
		start(builder().eventLoop(EventLoopOptions.defaults().withTransport(EventLoopOptions.Transport.IN_PROCESS)));
		assertThat(greet().json()).isEqualTo("{\"value\":\"hello Ann\"}");
	}

	@Test
	void request_isChecked_andShowsNothing() {
		for (Duration wrong : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofSeconds(61),
				Duration.ofSeconds(Long.MAX_VALUE))) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> new InvokeRequest(CALLS, "greet", "{}", wrong, Attachments.none(), null))
				.withMessageContaining("(expected: 1ms to 60s)");
		}
		assertThatIllegalArgumentException()
			.isThrownBy(() -> seen(new Attachments().put("Authorization", "Bearer x"), null))
			.withMessageContaining("expected: as credentials");
		assertThat(seen(new Attachments().put("tenant", "secret"), "secret").toString()).isEqualTo(DESK + "/seen");
	}

	@Test
	void example_hasEachField_andCanBeRead() {
		start(builder().service(Desk.class, new DeskImpl()));
		String example = this.server.argumentsOf(DESK, "order(io.rpcboot.engine.http.Desk$Order,java.util.List)");
		assertThat(example)
			.startsWith("{\"order\":{\"article\":\"\",\"number\":\"0\",\"urgent\":false,\"next\":{\"article\":")
			.endsWith(",\"notes\":[]}");
		assertThat(invoke(request(DESK, "order", example)).status()).isEqualTo(RpcStatus.UNKNOWN);
		assertThat(this.server.argumentsOf(CALLS, "add")).isEqualTo("{\"left\":0,\"right\":0}");
		assertThat(this.server.argumentsOf(CALLS, "nothing")).isEqualTo("{}");
		assertThatExceptionOfType(NoSuchElementException.class)
			.isThrownBy(() -> this.server.argumentsOf(CALLS, "none"));
	}

}
