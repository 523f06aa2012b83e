package io.rpcboot.spring.autoconfigure.ssl;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcClientBuilderCustomizer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcReferenceCustomizer;
import io.rpcboot.spring.RpcServerBuilderCustomizer;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import io.rpcboot.transport.TlsOptions;
import io.rpcboot.transport.TlsOptions.ClientAuth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static io.rpcboot.spring.autoconfigure.fixture.FailureAnalyses.analyze;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Settings of TLS without a bundle: the start ends, because everything would be clear
 * text.
 */
class MissingBundleTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0", "rpc.client.warm-up=0",
				"rpc.client.references.greeter.addresses=127.0.0.1:1")
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, RpcClientAutoConfiguration.class,
				RpcRegistryAutoConfiguration.class, RpcSerializationAutoConfiguration.class,
				RpcServerAutoConfiguration.class));

	@ParameterizedTest
	@CsvSource({ "client-auth, need", "client-auth, want", "client-auth, NEED", "mode, required", "mode, optional" })
	void serverWithSettingOfTls_endsStart_withoutBundle(String setting, String value) {
		String property = "rpc.server.ssl." + setting;
		this.runner.withBean(GreeterService.class).withPropertyValues(property + "=" + value).run((context) -> {
			FailureAnalysis analysis = analyze(context, property, value);
			assertThat(analysis.getDescription()).startsWith(
					property + ": " + value.toLowerCase() + ", but rpc.server.ssl.bundle is not set (expected: ");
			assertThat(analysis.getAction()).startsWith("Set rpc.server.ssl.bundle to ");
		});
		this.runner.withBean(GreeterService.class)
			.withPropertyValues(property + "=" + value)
			.withBean(RpcServerBuilderCustomizer.class, () -> (builder) -> builder.tls(tls()))
			.run((context) -> assertThat(context.getBean(RpcServer.class).tls()).isNotNull());
	}

	@ParameterizedTest
	@ValueSource(strings = { "mode=disabled", "client-auth=none", "engine=jdk" })
	void serverWithSettingForClearText_starts_withoutBundle(String setting) {
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.server.ssl." + setting)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "verify-application, true", "mode, required", "mode, registry", "mode, REGISTRY",
			"verifyApplication, true" })
	void clientWithSettingOfTls_endsStart_withoutBundleOfAnyReference(String setting, String value) {
		String property = "rpc.client.ssl." + setting;
		ApplicationContextRunner calling = this.runner.withBean(Caller.class)
			.withPropertyValues(property + "=" + value);
		calling.run((context) -> {
			FailureAnalysis analysis = analyze(context, "rpc.client.ssl", value);
			assertThat(analysis.getDescription()).startsWith("rpc.client.ssl.")
				.contains(": " + value.toLowerCase() + ", but rpc.client.ssl.bundle is not set (expected: ");
			assertThat(analysis.getAction()).startsWith("Set rpc.client.ssl.bundle to ");
		});
		calling.withBean(RpcClientBuilderCustomizer.class, () -> (builder) -> builder.tls(trust()))
			.run((context) -> assertThat(context).hasNotFailed());
		calling.withBean(RpcReferenceCustomizer.class, () -> (type, name, options) -> options.withTls(trust()))
			.run((context) -> assertThat(context).hasNotFailed());
		calling.withBean(RpcClient.class, () -> RpcClient.builder().build())
			.run((context) -> assertThat(context).as("client that has no properties").hasNotFailed());
		this.runner.withPropertyValues(property + "=" + value)
			.run((context) -> assertThat(context).as("no reference").hasNotFailed());
	}

	@Test
	void trustManagersWithoutStore_areThoseOfBundle() throws Exception {
		X509Bundle own = certificate();
		KeyManagerFactory keys = own.toKeyManagerFactory();
		SslBundle bundle = SslBundle.of(null, null, null, null, new SslManagerBundle() {
			@Override
			public KeyManagerFactory getKeyManagerFactory() {
				return keys;
			}

			@Override
			public TrustManagerFactory getTrustManagerFactory() {
				return InsecureTrustManagerFactory.INSTANCE;
			}
		});
		TlsOptions options = new TlsBundles(new DefaultSslBundleRegistry("own", bundle), (each) -> each,
				(before, next) -> {
				})
			.get("rpc.server.ssl.bundle", "own");
		assertThat(options.trusted()).isSameAs(InsecureTrustManagerFactory.INSTANCE);
		assertThat(options.keys()).isSameAs(keys);
		this.runner.withBean(GreeterService.class)
			.withBean("bundles", SslBundles.class, () -> new DefaultSslBundleRegistry("own", bundle))
			.withPropertyValues("rpc.server.ssl.bundle=own", "rpc.server.ssl.client-auth=need")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "need", "want" })
	void bundleWithoutTrustStore_endsStart_ifServerAsksForCertificates(String clientAuth) throws Exception {
		X509Bundle own = certificate();
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.server.ssl.bundle=own", "rpc.server.ssl.client-auth=" + clientAuth,
					"spring.ssl.bundle.pem.own.keystore.certificate=" + own.getCertificatePEM(),
					"spring.ssl.bundle.pem.own.keystore.private-key=" + own.getPrivateKeyPEM())
			.run((context) -> assertThat(analyze(context, "rpc.server.ssl.client-auth", clientAuth).getDescription())
				.startsWith("rpc.server.ssl.client-auth: " + clientAuth + ", but ssl.bundle has no trust store"));
	}

	private static X509Bundle certificate() throws Exception {
		return new CertificateBuilder().subject("CN=own").setIsCertificateAuthority(true).buildSelfSigned();
	}

	private static TlsOptions tls() {
		try {
			X509Bundle own = certificate();
			return TlsOptions.of(own.toKeyManagerFactory(), own.toTrustManagerFactory())
				.withClientAuth(ClientAuth.NEED);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static TlsOptions trust() {
		return TlsOptions.of(null, null);
	}

	static class Caller {

		@RpcReference(name = "greeter")
		Greeter greeter;

	}

}
