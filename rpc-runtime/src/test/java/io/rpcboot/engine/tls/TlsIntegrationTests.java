package io.rpcboot.engine.tls;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.X509Bundle;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.dns.DnsOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions;
import io.rpcboot.transport.TlsOptions.ClientAuth;
import io.rpcboot.transport.TlsOptions.Engine;
import io.rpcboot.transport.TlsOptions.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

/** Servers and clients with TLS: modes, names, bundles of references, renewal. */
class TlsIntegrationTests {

	private final Authority authority = new Authority();

	private static RpcServerBuilder server() {
		return RpcServer.builder().port(0).service(Calls.class, new CallsImpl());
	}

	private static ReferenceOptions at(RpcServer server) {
		return ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", server.port()));
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void optionalMode_servesClearTextAndTls(Protocol protocol) {
		try (RpcServer server = server().tls(this.authority.here().withMode(Mode.OPTIONAL)).start();
				RpcClient clear = RpcClient.builder().protocol(protocol).build();
				RpcClient encrypted = RpcClient.builder().protocol(protocol).tls(this.authority.trust()).build()) {
			assertThat(clear.reference(Calls.class, at(server)).greet("a")).isEqualTo("hello a");
			assertThat(encrypted.reference(Calls.class, at(server)).greet("b")).isEqualTo("hello b");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void clientsInClearText_areCountedByApplication(Protocol protocol) {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		try (RpcServer server = server().tls(this.authority.here().withMode(Mode.OPTIONAL))
			.metrics(new MicrometerRpcMetrics(meters))
			.start();
				RpcClient clear = RpcClient.builder().applicationName("old-shop").protocol(protocol).build();
				RpcClient encrypted = RpcClient.builder()
					.applicationName("new-shop")
					.protocol(protocol)
					.tls(this.authority.trust())
					.build()) {
			assertThat(clear.reference(Calls.class, at(server)).greet("a")).isEqualTo("hello a");
			assertThat(encrypted.reference(Calls.class, at(server)).greet("b")).isEqualTo("hello b");
			assertThat(server.tls()).isNotNull();
			assertThat(server.tls().mode()).isEqualTo("optional");
			assertThat(server.tls().clearText()).containsOnly(Map.entry(server.connections()
				.stream()
				.filter((each) -> !each.encrypted())
				.findFirst()
				.orElseThrow()
				.application(), 1L));
			assertThat(server.tls().clearText().keySet()).singleElement().asString().startsWith("old-shop");
			assertThat(meters.get("rpc.server.connections.clear.text").functionCounter().count()).isOne();
			assertThat(server.connections()).extracting(ConnectionInfo::encrypted)
				.containsExactlyInAnyOrder(true, false);
			assertThat(encrypted.connections()).extracting(ConnectionInfo::encrypted).containsOnly(true);
			assertThat(clear.connections()).extracting(ConnectionInfo::encrypted).containsOnly(false);
		}
	}

	@Test
	void disabledMode_servesClearText() {
		try (RpcServer server = server().tls(this.authority.here().withMode(Mode.DISABLED)).start();
				RpcClient clear = RpcClient.builder().build()) {
			assertThat(clear.reference(Calls.class, at(server)).greet("a")).isEqualTo("hello a");
			assertThatIllegalStateException().isThrownBy(() -> server.renewTls(this.authority.here()));
		}
	}

	@Test
	void wantedCertificate_mayBeMissing() {
		try (RpcServer server = server().tls(this.authority.here().withClientAuth(ClientAuth.WANT)).start();
				RpcClient without = RpcClient.builder().tls(this.authority.trust()).build();
				RpcClient with = RpcClient.builder().tls(this.authority.here()).build()) {
			assertThat(without.reference(Calls.class, at(server)).greet("a")).isEqualTo("hello a");
			assertThat(with.reference(Calls.class, at(server)).greet("b")).isEqualTo("hello b");
		}
	}

	/** The address is 127.0.0.1 each time; the name comes from three places. */
	@ParameterizedTest
	@CsvSource({ "user-service, client, true", "user-service, registry, true", "other, registry, false",
			"user-service, dns, true", "user-service., dns, true", "other, dns, false" })
	void serverName_replacesHostOfAddress(String name, String source, boolean isCalled) throws Exception {
		TlsOptions elsewhere = this.authority
			.with((certificate) -> certificate.addSanDnsName("user-service").addSanDnsName("another"));
		InMemoryRegistry registry = new InMemoryRegistry();
		for (Protocol protocol : List.of(Protocol.NATIVE, Protocol.GRPC)) {
			try (RpcServer server = server().tls(elsewhere).start();
					RpcClient client = RpcClient.builder()
						.protocol(protocol)
						.registry(registry)
						.dns(DnsOptions.defaults().withResolver((host) -> List.of(InetAddress.getByName("127.0.0.1"))))
						.tls(source.equals("client") ? this.authority.trust().withServerName(name)
								: this.authority.trust())
						.waitForInstance(isCalled ? Duration.ofSeconds(20) : Duration.ofMillis(100))
						.build()) {
				registry.register(new ServiceInstance(protocol.name(), "users", server.advertisedEndpoint(), 100, 0,
						Set.of(ServiceDescriptor.of(Calls.class).id()))
					.withServerName(name));
				Calls calls = client.reference(Calls.class, switch (source) {
					case "client" -> at(server);
					case "dns" ->
						ReferenceOptions.defaults().withAddresses(List.of("dns:%s:%d".formatted(name, server.port())));
					default -> ReferenceOptions.defaults();
				});
				if (isCalled) {
					assertThat(calls.greet("a")).isEqualTo("hello a");
				}
				else {
					Eventually.until("the instance is refused",
							() -> client.references()
								.get(0)
								.instances()
								.stream()
								.anyMatch((each) -> each.problem().contains("is not for '" + name + "'")));
					assertThat(client.connections()).isEmpty();
				}
			}
		}
	}

	/**
	 * The builder of certificates refuses a wildcard, so this is the extension itself.
	 */
	@ParameterizedTest
	@CsvSource({ "user, true", "USER, true", "a.shop, true", "a.b.shop, false", "shop, false", "other, false" })
	void serverNameOfServer_mustBeInItsCertificate(String name, boolean starts) {
		byte[] names = "0.\u0082\u0004user\u0082\u0006*.shop".getBytes(StandardCharsets.ISO_8859_1);
		names[1] = (byte) (names.length - 2);
		TlsOptions options = this.authority
			.with((certificate) -> certificate.addExtensionOctetString("2.5.29.17", false, names))
			.withServerName(name);
		if (starts) {
			server().tls(options).start().close();
		}
		else {
			assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> server().tls(options).start())
				.withMessageContaining("ssl.server-name: %s (expected: a name in the certificate: [".formatted(name));
		}
	}

	@Test
	void references_haveTlsOfTheirOwn() {
		Authority other = new Authority();
		try (RpcServer first = server().tls(this.authority.here()).start();
				RpcServer second = server().tls(other.here()).start();
				RpcServer third = server().start();
				RpcClient client = RpcClient.builder().build()) {
			Calls toFirst = client.reference(Calls.class, at(first).withTls(this.authority.trust()));
			Calls toSecond = client.reference(Calls.class, at(second).withTls(other.trust()));
			Calls toThird = client.reference(Calls.class, at(third));
			assertThat(toFirst.greet("a") + toSecond.greet("b") + toThird.greet("c"))
				.isEqualTo("hello ahello bhello c");
		}
	}

	@Test
	void connectionInOneProcess_hasNoTls() {
		EventLoopOptions inProcess = EventLoopOptions.defaults().withTransport(EventLoopOptions.Transport.IN_PROCESS);
		try (RpcServer server = server().eventLoop(inProcess).tls(this.authority.here()).start();
				RpcClient client = RpcClient.builder().eventLoop(inProcess).tls(new Authority().trust()).build()) {
			assertThat(client.reference(Calls.class, at(server)).greet("a")).isEqualTo("hello a");
		}
	}

	@Test
	void largeBodies_arriveIntact() {
		byte[] bytes = new byte[3 * 1024 * 1024];
		for (int i = 0; i < bytes.length; i++) {
			bytes[i] = (byte) (i * 31);
		}
		try (RpcServer server = server().tls(this.authority.here()).start();
				RpcClient client = RpcClient.builder().tls(this.authority.trust()).build()) {
			for (Protocol protocol : List.of(Protocol.NATIVE, Protocol.GRPC)) {
				Calls calls = client.reference(Calls.class, at(server).withProtocol(protocol));
				assertThat(calls.echo(bytes)).isEqualTo(bytes);
			}
		}
	}

	@Test
	void options_areCheckedAtStart() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> server().tls(this.authority.trust()).build())
			.withMessage("ssl.bundle: has no key")
			.satisfies((failure) -> assertThat(failure.action()).startsWith("Set ssl.bundle to a bundle with"));
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> this.authority.here().withProtocols(List.of("TLSv1.3", "TLSv1.1")))
			.withMessage("ssl.enabled-protocols: [TLSv1.3, TLSv1.1] (expected: TLSv1.3, TLSv1.2, or both)");
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> server().tls(this.authority.here().withCiphers(List.of("TLS_NONE"))).build())
			.withMessageStartingWith("ssl.bundle: cannot be used for TLS: ");
	}

	/**
	 * Calls go on while both sides get new certificates, of another authority in the end.
	 */
	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void renewal_replacesConnections_andLosesNoCall(Protocol protocol) throws Exception {
		TlsOptions ofServer = this.authority.here().withClientAuth(ClientAuth.NEED);
		TlsOptions ofClient = this.authority.here();
		try (RpcServer server = server().tls(ofServer).handshakeTimeout(Duration.ofSeconds(1)).start();
				RpcClient client = RpcClient.builder()
					.protocol(protocol)
					.connectionsPerEndpoint(3)
					.tls(ofClient)
					.build()) {
			Calls calls = client.reference(Calls.class, at(server));
			calls.greet("first");
			Eventually.until("three connections", () -> server.connections().size() == 3);
			Set<String> before = remotes(server);
			for (int i = 0; i < 20; i++) {
				server.renewTls(this.authority.here().withClientAuth(ClientAuth.NEED));
				client.renewTls(ofClient, this.authority.here());
			}
			List<CompletableFuture<byte[]>> pending = new ArrayList<>();
			Eventually.until("all connections are new", Duration.ofSeconds(90), () -> {
				pending.add(calls.echoLater(new byte[] { 7 }));
				pending.removeIf((each) -> each.isDone() && !each.isCompletedExceptionally());
				Set<String> now = remotes(server);
				now.retainAll(before);
				return now.isEmpty();
			});
			for (CompletableFuture<byte[]> each : pending) {
				assertThat(each.get(20, TimeUnit.SECONDS)).containsExactly(7);
			}
			assertThat(calls.greet("last")).isEqualTo("hello last");
		}
	}

	static Stream<Arguments> wrongMaterial() {
		Authority authority = new Authority();
		Instant now = Instant.now();
		return Stream.of(Arguments.of("no key", authority.trust(), "ssl.bundle: has no key"),
				Arguments.of("expired", authority.expired(), "ssl.bundle: the certificate of 'CN=test' is valid from "),
				Arguments.of("not yet valid",
						authority.with((certificate) -> certificate.notBefore(now.plusSeconds(600))),
						"ssl.bundle: the certificate of 'CN=test' is valid from "),
				Arguments.of("key of another certificate", authority.withWrongKey(),
						"ssl.bundle: cannot be used for TLS: "));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("wrongMaterial")
	void wrongRenewal_changesNothing(String name, TlsOptions wrong, String message) {
		TlsOptions first = this.authority.here();
		try (RpcServer server = server().tls(first).start();
				RpcClient client = RpcClient.builder().tls(first).build()) {
			assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> server.renewTls(wrong))
				.withMessageStartingWith(message);
			if (wrong.keys() != null) {
				assertThatExceptionOfType(RpcConfigurationException.class)
					.isThrownBy(() -> client.renewTls(first, wrong))
					.withMessageStartingWith(message);
			}
			assertThat(client.reference(Calls.class, at(server)).greet("a")).isEqualTo("hello a");
		}
	}

	@Test
	void contextOfNetty_isUsedAsItIs() throws Exception {
		X509Bundle own = this.authority.issue((certificate) -> certificate.addSanIpAddress("127.0.0.1"));
		SslContext ofServer = SslContextBuilder.forServer(own.toKeyManagerFactory()).build();
		SslContext ofClient = SslContextBuilder.forClient()
			.trustManager(this.authority.root().toTrustManagerFactory())
			.build();
		try (RpcServer server = server().tls(TlsOptions.of(ofServer)).start();
				RpcClient client = RpcClient.builder().tls(TlsOptions.of(ofClient)).build()) {
			for (Protocol protocol : List.of(Protocol.NATIVE, Protocol.GRPC)) {
				assertThat(client.reference(Calls.class, at(server).withProtocol(protocol)).greet("a"))
					.isEqualTo("hello a");
			}
			assertThat(server.tls().notAfter()).as("unknown").isNull();
			server.renewTls(this.authority.here());
			assertThat(server.tls().notAfter()).isNotNull();
		}
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> server().tls(TlsOptions.of(ofClient)).build())
			.withMessage("ssl.context: of a client (expected: one of SslContextBuilder for a server)");
	}

	@Test
	void tls_isDescribed() {
		Instant end = Instant.now().plus(Duration.ofDays(3)).truncatedTo(ChronoUnit.SECONDS);
		TlsOptions options = this.authority
			.with((certificate) -> certificate.addSanDnsName("users").addSanIpAddress("127.0.0.1").notAfter(end));
		try (RpcServer server = server().tls(options.withName("web")).build();
				RpcClient client = RpcClient.builder().tls(this.authority.trust()).build();
				RpcServer clear = server().build()) {
			assertThat(server.tls()).isNotNull().satisfies((tls) -> {
				assertThat(tls.name()).isEqualTo("web");
				assertThat(tls.mode()).isEqualTo("required");
				assertThat(tls.engine()).isEqualTo(OpenSsl.isAvailable() ? Engine.OPENSSL : Engine.JDK);
				assertThat(tls.subject()).isEqualTo("CN=test");
				assertThat(tls.names()).containsExactlyInAnyOrder("users", "127.0.0.1");
				assertThat(tls.notAfter()).isEqualTo(end);
			});
			assertThat(client.tls()).singleElement()
				.satisfies((tls) -> assertThat(tls.subject() + tls.notAfter()).isEqualTo("null"));
			assertThat(clear.tls()).isNull();
		}
	}

	@Test
	void timeUntilExpiry_isAMeter_ofEachBundle() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		MicrometerRpcMetrics metrics = new MicrometerRpcMetrics(meters);
		TlsOptions options = expiringIn(Duration.ofDays(3)).withName("web");
		TlsOptions other = expiringIn(Duration.ofDays(6)).withName("other");
		try (RpcServer server = server().tls(options).metrics(metrics).start();
				RpcClient client = RpcClient.builder().tls(options).metrics(metrics).build()) {
			client.reference(Calls.class, at(server).withTls(other));
			client.reference(Calls.class, at(server).withTls(other).withProtocol(Protocol.GRPC));
			assertThat(days(meters, "server", "web")).isCloseTo(3, within(0.1));
			assertThat(days(meters, "client", "web")).isCloseTo(3, within(0.1));
			assertThat(days(meters, "client", "other")).isCloseTo(6, within(0.1));
			server.renewTls(expiringIn(Duration.ofDays(9)));
			client.renewTls(other, expiringIn(Duration.ofDays(12)));
			assertThat(days(meters, "server", "web")).isCloseTo(9, within(0.1));
			assertThat(days(meters, "client", "other")).isCloseTo(12, within(0.1));
		}
		assertThat(days(meters, "server", "web")).as("of a closed server").isNaN();
	}

	private TlsOptions expiringIn(Duration life) {
		return this.authority
			.with((certificate) -> certificate.addSanIpAddress("127.0.0.1").notAfter(Instant.now().plus(life)));
	}

	private static double days(SimpleMeterRegistry meters, String side, String bundle) {
		return meters.get("rpc." + side + ".certificate.expiry").tag("bundle", bundle).gauge().value();
	}

	private static Set<String> remotes(RpcServer server) {
		Set<String> result = new HashSet<>();
		for (ConnectionInfo each : server.connections()) {
			result.add(each.remote());
		}
		return result;
	}

}
