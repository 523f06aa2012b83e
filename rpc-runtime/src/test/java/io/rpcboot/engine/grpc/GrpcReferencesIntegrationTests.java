package io.rpcboot.engine.grpc;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.transport.ConnectionInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.protostuff.Tag;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcContract;
import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.CallOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.resilience.HedgingOptions;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** References that call over gRPC, beside those that do not. */
@Timeout(120)
public class GrpcReferencesIntegrationTests {

	/** A contract that protobuf cannot carry as a whole. */
	public interface Mixed {

		String name(int id);

		Object anything(List<Object> words);

	}

	/** A service of others. */
	@RpcContract(name = "acme.users.v1.UserService")
	public interface Users {

		@RpcMethod(bare = true)
		User getUser(UserKey key);

		record UserKey(@Tag(1) long id) {
		}

		record User(@Tag(1) long id, @Tag(3) String name) {
		}

	}

	/** A method without messages. */
	public interface Cleaner {

		@RpcMethod(bare = true)
		void clear();

	}

	/** A method whose result is no message. */
	public interface Broken {

		@RpcMethod(bare = true)
		int count();

	}

	private final Accounts levels = new Accounts();

	private static ReferenceOptions grpcAt(RpcServer server) {
		return ReferenceStates.at(server).withProtocol(Protocol.GRPC);
	}

	private static RpcServer serve(CallsImpl implementation) {
		return RpcServer.builder().port(0).service(Calls.class, implementation).start();
	}

	@Test
	void serializer_isRefused_besideGrpc() {
		try (RpcClient client = RpcClient.builder().build()) {
			ReferenceOptions options = ReferenceStates.at(1)
				.withProtocol(Protocol.GRPC)
				.withSerializer(new ProtostuffSerializer());
			assertThatExceptionOfType(RpcConfigurationException.class)
				.isThrownBy(() -> client.reference(Calls.class, options))
				.withMessage(
						"serializer: 'protostuff' (expected: none with protocol grpc, whose messages are protobuf; remove serializer, or set protocol to native)");
		}
	}

	@Test
	void interface_isRefused_whenProtobufCannotCarryMethod() {
		try (RpcClient client = RpcClient.builder().protocol(Protocol.GRPC).build()) {
			assertThatExceptionOfType(RpcConfigurationException.class)
				.isThrownBy(() -> client.reference(Mixed.class, ReferenceStates.at(1)))
				.withMessageContaining("cannot use protocol grpc, which carries 1 of its 2 methods")
				.withMessageContaining("java.lang.Object cannot be sent in protobuf")
				.satisfies((ex) -> assertThat(ex.action()).contains("Declare the class that is meant",
						"Or set protocol to native"));
			client.reference(Mixed.class, ReferenceStates.at(1).withProtocol(Protocol.NATIVE));
		}
	}

