package io.rpcboot.engine.stream;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.stream.Feeds.Tick;
import io.rpcboot.engine.stream.Uploads.Mode;
import io.rpcboot.evolution.CompiledVersion;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A native reference whose interface has methods with streams. */
@Timeout(120)
class NativeReferenceStreamsIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	private final FeedsImpl feeds = new FeedsImpl();

	private final LeakWatch leaks = new LeakWatch();

	private RpcServer server;

	private RpcClient client;

	@BeforeEach
	void start() {
		this.server = RpcServer.builder()
			.port(0)
			.service(Feeds.class, this.feeds)
			.service(Uploads.class, new UploadsImpl())
			.start();
		this.client = RpcClient.builder().build();
	}

	@AfterEach
	void stop() {
		assertThat(Eventually.within(LONG, () -> this.client.pendingCalls() == 0)).as("pending calls").isTrue();
		this.client.close();
		this.server.close();
		this.leaks.assertNoLeak();
		this.leaks.close();
	}

	private static List<Tick> ticks(int count) {
		return IntStream.range(0, count).mapToObj(Tick::of).toList();
	}

	private List<Protocol> protocols() {
		return this.client.references().stream().map(ReferenceInfo::protocol).toList();
	}

	@Test
	void singleCalls_areNative_andStreamsUseHttp2OfSamePort() {
		try (LogRecorder log = new LogRecorder("rpc")) {
			Feeds remote = this.client.reference(Feeds.class, ReferenceStates.at(this.server));
			assertThat(remote.echo("native")).isEqualTo("native");
			assertThat(protocols()).containsExactly(Protocol.NATIVE);
			assertThat(this.server.connections()).hasSize(1);
			assertThat(remote.flux(100).collectList().block()).isEqualTo(ticks(100));
			assertThat(remote.stream(10)).isEqualTo(ticks(10)).hasSize(10);
			assertThat(remote.echo("again")).isEqualTo("again");
			assertThat(protocols()).containsExactly(Protocol.NATIVE, Protocol.GRPC);
			assertThat(this.server.connections()).hasSize(2);
			Uploads uploads = this.client.reference(Uploads.class, ReferenceStates.at(this.server));
			assertThat(uploads.echo(Flux.fromIterable(ticks(50))).collectList().block()).isEqualTo(ticks(50));
			assertThat(uploads.sumOfIterator(ticks(5).iterator())).isEqualTo(10);
			assertThat(log.messages()).noneMatch((message) -> message.contains("refused"));
		}
	}

	/** Native connections and HTTP/2 encode them in different ways. */
	@Test
	void attachmentsOfInterceptor_arriveWithStreams() {
		this.client.close();
		this.client = RpcClient.builder().interceptor((call) -> {
			call.attachments().put("tenant", "acme");
			return call.proceed();
		}).build();
		Uploads remote = this.client.reference(Uploads.class, ReferenceStates.at(this.server));
		assertThat(remote.labelled("sum", Mode.LOUD, 2, Flux.just(1, 2), null).join()).isEqualTo("sum LOUD 6 acme");
	}

	@Test
	void optionsOfReference_areThoseOfItsStreams() {
		Feeds remote = this.client.reference(Feeds.class,
				ReferenceStates.at(this.server)
					.withTimeout(Duration.ofMillis(300))
					.withMethodTimeout("echo", Duration.ofSeconds(5)));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> remote.silent().blockLast())
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
		this.client.reconfigure(RpcClient.builder(),
				Map.of(remote, ReferenceStates.at(this.server).withMethodTimeout("endless", Duration.ofMillis(300))));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> remote.endless().blockLast())
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
	}

	@Test
	void serverWithoutHttp2_isNamed() {
		try (RpcServer old = RpcServer.builder()
			.port(0)
			.protocols(Protocol.NATIVE)
			.service(Echo.class, (text) -> text)
			.start()) {
			Feeds remote = this.client.reference(Feeds.class, ReferenceStates.at(old));
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> remote.flux(1).blockLast())
				.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE))
				.satisfies((ex) -> assertThat(ex.mayHaveExecuted()).isFalse());
		}
	}

	/** A service without streams. */
	@FunctionalInterface
	public interface Echo {

		String echo(String text);

	}

	/** Streams of types that protobuf does not carry. */
	public interface Anything {

		Flux<Object> all();

		Object one();

	}

	@Test
	void streamThatProtobufDoesNotCarry_endsStart() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> this.client.reference(Anything.class, ReferenceStates.at(this.server)))
			.withMessageContaining("has streams that protobuf does not carry")
			.withMessageContaining("all()");
	}

	@Test
	void inProcess_streamsArrive() {
		EventLoopOptions inProcess = EventLoopOptions.defaults().withTransport(EventLoopOptions.Transport.IN_PROCESS);
		try (RpcServer near = RpcServer.builder()
			.port(0)
			.eventLoop(inProcess)
			.service(Feeds.class, this.feeds)
			.service(Uploads.class, new UploadsImpl())
			.start(); RpcClient beside = RpcClient.builder().eventLoop(inProcess).build()) {
			Feeds remote = beside.reference(Feeds.class, ReferenceStates.at(near));
			assertThat(remote.flux(1000).collectList().block()).isEqualTo(ticks(1000));
			Uploads uploads = beside.reference(Uploads.class, ReferenceStates.at(near));
			assertThat(uploads.echo(Flux.fromIterable(ticks(1000))).collectList().block()).isEqualTo(ticks(1000));
		}
	}

	@Test
	void differenceOfVersions_isFound_beforeFirstElement() throws Exception {
		CompiledVersion ours = version("String");
		CompiledVersion theirs = version("Integer");
		Object implementation = Proxy.newProxyInstance(theirs.service().getClassLoader(),
				new Class<?>[] { theirs.service() }, (self, method, arguments) -> (method.getReturnType() == int.class)
						? arguments[0] : JdkFlowAdapter.publisherToFlowPublisher(Flux.just(1)));
		try (RpcServer changed = RpcServer.builder()
			.port(0)
			.service(theirs.descriptor(), () -> implementation)
			.start()) {
			Object remote = this.client.reference(ours.service(), ReferenceStates.at(changed));
			assertThat(ours.service().getMethod(CompiledVersion.UNTOUCHED, int.class).invoke(remote, 3)).isEqualTo(3);
			Eventually.until("the difference is known",
					() -> catchThrowable(() -> ours.method().invoke(remote, 1)) != null);
			assertThatExceptionOfType(InvocationTargetException.class).isThrownBy(() -> ours.method().invoke(remote, 1))
				.satisfies((ex) -> assertThat(ex.getCause()).isInstanceOfSatisfying(RpcException.class, (refused) -> {
					assertThat(refused.status()).isEqualTo(RpcStatus.FAILED_PRECONDITION);
					assertThat(refused).hasMessageContaining("stream<java.lang.String>")
						.hasMessageContaining("stream<java.lang.Integer>");
				}));
		}
	}

	private static CompiledVersion version(String element) {
		return CompiledVersion.of("java.util.concurrent.Flow.Publisher<%s> exchange(int count);".formatted(element)
				+ " static Object value() { return 1; }");
	}

	/** The single method has what protobuf does not carry. */
	public interface Partly {

		Flux<Tick> all();

		Object one(Object any);

	}

	@Test
	void singleMethod_mayHaveTypesThatProtobufDoesNotCarry() {
		Partly implementation = new Partly() {

			@Override
			public Flux<Tick> all() {
				return Flux.fromIterable(ticks(3));
			}

			@Override
			public Object one(Object any) {
				return any;
			}

		};
		try (RpcServer partly = RpcServer.builder().port(0).service(Partly.class, implementation).start()) {
			Partly remote = this.client.reference(Partly.class, ReferenceStates.at(partly));
			assertThat(remote.one("text")).isEqualTo("text");
			assertThat(remote.all().collectList().block()).isEqualTo(ticks(3));
		}
	}

}
