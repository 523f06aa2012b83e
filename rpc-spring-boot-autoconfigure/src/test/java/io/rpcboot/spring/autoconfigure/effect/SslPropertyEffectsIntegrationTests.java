package io.rpcboot.spring.autoconfigure.effect;

import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.TlsDescriptor;
import io.rpcboot.spring.actuate.descriptor.TlsDescriptor.State;
import io.rpcboot.spring.actuate.endpoint.RpcEndpoint;
import io.rpcboot.spring.actuate.health.RpcHealthIndicator;
import io.rpcboot.spring.autoconfigure.effect.EffectApplication.Desk;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.TlsOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.tuple;

/** TLS by properties and SSL bundles. */
class SslPropertyEffectsIntegrationTests {

	@TempDir
	Path files;

	private X509Bundle root;

	@BeforeEach
	void issue() throws Exception {
		this.root = new CertificateBuilder().subject("CN=authority").setIsCertificateAuthority(true).buildSelfSigned();
		Files.writeString(this.files.resolve("ca.pem"), this.root.getRootCertificatePEM());
		write("users");
	}

	private void write(String name) throws Exception {
		X509Bundle own = issued(name, Duration.ofDays(90));
		replace("key.pem", own.getPrivateKeyPEM());
		replace("cert.pem", own.getCertificatePathPEM());
	}

	private X509Bundle issued(String name, Duration life) throws Exception {
		return new CertificateBuilder().subject("CN=" + name)
			.addSanIpAddress("127.0.0.1")
			.addSanDnsName("localhost")
			.notAfter(Instant.now().plus(life))
			.buildIssuedBy(this.root);
	}

	/** A file is replaced as a whole, as by those that renew certificates. */
	private void replace(String name, String text) throws Exception {
		Path next = Files.writeString(this.files.resolve(name + ".next"), text);
		Files.move(next, this.files.resolve(name), StandardCopyOption.ATOMIC_MOVE);
	}

	/** Properties of a bundle {@code own} with a key, and a bundle {@code trust}. */
	private Map<String, Object> bundles(Map<String, ?> others) {
		Map<String, Object> all = new HashMap<>(others);
		all.put("spring.ssl.bundle.pem.own.keystore.certificate", "file:" + this.files.resolve("cert.pem"));
		all.put("spring.ssl.bundle.pem.own.keystore.private-key", "file:" + this.files.resolve("key.pem"));
		all.put("spring.ssl.bundle.pem.own.truststore.certificate", "file:" + this.files.resolve("ca.pem"));
		all.put("spring.ssl.bundle.pem.trust.truststore.certificate", "file:" + this.files.resolve("ca.pem"));
		return all;
	}

	@ParameterizedTest
	@ValueSource(strings = { "ssl.bundle", "references.desk.ssl.bundle", "services.Desk.ssl.bundle" })
	@PropertyEffect({ "rpc.server.ssl.bundle", "rpc.client.ssl.bundle", "rpc.client.references.users.ssl.bundle" })
	void call_usesTls(String property) {
		try (EffectApplication application = EffectApplication
			.run(bundles(Map.of("rpc.server.ssl.bundle", "own", "rpc.client." + property, "trust")))) {
			assertThat(application.desk.sign("Doug")).isNotNull();
		}
	}

