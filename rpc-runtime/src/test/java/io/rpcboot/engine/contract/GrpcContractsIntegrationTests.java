package io.rpcboot.engine.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.evolution.CompiledVersion;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Two versions of an interface whose types have numbers on the wire. */
@Timeout(120)
class GrpcContractsIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	private static final String TWO = "String symbol, String price";

	private static final String THREE_IN_MIDDLE = "String symbol, String isin, String price";

	private static final String THREE_AT_END = "String symbol, String price, String note";

	private static final String SINGLE = "Quote exchange(Quote value);";

	private static final String STREAM = "java.util.concurrent.Flow.Publisher<Quote> exchange(Quote value);";

	private final LeakWatch leaks = new LeakWatch();

	private final RpcClient client = RpcClient.builder().build();

	private final AtomicInteger executed = new AtomicInteger();

	@AfterEach
	void stop() {
		assertThat(Eventually.within(LONG, () -> this.client.pendingCalls() == 0)).as("pending calls").isTrue();
		this.client.close();
		this.leaks.assertNoLeak();
		this.leaks.close();
	}

	private static CompiledVersion version(String components, String method) {
		int count = components.split(",").length;
		String values = (count == 2) ? "\"acme\", \"12\"" : "\"acme\", \"12\", \"13\"";
		return CompiledVersion.of("record Quote(%s) {} %s static Object value() { return new Quote(%s); }"
			.formatted(components, method, values));
	}

	private RpcServer serverOf(CompiledVersion version) {
		return serverOf(version, EventLoopOptions.defaults());
	}

	private RpcServer serverOf(CompiledVersion version, EventLoopOptions loops) {
		Object implementation = Proxy.newProxyInstance(version.service().getClassLoader(),
				new Class<?>[] { version.service() }, (self, method, arguments) -> {
					if (method.getName().equals(CompiledVersion.UNTOUCHED)) {
						return arguments[0];
					}
					this.executed.incrementAndGet();
					return method.getReturnType().getSimpleName().equals("Publisher")
							? JdkFlowAdapter.publisherToFlowPublisher(Flux.just(arguments[0], arguments[0]))
							: arguments[0];
				});
		return RpcServer.builder().port(0).eventLoop(loops).service(version.descriptor(), () -> implementation).start();
	}

	private static Object call(CompiledVersion version, Object remote) throws Throwable {
		try {
			Object result = version.method().invoke(remote, version.value());
			return (result instanceof Flow.Publisher<?> publisher)
					? JdkFlowAdapter.flowPublisherToFlux(publisher).collectList().block() : result;
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	private static Object untouched(CompiledVersion version, Object remote) throws Exception {
		return version.service().getMethod(CompiledVersion.UNTOUCHED, int.class).invoke(remote, 3);
	}

	private Object reference(CompiledVersion version, RpcServer server, Protocol protocol) {
		return this.client.reference(version.service(), ReferenceStates.at(server).withProtocol(protocol));
	}

	@ParameterizedTest
	@ValueSource(strings = { SINGLE, STREAM })
	void fieldInTheMiddle_isRefused_withDifference(String method) throws Throwable {
		CompiledVersion ours = version(TWO, method);
		CompiledVersion theirs = version(THREE_IN_MIDDLE, method);
		try (RpcServer server = serverOf(theirs); LogRecorder log = new LogRecorder("rpc.client")) {
			Object remote = reference(ours, server, Protocol.GRPC);
			for (int i = 0; i < 3; i++) {
				assertThatExceptionOfType(RpcException.class).isThrownBy(() -> call(ours, remote)).satisfies((ex) -> {
					assertThat(ex.status()).isEqualTo(RpcStatus.FAILED_PRECONDITION);
					assertThat(ex.mayHaveExecuted()).isFalse();
					assertThat(ex).hasMessageContaining(
							"field price of evolution.ApiQuote: number 2 at the client, 3 at the server");
				});
			}
			assertThat(untouched(ours, remote)).isEqualTo(3);
			assertThat(this.executed).hasValue(0);
			assertThat(log.messages()).anyMatch((each) -> each.contains("1 of 2 methods are refused"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { SINGLE, STREAM })
	void fieldAtTheEnd_isNoDifference(String method) throws Throwable {
		CompiledVersion ours = version(TWO, method);
		CompiledVersion theirs = version(THREE_AT_END, method);
		try (RpcServer server = serverOf(theirs); RpcServer older = serverOf(ours)) {
			Object remote = reference(ours, server, Protocol.GRPC);
			assertThat(call(ours, remote)).asString().contains("Quote[symbol=acme, price=12]");
			assertThat(call(ours, remote)).asString().contains("Quote[symbol=acme, price=12]");
			assertThat(this.executed).hasValue(2);
			Object newer = reference(theirs, older, Protocol.GRPC);
			assertThat(call(theirs, newer)).asString().contains("Quote[symbol=acme, price=12, note=null]");
		}
	}

	@Test
	void concurrentFirstCalls_areAllAnswered_afterOneComparison() throws Throwable {
		CompiledVersion ours = version(TWO, "java.util.concurrent.CompletableFuture<Quote> exchange(Quote value);");
		CompiledVersion theirs = version(THREE_AT_END,
				"java.util.concurrent.CompletableFuture<Quote> exchange(Quote value);");
		Object implementation = Proxy.newProxyInstance(theirs.service().getClassLoader(),
				new Class<?>[] { theirs.service() },
				(self, method, arguments) -> CompletableFuture.completedFuture(arguments[0]));
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.service(theirs.descriptor(), () -> implementation)
			.start()) {
			Object remote = reference(ours, server, Protocol.GRPC);
			List<CompletableFuture<?>> calls = new ArrayList<>();
			for (int i = 0; i < 200; i++) {
				calls.add((CompletableFuture<?>) ours.method().invoke(remote, ours.value()));
			}
			CompletableFuture.allOf(calls.toArray(new CompletableFuture<?>[0])).join();
			assertThat(calls).allSatisfy((each) -> assertThat(each.join()).hasToString("Quote[symbol=acme, price=12]"));
		}
	}

	@Test
	void nativeReference_refusesStream_beforeItOpensHttp2() throws Throwable {
		CompiledVersion ours = version(TWO, STREAM);
		try (RpcServer server = serverOf(version(THREE_IN_MIDDLE, STREAM))) {
			Object remote = reference(ours, server, Protocol.NATIVE);
			assertThat(untouched(ours, remote)).isEqualTo(3);
			Eventually.until("the contracts are compared",
					() -> !this.client.references().get(0).instances().get(0).problem().isEmpty());
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> call(ours, remote))
				.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.FAILED_PRECONDITION))
				.withMessageContaining("field price of evolution.ApiQuote: number 2 at the client, 3 at the server");
			assertThat(this.client.references()).extracting(ReferenceInfo::protocol).containsExactly(Protocol.NATIVE);
			assertThat(server.connections()).hasSize(1);
			assertThat(this.executed).hasValue(0);
		}
	}

	/** Elements that were taken from the caller cannot be sent again. */
	@Test
	void firstUploadOfNativeReference_arrives_atNewerServer() throws Throwable {
		String upload = "java.util.concurrent.CompletableFuture<Integer> exchange(java.util.concurrent.Flow.Publisher<Quote> values);";
		CompiledVersion ours = version(TWO, upload);
		CompiledVersion theirs = version(THREE_AT_END, upload);
		Object implementation = Proxy.newProxyInstance(theirs.service().getClassLoader(),
				new Class<?>[] { theirs.service() },
				(self, method, arguments) -> method.getName().equals(CompiledVersion.UNTOUCHED) ? arguments[0]
						: JdkFlowAdapter.flowPublisherToFlux((Flow.Publisher<?>) arguments[0])
							.count()
							.map(Long::intValue)
							.toFuture());
		try (RpcServer server = RpcServer.builder().port(0).service(theirs.descriptor(), () -> implementation).start();
				LogRecorder log = new LogRecorder("rpc")) {
			Object remote = reference(ours, server, Protocol.NATIVE);
			assertThat(untouched(ours, remote)).isEqualTo(3);
			Eventually.until("the contracts are compared",
					() -> log.messages().stream().anyMatch((each) -> each.contains("Fields are missing")));
			Object values = JdkFlowAdapter.publisherToFlowPublisher(Flux.range(0, 100).map((each) -> ours.value()));
			CompletableFuture<?> count = (CompletableFuture<?>) Arrays.stream(ours.service().getMethods())
				.filter((each) -> each.getName().equals("exchange"))
				.findFirst()
				.orElseThrow()
				.invoke(remote, values);
			assertThat(count.get(20, TimeUnit.SECONDS)).isEqualTo(100);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void inProcess_differenceIsFound(Protocol protocol) throws Throwable {
		EventLoopOptions inProcess = EventLoopOptions.defaults().withTransport(EventLoopOptions.Transport.IN_PROCESS);
		CompiledVersion ours = version(TWO, STREAM);
		try (RpcServer server = serverOf(version(THREE_IN_MIDDLE, STREAM), inProcess);
				RpcClient near = RpcClient.builder().eventLoop(inProcess).build()) {
			ReferenceOptions options = ReferenceStates.at(server).withProtocol(protocol);
			Object remote = near.reference(ours.service(), options);
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> call(ours, remote))
				.withMessageContaining("field price of evolution.ApiQuote: number 2 at the client, 3 at the server");
			assertThat(this.executed).hasValue(0);
		}
	}

}
