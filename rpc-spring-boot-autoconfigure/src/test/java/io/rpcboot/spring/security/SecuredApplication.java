package io.rpcboot.spring.security;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.security.Credentials;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.oauth2.jwt.JwtDecoder;

/** Application with TLS whose clients prove who they are, or do not. */
final class SecuredApplication implements AutoCloseable {

	static final String SECRET = "correct horse battery staple".replace(' ', '-');

	final ConfigurableApplicationContext context;

	private final X509Bundle root;

	private final List<RpcClient> clients = new ArrayList<>();

	SecuredApplication(Path files, Map<String, ?> properties, Class<?>... beans) {
		try {
			this.root = new CertificateBuilder().subject("CN=authority")
				.setIsCertificateAuthority(true)
				.buildSelfSigned();
			X509Bundle own = issue("vault");
			Files.writeString(files.resolve("ca.pem"), this.root.getRootCertificatePEM());
			Files.writeString(files.resolve("key.pem"), own.getPrivateKeyPEM());
			Files.writeString(files.resolve("cert.pem"), own.getCertificatePathPEM());
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		String bundle = "spring.ssl.bundle.pem.own.";
		Map<String, Object> all = new HashMap<>(Map.of("rpc.server.ssl.bundle", "own", "rpc.server.ssl.client-auth",
				"want", "rpc.server.shutdown.grace-period", 0, "rpc.client.enabled", false,
				bundle + "keystore.certificate", "file:" + files.resolve("cert.pem"), bundle + "keystore.private-key",
				"file:" + files.resolve("key.pem"), bundle + "truststore.certificate",
				"file:" + files.resolve("ca.pem")));
		all.putAll(properties);
		this.context = Applications.run(WebApplicationType.NONE, all, beans);
	}

	private X509Bundle issue(String name) {
		try {
			return new CertificateBuilder().subject("CN=" + name)
				.addSanIpAddress("127.0.0.1")
				.addSanDnsName("localhost")
				.addSanUriName("spiffe://test/" + name)
				.buildIssuedBy(this.root);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A service as a client sees it.
	 * @param certificate common name of the client, empty for no certificate
	 * @param credentials scheme and value, empty for none
	 */
	<T> T service(Class<T> type, Protocol protocol, String certificate, String credentials) {
		return service(type, protocol, client(certificate), credentials.isEmpty() ? List.of() : List.of((call) -> {
			call.attachments().put("authorization", credentials);
			return call.proceed();
		}));
	}

	/** A service as a client sees it whose connections have credentials. */
	<T> T service(Class<T> type, Protocol protocol, Credentials credentials) {
		return service(type, protocol, client("").credentials(() -> credentials), List.of());
	}

	private <T> T service(Class<T> type, Protocol protocol, RpcClientBuilder builder,
			List<RpcClientInterceptor> interceptors) {
		RpcClient client = builder.build();
		this.clients.add(client);
		return client.reference(type,
				ReferenceOptions.defaults()
					.withEndpoints(new Endpoint("127.0.0.1", Applications.port(this.context)))
					.withProtocol(protocol)
					.withTimeout(Duration.ofSeconds(20))
					.withWaitForInstance(Duration.ofSeconds(20))
					.withInterceptors(interceptors));
	}

	private RpcClientBuilder client(String certificate) {
		try {
			TlsOptions tls = TlsOptions.of(certificate.isEmpty() ? null : issue(certificate).toKeyManagerFactory(),
					this.root.toTrustManagerFactory());
			return RpcClient.builder().tls(tls).maxAttachmentsSize(16 * 1024);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	void closeClients() {
		this.clients.forEach(RpcClient::close);
		this.clients.clear();
	}

	@Override
	public void close() {
		closeClients();
		this.context.close();
	}

	static class Decoder {

		@Bean
		JwtDecoder jwtDecoder() {
			return Tokens.decoder();
		}

	}

	/** Implementation of all services, which counts its calls. */
	@RpcService(interfaces = { Vault.class, Vault.Cellar.class, Vault.Archive.class })
	public static class VaultService implements Vault, Vault.Cellar, Vault.Archive {

		final AtomicInteger calls = new AtomicInteger();

		@Override
		public String open(Key key) {
			return called(key);
		}

		@Override
		public String list(Key key) {
			return called(key);
		}

		@Override
		public String ping(Key key) {
			return called(key);
		}

		@Override
		public String burn(Key key) {
			return called(key);
		}

		@Override
		public String count(Key key) {
			return called(key);
		}

		@Override
		public String audit(Key key) {
			return called(key);
		}

		@Override
		public String clean(Key key) {
			return called(key);
		}

		private String called(Key key) {
			this.calls.incrementAndGet();
			return key.name();
		}

	}

}
