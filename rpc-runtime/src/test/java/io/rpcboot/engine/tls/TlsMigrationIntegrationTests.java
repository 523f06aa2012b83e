package io.rpcboot.engine.tls;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.netty.pkitesting.CertificateBuilder;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry.Registration;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions;
import io.rpcboot.transport.TlsOptions.ClientMode;
import io.rpcboot.transport.TlsOptions.Mode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * TLS of registered instances: a fleet moves to it, and certificates name applications.
 */
class TlsMigrationIntegrationTests {

	private final Authority authority = new Authority();

	private final InMemoryRegistry registry = new InMemoryRegistry();

	private RpcServer start(@Nullable TlsOptions tls) {
		return start("users", tls);
	}

	private RpcServer start(String application, @Nullable TlsOptions tls) {
		RpcServerBuilder builder = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.applicationName(application)
			.registry(this.registry)
			.service(Calls.class, new CallsImpl());
		return ((tls != null) ? builder.tls(tls) : builder).start();
	}

	private static Stream<ReferenceInfo.Instance> instances(RpcClient client, RpcServer server) {
		return client.references()
			.get(0)
			.instances()
			.stream()
			.filter((each) -> each.endpoint().equals(server.advertisedEndpoint()));
	}

	/**
	 * Replaces the servers one after another, each once clients have reached the next.
	 */
	private void replace(RpcServer[] fleet, TlsOptions tls, RpcClient... clients) {
		for (int i = 0; i < fleet.length; i++) {
			RpcServer next = start(tls);
			for (RpcClient client : clients) {
				Eventually.until("the next server is called",
						() -> instances(client, next).anyMatch((each) -> each.state() == State.READY));
			}
			fleet[i].shutdown(Duration.ofSeconds(30));
			fleet[i] = next;
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void fleet_movesToTls_andLosesNoCall(Protocol protocol) {
		RpcServer[] fleet = { start(null), start(null) };
		TlsOptions options = this.authority.here();
		try (RpcClient clear = RpcClient.builder().protocol(protocol).registry(this.registry).build();
				RpcClient moving = RpcClient.builder()
					.protocol(protocol)
					.registry(this.registry)
					.tls(this.authority.trust().withClientMode(ClientMode.REGISTRY))
					.build()) {
			Calls ofClear = clear.reference(Calls.class);
			Calls ofMoving = moving.reference(Calls.class);
			try (Load load = new Load(2, (number) -> ofMoving.greet("a"))) {
				try (Load old = new Load(2, (number) -> ofClear.greet("b"))) {
					old.awaitMore(100);
					load.awaitMore(100);
					assertThat(moving.connections()).noneMatch(ConnectionInfo::encrypted);
					replace(fleet, options.withMode(Mode.OPTIONAL), clear, moving);
					old.awaitMore(100);
					load.awaitMore(100);
					old.stop();
					assertThat(old.failures()).isEmpty();
				}
				Eventually.until("all connections are encrypted",
						() -> moving.connections().stream().allMatch(ConnectionInfo::encrypted));
				replace(fleet, options, moving);
				load.awaitMore(100);
				load.stop();
				assertThat(load.failures()).isEmpty();
			}
			Eventually.until("old connections are closed", () -> moving.connections().size() == 2);
			assertThat(moving.connections()).allMatch(ConnectionInfo::encrypted);
		}
		finally {
			Arrays.stream(fleet).forEach(RpcServer::close);
		}
	}

	/** The registry may tell of TLS after the client has connected. */
	@Test
	void connectionInClearText_isReplaced_onceInstanceIsRegisteredWithTls() {
		try (RpcServer server = start(this.authority.here().withMode(Mode.OPTIONAL));
				RpcClient client = RpcClient.builder()
					.registry(this.registry)
					.tls(this.authority.trust().withClientMode(ClientMode.REGISTRY))
					.build()) {
			ServiceInstance told = new ServiceInstance("id", "users", server.advertisedEndpoint(), 100, 0,
					Set.of(ServiceDescriptor.of(Calls.class).id()));
			server.deregister();
			Registration registration = this.registry.register(told);
			Calls calls = client.reference(Calls.class);
			assertThat(calls.greet("a")).isEqualTo("hello a");
			assertThat(client.connections()).noneMatch(ConnectionInfo::encrypted);
			registration.update(told.withTls(true));
			Eventually.until("the connection is encrypted", Duration.ofSeconds(90), () -> {
				calls.greet("b");
				return client.connections().stream().allMatch(ConnectionInfo::encrypted);
			});
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void addresses_requireTls_soModeRegistryIsRefused(boolean isName) {
		try (RpcClient client = RpcClient.builder()
			.tls(this.authority.trust().withClientMode(ClientMode.REGISTRY))
			.build()) {
			ReferenceOptions options = isName ? ReferenceOptions.defaults().withAddresses(List.of("dns:localhost:9090"))
					: ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", 9090));
			assertThatExceptionOfType(RpcConfigurationException.class)
				.isThrownBy(() -> client.reference(Calls.class, options))
				.withMessageStartingWith("ssl.mode: registry, but the reference to ")
				.satisfies((failure) -> assertThat(failure.action()).contains("ssl.bundle"));
		}
	}

	@ParameterizedTest
	@CsvSource({ "CN=users, other, true", "CN=host, users, true", "CN=host, other, false",
			"'CN=users,OU=x', other, true", "'OU=users,CN=host', other, false", "CN=host, users.example.com, false" })
	void instance_isCalled_ifItsCertificateNamesItsApplication(String subject, String host, boolean isCalled) {
		UnaryOperator<CertificateBuilder> details = (
				certificate) -> certificate.subject(subject).addSanIpAddress("127.0.0.1").addSanDnsName(host);
		for (Protocol protocol : List.of(Protocol.NATIVE, Protocol.GRPC)) {
			try (RpcServer server = start(this.authority.with(details));
					RpcClient client = RpcClient.builder()
						.registry(this.registry)
						.protocol(protocol)
						.waitForInstance(isCalled ? Duration.ofSeconds(20) : Duration.ofMillis(100))
						.tls(this.authority.trust().withVerifyApplication(true))
						.build()) {
				Calls calls = client.reference(Calls.class);
				if (isCalled) {
					assertThat(calls.greet("a")).isEqualTo("hello a");
				}
				else {
					Eventually.until("the instance is refused",
							() -> instances(client, server).anyMatch((each) -> !each.problem().isEmpty()));
					assertThat(instances(client, server).toList()).singleElement()
						.extracting(ReferenceInfo.Instance::problem)
						.asString()
						.contains(
								"the certificate of the server does not name the application 'users' of the registry: ")
						.contains(host);
					assertThat(client.connections()).isEmpty();
				}
			}
		}
	}

	@Test
	void uriOfCertificate_mayNameApplication() {
		TlsOptions options = this.authority
			.with((certificate) -> certificate.addSanIpAddress("127.0.0.1").addSanUriName(URI.create("urn:users")));
		try (RpcServer server = start("urn:users", options);
				RpcClient client = RpcClient.builder()
					.registry(this.registry)
					.tls(this.authority.trust().withVerifyApplication(true))
					.build()) {
			assertThat(client.reference(Calls.class).greet("a")).isEqualTo("hello a");
			assertThat(server.connections()).hasSize(1);
		}
	}

}