	@ParameterizedTest
	@CsvSource({ "none, true, true", "want, true, true", "need, false, true" })
	@PropertyEffect("rpc.server.ssl.client-auth")
	void clientWithoutCertificate_isServed_asPropertySays(String clientAuth, boolean without, boolean with) {
		try (EffectApplication application = EffectApplication.run(bundles(Map.of("rpc.server.ssl.bundle", "own",
				"rpc.server.ssl.client-auth", clientAuth, "rpc.client.ssl.bundle", without ? "trust" : "own")))) {
			assertThat(application.desk.sign("Doug")).isNotNull();
		}
		if (!without) {
			try (EffectApplication application = EffectApplication
				.run(bundles(Map.of("rpc.server.ssl.bundle", "own", "rpc.server.ssl.client-auth", clientAuth,
						"rpc.client.ssl.bundle", "trust", "rpc.client.timeout", "2s")))) {
				assertThatException().isThrownBy(() -> application.desk.sign("Doug"))
					.isInstanceOf(RpcException.class)
					.withMessageContaining("refuses the certificate of this client");
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "disabled, true", "optional, true", "required, false" })
	@PropertyEffect("rpc.server.ssl.mode")
	void clearText_isServed_asPropertySays(String mode, boolean served) {
		try (EffectApplication application = EffectApplication.run(bundles(
				Map.of("rpc.server.ssl.bundle", "own", "rpc.server.ssl.mode", mode, "rpc.client.timeout", "2s")))) {
			if (served) {
				assertThat(application.desk.sign("Doug")).isNotNull();
			}
			else {
				assertThatException().isThrownBy(() -> application.desk.sign("Doug"))
					.isInstanceOf(RpcException.class)
					.withMessageContaining("the server closed the connection during the handshake");
			}
		}
	}

	/**
	 * A client that begins a handshake and is silent keeps its place until another waits.
	 */
	@Test
	@PropertyEffect("rpc.server.limits.tls-handshakes")
	@ExtendWith(OutputCaptureExtension.class)
	void silentHandshake_losesItsPlace(CapturedOutput output) throws Exception {
		byte[] begin = { 0x16, 3, 1, 0, 100 };
		try (EffectApplication application = EffectApplication
			.run(bundles(Map.of("rpc.server.ssl.bundle", "own", "rpc.server.ssl.mode", "optional",
					"rpc.server.limits.tls-handshakes", 1, "rpc.server.handshake-timeout", "60s")));
				Socket first = new Socket("127.0.0.1", application.port());
				Socket second = new Socket("127.0.0.1", application.port())) {
			first.getOutputStream().write(begin);
			second.getOutputStream().write(begin);
			Applications.eventually(() -> output.toString().contains("limits.tls-handshakes: all 1 places are taken"));
		}
	}

	/** Server with TLS or without, mode of the client, and whether its calls succeed. */
	@ParameterizedTest
	@CsvSource({ "false, required, false", "false, registry, true", "true, required, true", "true, registry, true" })
	@PropertyEffect("rpc.client.ssl.mode")
	void client_usesTls_asPropertyAndRegistrySay(boolean hasTls, String mode, boolean served) {
		try (EffectApplication application = EffectApplication
			.run(bundles(Map.of("rpc.server.ssl.bundle", hasTls ? "own" : "", "rpc.client.ssl.bundle", "trust",
					"rpc.client.ssl.mode", mode, "rpc.client.timeout", served ? "20s" : "2s")))) {
			if (served) {
				assertThat(application.desk.sign("Doug")).isNotNull();
				assertThat(application.client.connections()).extracting(ConnectionInfo::encrypted).containsOnly(hasTls);
			}
			else {
				assertThatException().isThrownBy(() -> application.desk.sign("Doug"))
					.isInstanceOf(RpcException.class)
					.withMessageContaining("during the TLS handshake");
			}
		}
	}

	@Test
	void modeRegistry_endsStart_withAddresses() {
		Map<String, Object> properties = bundles(
				Map.of("rpc.client.ssl.bundle", "trust", "rpc.client.ssl.mode", "registry"));
		assertThatException().isThrownBy(() -> EffectApplication.calling(properties, 9090).close())
			.withStackTraceContaining("ssl.mode: registry, but the reference to ");
		try (RpcServer server = EffectApplication.server()) {
			properties.put("rpc.client.references.desk.ssl.bundle", "trust");
			try (EffectApplication application = EffectApplication.calling(properties, server.port())) {
				Applications.eventually(() -> application.instances().get(0).contains("TLS handshake"));
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "true, users, true", "true, shop, false", "false, shop, true" })
	@PropertyEffect("rpc.client.ssl.verify-application")
	void instance_isCalled_ifPropertyAllowsItsCertificate(boolean verifies, String name, boolean called) {
		try (EffectApplication application = EffectApplication.run(bundles(Map.of("rpc.server.ssl.bundle", "own",
				"rpc.client.ssl.bundle", "trust", "rpc.client.ssl.verify-application", verifies,
				"spring.application.name", name, "rpc.client.timeout", called ? "20s" : "2s")))) {
			if (called) {
				assertThat(application.desk.sign("Doug")).isNotNull();
			}
			else {
				assertThatException().isThrownBy(() -> application.desk.sign("Doug"))
					.withMessageContaining("does not name the application 'shop' of the registry");
			}
		}
	}

	/** The advertised host is 127.0.0.1, and the certificate is for another one, too. */
	@ParameterizedTest
	@CsvSource({ "localhost, true", "shop, false" })
	@PropertyEffect("rpc.server.ssl.server-name")
	void serverName_isRegistered_andMustBeInCertificate(String name, boolean starts) throws Exception {
		X509Bundle own = new CertificateBuilder().subject("CN=users")
			.addSanDnsName("localhost")
			.buildIssuedBy(this.root);
		replace("key.pem", own.getPrivateKeyPEM());
		replace("cert.pem", own.getCertificatePathPEM());
		Map<String, Object> properties = bundles(Map.of("rpc.server.ssl.bundle", "own", "rpc.server.ssl.server-name",
				name, "rpc.client.ssl.bundle", "trust"));
		if (starts) {
			try (EffectApplication application = EffectApplication.run(properties)) {
				assertThat(application.desk.sign("Doug")).isNotNull();
			}
		}
		else {
			assertThatException().isThrownBy(() -> EffectApplication.run(properties))
				.withStackTraceContaining(
						"rpc.server.ssl.server-name: shop (expected: a name in the certificate: [localhost])");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "rpc.server.ssl.engine", "rpc.client.ssl.engine" })
	@PropertyEffect({ "rpc.server.ssl.engine", "rpc.client.ssl.engine" })
	void missingEngine_endsStart(String property) {
		assertThatException()
			.isThrownBy(() -> EffectApplication.run(bundles(
					Map.of("rpc.server.ssl.bundle", "own", "rpc.client.ssl.bundle", "own", property, "openssl"))))
			.withStackTraceContaining(property + ": openssl is not available");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "rpc.server.ssl.bundle", "rpc.client.ssl.bundle", "rpc.client.references.desk.ssl.bundle" })
	void unknownBundle_endsStart(String property) {
		assertThatException().isThrownBy(() -> EffectApplication.run(bundles(Map.of(property, "mine"))))
			.havingRootCause()
			.withMessageStartingWith(property + ": 'mine' (expected: the name of a bundle of spring.ssl.bundle: ");
	}

	@Test
	void changedBundle_isUsedByNewConnections() throws Exception {
		try (EffectApplication application = EffectApplication
			.run(bundles(Map.of("rpc.server.ssl.bundle", "own", "spring.ssl.bundle.pem.own.reload-on-update", true,
					"spring.ssl.bundle.watch.file.quiet-period", "200ms", "rpc.client.ssl.bundle", "trust")))) {
			assertThat(application.desk.sign("Doug")).isNotNull();
			issue();
			try (RpcClient fresh = RpcClient.builder()
				.tls(TlsOptions.of(null, this.root.toTrustManagerFactory()))
				.build()) {
				Desk desk = fresh.reference(Desk.class, ReferenceOptions.defaults()
					.withEndpoints(new Endpoint("127.0.0.1", application.server.port())));
				Applications.eventually(() -> signs(desk));
			}
			assertThat(application.context.getBean(SslBundles.class).getBundleNames()).contains("own");
			assertThat(application.desk.sign("Doug")).as("on the connection before").isNotNull();
		}
	}

	/**
	 * The material that works is kept, health and endpoint tell why, and the next
	 * certificate is used.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "text", "nothing", "expired", "another key" })
	void wrongChange_isTold_andLeavesWhatWorks(String wrong) throws Exception {
		try (EffectApplication application = EffectApplication.run(bundles(Map.of("rpc.server.ssl.bundle", "own",
				"spring.ssl.bundle.pem.own.reload-on-update", true, "spring.ssl.bundle.watch.file.quiet-period",
				"100ms", "rpc.client.ssl.bundle", "trust", "management.endpoints.web.exposure.include", "rpc")))) {
			RpcHealthIndicator health = application.context.getBean(RpcHealthIndicator.class);
			RpcEndpoint endpoint = application.context.getBean(RpcEndpoint.class);
			assertThat(application.desk.sign("Doug")).isNotNull();
			assertThat(health.health(true).getStatus()).isEqualTo(Status.UP);
			assertThat(endpoint.rpc().tls())
				.extracting(TlsDescriptor::side, TlsDescriptor::bundle, TlsDescriptor::mode, TlsDescriptor::state,
						TlsDescriptor::problem)
				.containsExactlyInAnyOrder(tuple("server", "own", "required", State.VALID, null),
						tuple("client", "trust", "required", null, null));
			X509Bundle certificate = issued("other",
					wrong.equals("expired") ? Duration.ofSeconds(-60) : Duration.ofDays(1));
			switch (wrong) {
				case "text" -> replace("cert.pem", "no certificate");
				case "nothing" -> Files.delete(this.files.resolve("cert.pem"));
				case "expired" -> {
					replace("key.pem", certificate.getPrivateKeyPEM());
					replace("cert.pem", certificate.getCertificatePathPEM());
				}
				default -> replace("cert.pem", certificate.getCertificatePathPEM());
			}
			Applications.eventually(() -> health.health(true).getStatus().equals(RpcHealthIndicator.DEGRADED));
			assertThat(health.health(true).getDetails().get("tls")).asString()
				.startsWith("{server own=the changed bundle is not used: ");
			assertThat(endpoint.rpc().findings()).extracting(Finding::kind).contains("UNUSED_BUNDLE");
			assertThat(application.desk.sign("Doug")).isNotNull();
			assertThat(subject(endpoint)).isEqualTo("CN=users");
			write("next");
			Applications.eventually(() -> subject(endpoint).equals("CN=next"));
			assertThat(health.health(true).getStatus()).isEqualTo(Status.UP);
			assertThat(application.desk.sign("Doug")).isNotNull();
		}
	}

	private static String subject(RpcEndpoint endpoint) {
		return endpoint.rpc().tls().get(0).subject();
	}

	private static boolean signs(Desk desk) {
		try {
			return desk.sign("Doug") != null;
		}
		catch (RpcException ex) {
			return false;
		}
	}

}
