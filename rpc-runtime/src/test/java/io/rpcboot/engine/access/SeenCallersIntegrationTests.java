package io.rpcboot.engine.access;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Callers with credentials of their own calls, as operators see them. */
class SeenCallersIntegrationTests {

	private final RpcHistory history = RpcHistory.builder().build();

	/** Names that were counted, in their order. */
	private final Queue<String> counted = new ConcurrentLinkedQueue<>();

	private final RpcServer server = RpcServer.builder()
		.port(0)
		.service(Calls.class, new CallsImpl())
		.metrics(RpcMetrics.all(List.of(this.history, new CountedCallers())))
		.access(AccessOptions.defaults().withAuthenticator((credentials) -> {
			Principal user = credentials::value;
			return CallerIdentity.of(user, Instant.MAX);
		}).withAuthorizer((caller, service, method) -> !caller.getName().equals("bob")).withClearTextCredentials(true))
		.start();

	private @Nullable String token;

	private final RpcClient client = RpcClient.builder().interceptor((call) -> {
		if (this.token != null) {
			call.attachments().put("authorization", "Bearer " + this.token);
		}
		return call.proceed();
	}).build();

	@AfterEach
	void close() {
		this.client.close();
		this.server.close();
	}

	private Calls calls(Protocol protocol) {
		return this.client.reference(Calls.class,
				ReferenceOptions.defaults()
					.withEndpoints(new Endpoint("127.0.0.1", this.server.port()))
					.withProtocol(protocol)
					.withWaitForInstance(Duration.ofSeconds(30))
					.withTimeout(Duration.ofSeconds(30)));
	}

	private static List<NotedCall> served(List<NotedCall> calls) {
		return calls.stream().filter((each) -> each.side() == Side.SERVER).toList();
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void notedCalls_nameTheirCallers(Protocol protocol) {
		Calls calls = calls(protocol);
		this.token = "ann";
		calls.greet("x");
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.breakDown("broken"));
		this.token = null;
		calls.greet("y");
		Eventually.until("three are noted", () -> served(this.history.slowest()).size() == 3);
		assertThat(served(this.history.failed())).singleElement()
			.satisfies((call) -> assertThat(call.caller()).isEqualTo("ann"));
		assertThat(served(this.history.slowest())).filteredOn((each) -> each.method().startsWith("greet("))
			.extracting(NotedCall::caller)
			.containsExactlyInAnyOrder("ann", null);
	}

	@Test
	void connectionOfGrpc_showsLastCaller_andCountsEachNameOnce() {
		Calls calls = calls(Protocol.GRPC);
		calls.greet("x");
		assertThat(this.server.connections()).extracting(ConnectionInfo::identity).containsExactly("");
		this.token = "ann";
		calls.greet("x");
		assertThat(this.server.connections()).extracting(ConnectionInfo::identity).containsExactly("ann");
		this.token = "bob";
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.greet("x"));
		assertThat(this.server.connections()).extracting(ConnectionInfo::identity).containsExactly("bob");
		this.token = "ann";
		calls.greet("x");
		assertThat(this.server.connections()).extracting(ConnectionInfo::identity).containsExactly("ann");
		assertThat(this.counted).containsExactly("ann", "bob");
	}

	/** Metrics of connections alone. */
	private final class CountedCallers implements RpcMetrics {

		@Override
		public CallRecorder calls(Side side, MethodDescriptor method) {
			return (status, nanos, peer) -> {
			};
		}

		@Override
		public TransportRecorder transport(Side side) {
			return new TransportRecorder() {

				@Override
				public void connectionIdentified(String caller) {
					SeenCallersIntegrationTests.this.counted.add(caller);
				}

			};
		}

		@Override
		public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
			return () -> {
			};
		}

	}

}
