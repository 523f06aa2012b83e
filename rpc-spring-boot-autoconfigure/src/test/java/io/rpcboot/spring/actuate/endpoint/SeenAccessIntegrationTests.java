package io.rpcboot.spring.actuate.endpoint;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Authorizer;
import io.rpcboot.security.Credentials;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.actuate.descriptor.CallDescriptor;
import io.rpcboot.spring.actuate.descriptor.OfferedServiceDescriptor;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/** Callers, lists and rules on the endpoint. */
class SeenAccessIntegrationTests {

	private final RpcHistory history = RpcHistory.builder().build();

	private final List<AutoCloseable> open = new ArrayList<>();

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable each : this.open) {
			each.close();
		}
	}

	private RpcServer server(ServiceOptions options, Protocol... protocols) {
		RpcServer server = RpcServer.builder()
			.port(0)
			.protocols(protocols)
			.metrics(this.history)
			.service(ServiceDescriptor.of(Greeter.class), () -> (Greeter) (name) -> "Hello " + name, options)
			.access(AccessOptions.defaults().withAuthenticator((credentials) -> {
				Principal user = credentials::value;
				return CallerIdentity.of(user, Instant.MAX);
			}).withClearTextCredentials(true))
			.start();
		this.open.add(server);
		this.beans.registerSingleton("server", server);
		this.beans.registerSingleton("history", this.history);
		return server;
	}

	private List<CallDescriptor> served() {
		List<CallDescriptor> slowest = new MethodsReport(new RpcBeans(this.beans)).calls().slowest();
		assertThat(slowest).isNotNull();
		return slowest.stream().filter((each) -> each.side().equals("server")).toList();
	}

	/** Over gRPC each call has credentials, so it knows its caller itself. */
	@ParameterizedTest
	@CsvSource({ "NATIVE,", "GRPC, ann" })
	void call_isCompletedFromItsConnection_whileThatIsOpen(Protocol protocol, @Nullable String later) {
		RpcServer server = server(ServiceOptions.defaults(), Protocol.NATIVE, Protocol.GRPC);
		try (RpcClient client = RpcClient.builder()
			.applicationName("shop")
			.credentials(() -> Credentials.bearer("ann"))
			.allowClearTextCredentials()
			.build()) {
			client
				.reference(Greeter.class,
						ReferenceOptions.defaults()
							.withProtocol(protocol)
							.withEndpoints(new Endpoint("127.0.0.1", server.port()))
							.withWaitForInstance(Duration.ofSeconds(30)))
				.greet("Ann");
			Applications.eventually(() -> served().size() == 1);
			CallDescriptor call = served().get(0);
			assertThat(call.protocol()).isEqualTo(protocol);
			assertThat(call.application()).isEqualTo("shop");
			assertThat(call.caller()).isEqualTo("ann");
			assertThat(server.connections()).singleElement()
				.satisfies((each) -> assertThat(each.identity()).isEqualTo("ann"));
		}
		Applications.eventually(() -> server.connections().isEmpty());
		CallDescriptor call = served().get(0);
		assertThat(call.protocol()).isNull();
		assertThat(call.application()).isNull();
		assertThat(call.caller()).isEqualTo(later);
	}

	@ParameterizedTest
	@CsvSource({ "SERVER, NATIVE, , ann", "SERVER, NATIVE, bob, bob", "SERVER, GRPC, , ", "CLIENT, NATIVE, ," })
	void callerOfConnection_isThatOfCall_onlyAtServerAndNative(Side side, Protocol protocol, @Nullable String own,
			@Nullable String caller) {
		NotedCall call = new NotedCall(0, side, "demo.Stock", "count()", "10.0.0.5:9090", RpcStatus.OK, 1, 0, false,
				null, null, null, own);
		ConnectionInfo connection = new ConnectionInfo("10.0.0.5:9090", protocol, "", "ann", true,
				BatchingOptions.Mode.AUTO, 1, 1, 1, 1, 0, 0, 0, 0, Map.of(), 0, 0, 0);
		assertThat(CallDescriptor.of(call, connection).caller()).isEqualTo(caller);
	}

	private OfferedServiceDescriptor greeter() {
		RpcBeans known = new RpcBeans(this.beans);
		OfferedServiceDescriptor service = new ServicesReport(known, new MethodsReport(known),
				new EffectiveOptionsReport(known, new StandardEnvironment()))
			.one("Greeter");
		assertThat(service).isNotNull();
		return service;
	}

	@Test
	void service_hasNeither_withoutGrpcListAndRules() {
		server(ServiceOptions.defaults(), Protocol.NATIVE);
		assertThat(greeter().grpcName()).isNull();
		assertThat(greeter().allow()).isNull();
		assertThat(greeter().rules()).isEmpty();
	}

	@Test
	void service_hasNameInGrpc_listAndRules() {
		this.beans.registerSingleton("rules", new Authorizer() {

			@Override
			public boolean permits(CallerIdentity caller, ServiceId service, String method) {
				return true;
			}

			@Override
			public List<String> rules(ServiceId service) {
				return List.of("all may call " + service);
			}

		});
		server(ServiceOptions.defaults().withAllow(Set.of("user:bob", "user:ann")), Protocol.NATIVE, Protocol.GRPC);
		assertThat(greeter().grpcName()).isEqualTo(Greeter.class.getName());
		assertThat(greeter().allow()).containsExactly("user:ann", "user:bob");
		assertThat(greeter().rules()).containsExactly("all may call " + Greeter.class.getName());
	}

}