	@Test
	void bareMessages_passBothWays_underTheNameOfTheContract() {
		AtomicInteger cleared = new AtomicInteger();
		Users implementation = (key) -> (key.id() == 0) ? null : new Users.User(key.id(), "Ann");
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.service(Users.class, implementation)
			.service(Cleaner.class, cleared::incrementAndGet)
			.start(); RpcClient client = RpcClient.builder().build()) {
			Users users = client.reference(Users.class, grpcAt(server));
			assertThat(users.getUser(new Users.UserKey(7))).isEqualTo(new Users.User(7, "Ann"));
			client.reference(Cleaner.class, grpcAt(server)).clear();
			assertThat(cleared).hasValue(1);
			assertThat(server.protoFiles().get("acme/users/v1/services.proto")).contains("package acme.users.v1;",
					"service UserService {");
			RpcException refused = catchThrowableOfType(RpcException.class, () -> users.getUser(null));
			assertThat(refused.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT);
			assertThat(refused).hasMessageContaining("arguments key: null (expected: a value");
			RpcException failed = catchThrowableOfType(RpcException.class, () -> users.getUser(new Users.UserKey(0)));
			assertThat(failed.status()).isEqualTo(RpcStatus.INTERNAL);
			assertThat(client.reference(Users.class, ReferenceStates.at(server)).getUser(new Users.UserKey(0)))
				.isNull();
		}
	}

	@Test
	void bareMethodWithoutMessage_isRefusedAtStart_onBothSides() {
		String problem = Broken.class.getName() + ".count(): result: int is no message";
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcServer.builder().port(0).service(Broken.class, () -> 1).start())
			.withMessageStartingWith(problem);
		try (RpcClient client = RpcClient.builder().build()) {
			assertThatExceptionOfType(RpcConfigurationException.class)
				.isThrownBy(() -> client.reference(Broken.class, ReferenceStates.at(1).withProtocol(Protocol.GRPC)))
				.withMessageStartingWith(problem);
			client.reference(Broken.class, ReferenceStates.at(1));
		}
	}

	@Test
	void referencesOfBothProtocols_shareClientAndServer() throws Exception {
		CallsImpl implementation = new CallsImpl();
		try (RpcServer server = serve(implementation); RpcClient client = RpcClient.builder().build()) {
			Calls nativeCalls = client.reference(Calls.class, ReferenceStates.at(server));
			Calls grpcCalls = client.reference(Calls.class, grpcAt(server));
			for (int i = 0; i < 100; i++) {
				assertThat(nativeCalls.greet("a" + i)).isEqualTo(grpcCalls.greet("a" + i));
			}
			assertThat(client.references()).extracting(ReferenceInfo::protocol)
				.containsExactly(Protocol.NATIVE, Protocol.GRPC);
			assertThat(client.connections()).hasSize(2);
			List<CompletableFuture<String>> futures = new ArrayList<>();
			for (int i = 0; i < 200; i++) {
				futures.add(((i % 2 == 0) ? nativeCalls : grpcCalls).later("b" + i));
			}
			for (CompletableFuture<String> each : futures) {
				assertThat(each.get(20, TimeUnit.SECONDS)).startsWith("later b");
			}
		}
	}

	/** Tells who calls, and how. */
	public interface Who {

		String calls();

		CompletableFuture<String> later();

	}

	private static final class WhoImpl implements Who {

		@Override
		public String calls() {
			RpcConnection connection = RpcContext.current().connection();
			return connection.application() + " by " + connection.protocol();
		}

		@Override
		public CompletableFuture<String> later() {
			return CompletableFuture.completedFuture(calls());
		}

	}

	@Test
	void protocolAndApplication_areSeen_onBothSides() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		MicrometerRpcMetrics metrics = new MicrometerRpcMetrics(meters);
		try (RpcServer server = RpcServer.builder().port(0).metrics(metrics).service(Who.class, new WhoImpl()).start();
				RpcClient client = RpcClient.builder().applicationName("Bäckerei 1").metrics(metrics).build()) {
			for (Protocol protocol : List.of(Protocol.NATIVE, Protocol.GRPC)) {
				String name = protocol.name().toLowerCase(Locale.ROOT);
				Who who = client.reference(Who.class, ReferenceStates.at(server).withProtocol(protocol));
				assertThat(who.calls()).isEqualTo("Bäckerei 1 by " + name);
				assertThat(who.later().join()).isEqualTo("Bäckerei 1 by " + name);
				for (String meter : List.of("rpc.client.calls", "rpc.server.calls")) {
					Eventually.until("both are counted",
							() -> meters.get(meter)
								.tag("protocol", name)
								.functionTimers()
								.stream()
								.mapToDouble(FunctionTimer::count)
								.sum() == 2);
				}
			}
			assertThat(client.connections()).extracting(ConnectionInfo::protocol)
				.containsExactlyInAnyOrder(Protocol.NATIVE, Protocol.GRPC);
			assertThat(server.connections()).extracting(ConnectionInfo::protocol)
				.containsExactlyInAnyOrder(Protocol.NATIVE, Protocol.GRPC);
			assertThat(server.connections()).extracting(ConnectionInfo::application).containsOnly("Bäckerei 1");
		}
	}

	@Test
	void references_callOnlyInstancesThatSpeakTheirProtocol() {
		InMemoryRegistry registry = new InMemoryRegistry();
		CallsImpl ofNative = new CallsImpl();
		CallsImpl ofGrpc = new CallsImpl();
		try (RpcServer first = RpcServer.builder()
			.port(0)
			.registry(registry)
			.protocols(Protocol.NATIVE)
			.service(Calls.class, ofNative)
			.start(); RpcClient client = RpcClient.builder().registry(registry).build()) {
			Calls grpcCalls = client.reference(Calls.class, ReferenceOptions.defaults().withProtocol(Protocol.GRPC));
			RpcException failure = catchThrowableOfType(RpcException.class, () -> grpcCalls.greet("x"));
			assertThat(failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
			assertThat(failure).hasMessageContaining("it names 1 without protocol grpc");
			try (RpcServer second = RpcServer.builder()
				.port(0)
				.registry(registry)
				.protocols(Protocol.GRPC)
				.service(Calls.class, ofGrpc)
				.start()) {
				Calls nativeCalls = client.reference(Calls.class);
				Eventually.until("the second is known", () -> ReferenceStates.ready(client) >= 2);
				for (int i = 0; i < 20; i++) {
					grpcCalls.greet("g");
					nativeCalls.greet("n");
				}
				assertThat(first.connections()).hasSize(1);
				assertThat(second.connections()).hasSize(1);
				assertThat(ofNative.executed).hasValue(20);
				assertThat(ofGrpc.executed).hasValue(20);
			}
		}
	}

	@Test
	void largeBodies_passBothWays_withoutLeak() throws Exception {
		try (LeakWatch leaks = new LeakWatch()) {
			try (RpcServer server = RpcServer.builder()
				.port(0)
				.metrics(this.levels)
				.service(Calls.class, new CallsImpl())
				.start();
					RpcClient client = RpcClient.builder()
						.metrics(this.levels)
						.timeout(Duration.ofSeconds(60))
						.build()) {
				Calls calls = client.reference(Calls.class, grpcAt(server));
				List<CompletableFuture<byte[]>> futures = new ArrayList<>();
				for (int i = 0; i < 24; i++) {
					byte[] bytes = new byte[50_000 * i + 1];
					Arrays.fill(bytes, (byte) i);
					futures.add(calls.echoLater(bytes));
					futures.add(calls.echoLater(new byte[] { (byte) i }));
				}
				for (int i = 0; i < 24; i++) {
					byte[] bytes = futures.get(2 * i).get(60, TimeUnit.SECONDS);
					assertThat(bytes).hasSize(50_000 * i + 1).containsOnly((byte) i);
					assertThat(futures.get(2 * i + 1).get(60, TimeUnit.SECONDS)).containsExactly((byte) i);
				}
				Eventually.until("no call is pending", () -> client.pendingCalls() == 0);
			}
			this.levels.awaitEmpty();
			leaks.assertNoLeak();
		}
	}

	/** Tells the attachments of a call, and adds others to its reply. */
	public interface Mirror {

		Map<String, String> look();

		@RpcMethod(idempotent = true)
		String slow(int millis);

	}

	@Test
	void attachments_passBothWays() throws Exception {
		Mirror mirror = new Mirror() {

			@Override
			public Map<String, String> look() {
				RpcContext.current().replyAttachments().put("answer", "schön").put("plain", "1");
				return RpcContext.current().attachments().asMap();
			}

			@Override
			public String slow(int millis) {
				return "";
			}

		};
		try (RpcServer server = RpcServer.builder().port(0).service(Mirror.class, mirror).start();
				RpcClient client = RpcClient.builder().build()) {
			Mirror reference = client.reference(Mirror.class, grpcAt(server));
			AtomicReference<Attachments> reply = new AtomicReference<>();
			Map<String, String> seen = CallOptions.with("user", "doug")
				.and("city", "Zürich")
				.onReply(reply::set)
				.call(reference::look);
			assertThat(seen).containsEntry("user", "doug").containsEntry("city", "Zürich");
			assertThat(reply.get().asMap()).containsEntry("answer", "schön").containsEntry("plain", "1");
		}
	}

	@Test
	void idempotentCall_isHedged() {
		AtomicInteger slow = new AtomicInteger();
		Mirror first = sleeping(slow, 10_000);
		Mirror second = sleeping(new AtomicInteger(), 0);
		try (RpcServer one = RpcServer.builder().port(0).service(Mirror.class, first).start();
				RpcServer other = RpcServer.builder().port(0).service(Mirror.class, second).start();
				RpcClient client = RpcClient.builder().build()) {
			ReferenceOptions options = ReferenceStates.at(one.port(), other.port())
				.withProtocol(Protocol.GRPC)
				.withResilience(client.resilience()
					.withHedging("slow", HedgingOptions.defaults().withDelay(Duration.ofMillis(20))));
			Mirror reference = client.reference(Mirror.class, options);
			assertThat(client.awaitConnected(Duration.ofSeconds(20))).isEmpty();
			Eventually.until("a call was slow, and is cancelled", () -> {
				assertThat(reference.slow(0)).isEqualTo("done after 0");
				return slow.get() > 0;
			});
		}
	}

	private static Mirror sleeping(AtomicInteger cancelled, int millis) {
		return new Mirror() {

			@Override
			public Map<String, String> look() {
				return Map.of();
			}

			@Override
			public String slow(int ignored) {
				Eventually.until("the time has come", () -> {
					cancelled.addAndGet(RpcContext.current().isCancelled() ? 1 : 0);
					return millis == 0 || RpcContext.current().isCancelled();
				});
				return "done after " + millis;
			}

		};
	}

	@Test
	void noCallFails_whileServersAreReplaced() throws Exception {
		InMemoryRegistry registry = new InMemoryRegistry();
		CallsImpl implementation = new CallsImpl();
		List<RpcServer> servers = new ArrayList<>();
		IntStream.range(0, 2).forEach((i) -> servers.add(server(registry, implementation)));
		try (RpcClient client = RpcClient.builder().registry(registry).timeout(Duration.ofSeconds(20)).build()) {
			Calls calls = client.reference(Calls.class, ReferenceOptions.defaults().withProtocol(Protocol.GRPC));
			List<CompletableFuture<byte[]>> futures = new ArrayList<>();
			for (int round = 0; round < 6; round++) {
				for (int i = 0; i < 300; i++) {
					futures.add(calls.echoLater(new byte[1 + i % 7 * 900]));
				}
				servers.add(server(registry, implementation));
				servers.remove(0).shutdown(Duration.ofSeconds(20));
				for (int i = 0; i < 100; i++) {
					futures.add(calls.echoLater(new byte[1 + i]));
				}
			}
			for (CompletableFuture<byte[]> each : futures) {
				assertThat(each.get(20, TimeUnit.SECONDS)).isNotEmpty();
			}
			assertThat(implementation.executed).hasValue(futures.size());
		}
		finally {
			servers.forEach(RpcServer::close);
		}
	}

	private static RpcServer server(InMemoryRegistry registry, CallsImpl implementation) {
		return RpcServer.builder().port(0).registry(registry).service(Calls.class, implementation).start();
	}

}
