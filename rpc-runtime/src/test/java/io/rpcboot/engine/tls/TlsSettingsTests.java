package io.rpcboot.engine.tls;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.handler.ssl.util.TrustManagerFactoryWrapper;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.server.CorsOptions;
import io.rpcboot.server.HttpOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.TlsOptions;
import io.rpcboot.transport.TlsOptions.ClientAuth;
import io.rpcboot.transport.TlsOptions.Engine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Keys and trust that would admit strangers, or no client: known at the start. */
class TlsSettingsTests {

	private static final Authority OURS = new Authority();

	private static TrustManagerFactory factory(@Nullable KeyStore store) {
		try {
			TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			factory.init(store);
			return factory;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static KeyStore store(X509Certificate... certificates) throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		store.load(null, null);
		for (X509Certificate each : certificates) {
			store.setCertificateEntry("ca", each);
		}
		return store;
	}

	private static void build(TlsOptions options) {
		RpcServer.builder().port(0).tls(options).build().close();
	}

	static Stream<Arguments> listsOfJvm() {
		return Stream.of(ClientAuth.WANT, ClientAuth.NEED)
			.flatMap((clientAuth) -> Stream.of(Arguments.of(clientAuth, "none", null),
					Arguments.of(clientAuth, "of the JVM", factory(null))));
	}

	@ParameterizedTest(name = "{0}, trust managers: {1}")
	@MethodSource("listsOfJvm")
	void serverThatAsksForCertificates_needsAuthoritiesOfItsOwn(ClientAuth clientAuth, String name,
			@Nullable TrustManagerFactory trusted) {
		TlsOptions options = TlsOptions.of(OURS.here().keys(), trusted);
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> build(options.withClientAuth(clientAuth)))
			.withMessageContaining("but ssl.bundle has no trust store")
			.withMessageContaining(clientAuth.name().toLowerCase());
		build(options);
		try (RpcServer server = RpcServer.builder().port(0).tls(OURS.here().withClientAuth(clientAuth)).build()) {
			assertThatExceptionOfType(RpcConfigurationException.class)
				.isThrownBy(() -> server.renewTls(options.withClientAuth(clientAuth)))
				.withMessageContaining("has no trust store");
		}
	}

