package io.rpcboot.engine.grpc;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.ContextCalls;
import io.rpcboot.engine.fixture.ContextCallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.server.Dispatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Calls of all styles over gRPC, on every dispatch. */
class GrpcCallsIntegrationTests extends AbstractGrpcEngine {

	private static final int INVALID_ARGUMENT = 3;

	private static final int UNKNOWN = 2;

	private Http2Peer connect(Dispatch dispatch) {
		assumeTrue(dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21, "Java has virtual threads");
		start(builder().dispatch(dispatch));
		return connect();
	}

	private static byte[] random(int size) {
		byte[] bytes = new byte[size];
		new Random(size).nextBytes(bytes);
		return bytes;
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void methodsOfEveryStyle_return(Dispatch dispatch) throws Exception {
		Http2Peer peer = connect(dispatch);
		for (int i = 0; i < 5; i++) { // by template from the third on
			assertThat(peer.call("Greet", GrpcBytes.text("Doug")).text()).isEqualTo("hello Doug");
			assertThat(peer.call("Later", GrpcBytes.text("Doug")).text()).isEqualTo("later Doug");
			assertThat(peer.call("EchoLater", GrpcBytes.field(1, random(300))).result()).isEqualTo(random(300));
			assertThat(peer.call("Nothing").result()).isEmpty();
			assertThat(peer.call("Notice", GrpcBytes.text("n" + i)).result()).as("one-way").isEmpty();
			assertThat(this.implementation.noticed.poll(20, TimeUnit.SECONDS)).isEqualTo("n" + i);
		}
		assertThat(peer.call("Greet").text()).as("a null argument").isEqualTo("hello null");
		assertThat(peer.call("greet", GrpcBytes.text("x")).text()).as("spelled as in Java").isEqualTo("hello x");
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void bodiesOfAllSizes_areEchoed(Dispatch dispatch) throws Exception {
		Http2Peer peer = connect(dispatch);
		for (int size : new int[] { 0, 1, 127, 128, 1019, 8187, 8188, 8192, 16_373, 16_384, 32_768, 65_523, 65_530,
				65_531, 65_536, 300_000, 1 << 20, (8 << 20) - 64 }) {
			assertThat(peer.call("Echo", GrpcBytes.field(1, random(size))).result()).as("size %d", size)
				.isEqualTo(random(size));
		}
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void requests_areRead_howeverTheyAreCut(Dispatch dispatch) throws Exception {
		Http2Peer peer = connect(dispatch);
		Random random = new Random(7);
		peer.cutting((most) -> 1 + random.nextInt(Math.min(most, 9)));
		for (int size : new int[] { 0, 1, 3, 200, 9000 }) {
			assertThat(peer.call("Echo", GrpcBytes.field(1, random(size))).result()).as("size %d", size)
				.isEqualTo(random(size));
		}
		peer.cutting((most) -> 1 + random.nextInt(most));
		assertThat(peer.call("Echo", GrpcBytes.field(1, random(2 << 20))).result()).isEqualTo(random(2 << 20));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 255 })
	void padding_isSkipped(int padding) throws Exception {
		Http2Peer peer = connect();
		byte[] message = GrpcBytes.message(GrpcBytes.text("Doug"));
		GrpcExchange call = peer.open(GrpcBytes.request(Http2Peer.path("Greet")), false);
		for (byte each : message) {
			peer.dataAtOnce(call, new byte[] { each }, padding, false);
		}
		peer.dataAtOnce(call, new byte[0], padding, true);
		assertThat(call.text()).isEqualTo("hello Doug");
	}

	@Test
	void request_mayEndWithEmptyDataOrTrailers() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange first = peer.open(GrpcBytes.request(Http2Peer.path("Greet")), false);
		peer.data(first, GrpcBytes.message(GrpcBytes.text("a")), false);
		peer.data(first, new byte[0], true);
		assertThat(first.text()).isEqualTo("hello a");
		GrpcExchange second = peer.open(GrpcBytes.request(Http2Peer.path("Greet")), false);
		peer.data(second, GrpcBytes.message(GrpcBytes.text("b")), false);
		peer.trailers(second, new DefaultHttp2Headers().add("x-end", "1"), true);
		assertThat(second.text()).isEqualTo("hello b");
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void exceptions_areTrailersAlone(Dispatch dispatch) throws Exception {
		Http2Peer peer = connect(dispatch);
		GrpcExchange declared = peer.call("Refuse", GrpcBytes.text("too late"));
		assertThat(declared.status()).isEqualTo(UNKNOWN);
		assertThat(declared.headers).as("HEADERS and trailers are one").hasSize(1);
		assertThat(declared.message()).isEqualTo("RefusedException: too late");
		byte[] details = Base64.getDecoder().decode(declared.field("grpc-status-details-bin"));
		assertThat(new String(details, StandardCharsets.ISO_8859_1)).contains("RefusedException").contains("too late");
		assertThat(peer.call("RefuseLater", GrpcBytes.text("no")).status()).isEqualTo(UNKNOWN);
		GrpcExchange undeclared = peer.call("BreakDown", GrpcBytes.text("no more paper"));
		assertThat(undeclared.status()).isEqualTo(UNKNOWN);
		assertThat(undeclared.message()).startsWith("java.lang.IllegalStateException: ")
			.doesNotContain("no more paper");
		assertThat(undeclared.field("rpc-executed")).isEqualTo("true");
		assertThat(undeclared.error).as("the request was complete").isNull();
		assertThat(peer.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
	}

	@Test
	void statusOfApplication_isSent_withMessageInAnyLanguage() throws Exception {
		start(builder().interceptor((invocation) -> {
			throw new RpcException(RpcStatus.INVALID_ARGUMENT, "100 % of Größe \n\t€ 😀", false);
		}));
		GrpcExchange call = connect().call("Greet", GrpcBytes.text("x"));
		assertThat(call.status()).isEqualTo(INVALID_ARGUMENT);
		assertThat(call.message()).isEqualTo("100 % of Größe \n\t€ 😀");
		assertThat(call.field("grpc-message")).matches("[ -~]+");
		assertThat(call.field("rpc-executed")).isEqualTo("false");
		assertThat(this.implementation.executed).hasValue(0);
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void attachments_travelBothWays(Dispatch dispatch) throws Exception {
		assumeTrue(dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21, "Java has virtual threads");
		ContextCallsImpl context = new ContextCallsImpl();
		start(builder().dispatch(dispatch).service(ContextCalls.class, context).interceptor((invocation) -> {
			Object result = invocation.proceed();
			invocation.context().replyAttachments().put("reply", "plain");
			invocation.context().replyAttachments().put("euro", "3 €");
			return result;
		}));
		Http2Peer peer = connect();
		for (int i = 0; i < 3; i++) {
			Http2Headers headers = GrpcBytes.request("/io.rpcboot.engine.fixture.ContextCalls/Look")
				.add("plain", "a b")
				.add("euro-bin",
						Base64.getEncoder().withoutPadding().encodeToString("2 €".getBytes(StandardCharsets.UTF_8)))
				.add("key-bin", "AP8B")
				.add("user-agent", "test")
				.add("grpc-trace-x", "reserved")
				.add("number", String.valueOf(i));
			GrpcExchange call = peer.open(headers, false);
			peer.data(call, GrpcBytes.message(GrpcBytes.text("w")), true);
			assertThat(call.status()).as(call.message()).isZero();
			Map<String, String> seen = context.seen.poll(20, TimeUnit.SECONDS);
			assertThat(seen).containsEntry("plain", "a b")
				.containsEntry("euro", "2 €")
				.containsEntry("key-bin", "AP8B")
				.containsEntry("number", String.valueOf(i))
				.doesNotContainKeys("user-agent", "grpc-trace-x", "te", "content-type", ":path");
			assertThat(call.field("reply")).isEqualTo("plain");
			assertThat(call.field("echo")).isEqualTo("w");
			assertThat(new String(Base64.getDecoder().decode(call.field("euro-bin")), StandardCharsets.UTF_8))
				.isEqualTo("3 €");
			assertThat(call.headers).hasSize(2);
		}
	}

	@Test
	void attachmentThatIsNotBase64_isRejected() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(GrpcBytes.request(Http2Peer.path("Greet")).add("key-bin", "*"), false);
		peer.data(call, GrpcBytes.message(GrpcBytes.text("x")), true);
		assertThat(call.status()).isEqualTo(13);
		assertThat(call.message()).contains("key-bin");
		assertThat(this.implementation.executed).hasValue(0);
	}

	/** The template of a success is made anew behind each change of the header table. */
	@ParameterizedTest
	@ValueSource(ints = { 0, 40, 64, 4096, 100_000 })
	void successes_areRead_afterHeaderTableHasChanged(int size) throws Exception {
		Http2Peer peer = connect();
		List<GrpcExchange> calls = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			calls.add(peer.call("Greet", GrpcBytes.text("a" + i)));
			assertThat(peer.call("Refuse", GrpcBytes.text("a" + i)).status()).isEqualTo(UNKNOWN);
		}
		for (GrpcExchange each : calls) {
			assertThat(each.text()).startsWith("hello a");
		}
		peer.headerTable(size);
		for (int i = 0; i < 5; i++) {
			assertThat(peer.call("Greet", GrpcBytes.text("b")).text()).isEqualTo("hello b");
			assertThat(peer.call("BreakDown", GrpcBytes.text("b")).status()).isEqualTo(UNKNOWN);
		}
	}

	@ParameterizedTest
	@CsvSource({ "false", "true" })
	void interceptors_seeCall(boolean early) throws Exception {
		List<String> methods = new ArrayList<>();
		start(builder().interceptor(new RpcServerInterceptor() {

			@Override
			public Object intercept(ServerInvocation invocation) throws Throwable {
				methods.add(invocation.context().method().name() + " "
						+ invocation.context().remaining().compareTo(Duration.ofSeconds(20)));
				return invocation.proceed();
			}

			@Override
			public Position position() {
				return early ? Position.BEFORE_ARGUMENTS : Position.AROUND_IMPLEMENTATION;
			}

		}));
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(GrpcBytes.request(Http2Peer.path("Greet")).add("grpc-timeout", "20S"), false);
		peer.data(call, GrpcBytes.message(GrpcBytes.text("x")), true);
		assertThat(call.text()).isEqualTo("hello x");
		assertThat(methods).containsExactly("greet -1");
	}

	/** Records how often each method has ended with each status. */
	private static final class Recorded implements RpcMetrics {

		private final RpcMetrics gauges;

		private final Map<String, Integer> calls = new ConcurrentHashMap<>();

		Recorded(RpcMetrics gauges) {
			this.gauges = gauges;
		}

		@Override
		public CallRecorder calls(Side side, MethodDescriptor method) {
			return (status, nanos, peer) -> this.calls.merge(method.name() + " " + status, 1, Integer::sum);
		}

		@Override
		public TransportRecorder transport(Side side) {
			return this.gauges.transport(side);
		}

		@Override
		public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
			return this.gauges.gauge(level, subject, value);
		}

	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void calls_areRecordedOnce(Dispatch dispatch) throws Exception {
		assumeTrue(dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21, "Java has virtual threads");
		Recorded metrics = new Recorded(this.accounts);
		start(builder().dispatch(dispatch).metrics(metrics));
		Http2Peer peer = connect();
		for (int i = 0; i < 100; i++) {
			assertThat(peer.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
		}
		peer.call("Refuse", GrpcBytes.text("x")).await();
		peer.call("BreakDown", GrpcBytes.text("x")).await();
		peer.call("Notice", GrpcBytes.text("x")).await();
		peer.call("Grow", GrpcBytes.number(1_000_000)).await();
		GrpcExchange cancelled = peer.call("LaterAtGate", GrpcBytes.text("x"));
		Eventually.until("it runs", () -> !this.implementation.futures.isEmpty());
		peer.reset(cancelled, Http2Error.CANCEL);
		Map<String, Integer> expected = Map.of("greet OK", 100, "refuse DECLARED", 1, "breakDown APPLICATION", 1,
				"notice OK", 1, "grow OK", 1, "laterAtGate CANCELLED", 1);
		Eventually.until("recorded: " + metrics.calls, () -> metrics.calls.equals(expected));
		awaitInFlight(0);
		assertThat(metrics.calls).isEqualTo(expected);
	}

	@Test
	void bothProtocols_shareOnePort() throws Exception {
		Http2Peer peer = connect();
		try (RpcClient client = RpcClient.builder().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
			for (int i = 0; i < 200; i++) {
				GrpcExchange call = peer.call("Greet", GrpcBytes.text("g" + i));
				assertThat(calls.greet("n" + i)).isEqualTo("hello n" + i);
				assertThat(call.text()).isEqualTo("hello g" + i);
			}
			assertThat(this.server.connections()).hasSizeGreaterThanOrEqualTo(2);
		}
	}

	@Test
	void health_answers_unaryCallAndStream() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange check = peer.open(GrpcBytes.request("/grpc.health.v1.Health/Check"), false);
		peer.data(check, GrpcBytes.message(), true);
		assertThat(check.status()).as(check.message()).isZero();
		assertThat(GrpcBytes.messages(check.data())).hasSize(1);
		GrpcExchange unknown = peer.open(GrpcBytes.request("/grpc.health.v1.Health/Check"), false);
		peer.data(unknown, GrpcBytes.message(GrpcBytes.text("no.Such")), true);
		assertThat(unknown.status()).isEqualTo(5);
		GrpcExchange watch = peer.open(GrpcBytes.request("/grpc.health.v1.Health/Watch"), false);
		peer.data(watch, GrpcBytes.message(), true);
		peer.awaitRead(1);
		Eventually.until("the state is told", () -> !watch.headers.isEmpty());
		assertThat(watch.end).isNotDone();
		peer.reset(watch, Http2Error.CANCEL);
		peer.awaitRead(2);
		assertThat(peer.call("Greet", GrpcBytes.text("x")).text()).isEqualTo("hello x");
	}

	@Test
	void reflection_listsServices_inOneStream() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange stream = peer.open(GrpcBytes.request("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"),
				false);
		for (int i = 0; i < 50; i++) {
			peer.data(stream, GrpcBytes.message(GrpcBytes.field(7, (byte) '*')), false);
		}
		peer.data(stream, new byte[0], true);
		assertThat(stream.status()).as(stream.message()).isZero();
		List<byte[]> answers = GrpcBytes.messages(stream.data());
		assertThat(answers).hasSize(50);
		assertThat(new String(answers.get(49), StandardCharsets.ISO_8859_1)).contains(Calls.class.getName());
	}

	@Test
	void settings_mayComeAtAnyTime() throws Exception {
		Http2Peer peer = connect();
		for (int i = 0; i < 50; i++) {
			GrpcExchange call = peer.call("Echo", GrpcBytes.field(1, random(10_000)));
			peer.settings(new Http2Settings().initialWindowSize(100 + i * 100).maxFrameSize(16_384 + i));
			assertThat(call.result()).isEqualTo(random(10_000));
		}
	}

}