	@Test
	void listOfJvm_isUsed_ifSystemPropertyNamesIt(@TempDir Path files) throws Exception {
		Path file = files.resolve("ca.p12");
		try (OutputStream out = Files.newOutputStream(file)) {
			store(OURS.root().getCertificate()).store(out, "changeit".toCharArray());
		}
		System.setProperty("javax.net.ssl.trustStore", file.toString());
		System.setProperty("javax.net.ssl.trustStorePassword", "changeit");
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			build(TlsOptions.of(OURS.here().keys(), null).withClientAuth(ClientAuth.NEED));
			assertThat(log.messages()).singleElement().asString().contains("javax.net.ssl.trustStore=" + file, "need");
		}
		finally {
			System.clearProperty("javax.net.ssl.trustStore");
			System.clearProperty("javax.net.ssl.trustStorePassword");
		}
	}

	/** As 'openssl pkcs12 -export -nokeys' makes it: Java sees no entry. */
	@Test
	void emptyTrustStore_endsStart_atBothSides() throws Exception {
		TrustManagerFactory empty = factory(store());
		for (ClientAuth each : ClientAuth.values()) {
			assertThatExceptionOfType(RpcConfigurationException.class)
				.isThrownBy(() -> build(TlsOptions.of(OURS.here().keys(), empty).withClientAuth(each)))
				.withMessageContaining("ssl.bundle: the trust store has no certificate of an authority");
		}
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcClient.builder().tls(TlsOptions.of(null, empty)).build())
			.withMessageContaining("ssl.bundle: the trust store has no certificate of an authority");
	}

	/** They may find authorities later, or pin certificates. */
	@Test
	void trustManagersOfApplication_areUsed() {
		build(TlsOptions.of(OURS.here().keys(), InsecureTrustManagerFactory.INSTANCE).withClientAuth(ClientAuth.NEED));
		X509TrustManager ofJvm = (X509TrustManager) factory(null).getTrustManagers()[0];
		TrustManager pinning = new X509TrustManager() {
			@Override
			public void checkClientTrusted(X509Certificate[] chain, String authType) {
			}

			@Override
			public void checkServerTrusted(X509Certificate[] chain, String authType) {
			}

			@Override
			public X509Certificate[] getAcceptedIssuers() {
				return ofJvm.getAcceptedIssuers();
			}
		};
		build(TlsOptions.of(OURS.here().keys(), new TrustManagerFactoryWrapper(pinning))
			.withClientAuth(ClientAuth.NEED));
	}

	@ParameterizedTest
	@ValueSource(strings = { "server", "client" })
	void certificateOfTomorrow_isWarnedOf(String side) {
		TlsOptions early = OURS.with((certificate) -> certificate.addSanIpAddress("127.0.0.1")
			.notBefore(Instant.now().plus(Duration.ofDays(1)))
			.notAfter(Instant.now().plus(Duration.ofDays(30))));
		try (LogRecorder log = new LogRecorder("rpc." + side)) {
			if (side.equals("server")) {
				build(early);
			}
			else {
				RpcClient.builder().tls(early).build().close();
			}
			assertThat(log.messages()).singleElement()
				.asString()
				.startsWith("The certificate 'CN=test' of the " + side + " is valid from ")
				.contains("and not now");
		}
	}

	@ParameterizedTest
	@EnumSource(ClientAuth.class)
	void pagesOfOtherOrigins_areWarnedOf_ifBrowsersCannotAsk(ClientAuth clientAuth) {
		HttpOptions pages = HttpOptions.defaults()
			.withCors(CorsOptions.defaults().withAllowedOrigins("https://shop.example"));
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			RpcServer.builder().port(0).tls(OURS.here().withClientAuth(clientAuth)).http(pages).build().close();
			assertThat(log.messages().stream().filter((each) -> each.contains("rpc.server.http.cors.allowed-origins")))
				.hasSize((clientAuth == ClientAuth.NEED) ? 1 : 0);
		}
	}

	@Test
	void expiredCertificateOfClient_isWarnedOf() {
		try (LogRecorder log = new LogRecorder("rpc.client")) {
			RpcClient.builder().tls(OURS.expired()).build().close();
			assertThat(log.messages()).singleElement().asString().contains("of the client is valid from", "not now");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "ecp256", "ecp384", "rsa2048", "ed25519" })
	void keyOfAnotherCertificate_isNamed(Algorithm algorithm) throws Exception {
		X509Bundle own = issue(algorithm);
		for (Algorithm other : new Algorithm[] { algorithm, Algorithm.ecp256, Algorithm.rsa2048 }) {
			X509Bundle mixed = X509Bundle.fromCertificatePath(own.getCertificatePath(), own.getRootCertificate(),
					issue(other).getKeyPair());
			TlsOptions options = TlsOptions.of(mixed.toKeyManagerFactory(), OURS.trust().trusted());
			for (Engine engine : Engine.values()) {
				if (engine == Engine.OPENSSL && !OpenSsl.isAvailable()) {
					continue;
				}
				assertThatExceptionOfType(RpcConfigurationException.class).as("%s, %s", other, engine)
					.isThrownBy(() -> build(options.withEngine(engine)))
					.withMessage(
							"ssl.bundle: cannot be used for TLS: the private key does not belong to the certificate");
				assertThatExceptionOfType(RpcConfigurationException.class)
					.isThrownBy(() -> RpcClient.builder().tls(options.withEngine(engine)).build())
					.withMessage(
							"ssl.bundle: cannot be used for TLS: the private key does not belong to the certificate");
			}
		}
	}

	private static X509Bundle issue(Algorithm algorithm) throws Exception {
		return new CertificateBuilder().subject("CN=test").algorithm(algorithm).buildIssuedBy(OURS.root());
	}

}
