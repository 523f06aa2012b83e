package io.rpcboot.spring.autoconfigure.ssl;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.context.RpcContext;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Credentials;
import io.rpcboot.security.CredentialsProvider;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.spring.RpcClientBuilderCustomizer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.StartFailure;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers that get the credentials of a client: its own, and those of others only if its
 * settings say it.
 */
class CredentialsDestinationIntegrationTests {

	private static final String SECRET = "a-secret-of-all-servers";

	@TempDir
	static Path files;

	/** Servers by name: own, partner (of another authority), clear (text). */
	private static Map<String, RpcServer> servers = Map.of();

	@BeforeAll
	static void start() throws Exception {
		servers = Map.of("own", server(tls("own")), "partner", server(tls("partner")), "clear", server(null));
	}

	@AfterAll
	static void stop() {
		servers.values().forEach(RpcServer::close);
	}

	private static TlsOptions tls(String name) throws Exception {
		X509Bundle root = new CertificateBuilder().subject("CN=authority of " + name)
			.setIsCertificateAuthority(true)
			.buildSelfSigned();
		Files.writeString(files.resolve(name + ".pem"), root.getRootCertificatePEM());
		X509Bundle issued = new CertificateBuilder().subject("CN=" + name)
			.addSanIpAddress("127.0.0.1")
			.buildIssuedBy(root);
		return TlsOptions.of(issued.toKeyManagerFactory(), root.toTrustManagerFactory());
	}

	private static RpcServer server(@Nullable TlsOptions tls) {
		RpcServerBuilder builder = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Who.class, () -> RpcContext.current().caller().getName())
			.access(AccessOptions.defaults().withClearTextCredentials(true).withAuthenticator((credentials) -> {
				Principal user = credentials::value;
				return CallerIdentity.of(user, Instant.MAX);
			}).withAuthorizer((caller, service, method) -> true));
		return ((tls != null) ? builder.tls(tls) : builder).start();
	}

	private static ApplicationContextRunner calling(String server, List<String> ofClient, List<String> ofReference) {
		List<String> properties = new ArrayList<>(
				List.of("rpc.client.shutdown.grace-period=0", "rpc.client.timeout=20s"));
		for (String each : List.of("own", "partner")) {
			properties.add("spring.ssl.bundle.pem.%s.truststore.certificate=file:%s".formatted(each,
					files.resolve(each + ".pem")));
		}
		ofClient.forEach((each) -> properties.add("rpc.client." + each));
		properties.add("rpc.client.references.who.addresses=127.0.0.1:" + servers.get(server).port());
		ofReference.forEach((each) -> properties.add("rpc.client." + each));
		return new ApplicationContextRunner().withPropertyValues(properties.toArray(String[]::new))
			.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, RpcClientAutoConfiguration.class,
					RpcRegistryAutoConfiguration.class, RpcSerializationAutoConfiguration.class))
			.withBean(Caller.class);
	}

	private static List<String> list(@Nullable String text, String prefix) {
		return (text == null) ? List.of() : Stream.of(text.split(" ")).map((each) -> prefix + each).toList();
	}

	/**
	 * Settings of client and reference, the server, and the name of the caller there:
	 * that of the credentials, or anonymous.
	 */
	@ParameterizedTest(name = "{0} | {1} | {2}")
	@CsvSource(delimiter = '|', textBlock = """
			ssl.bundle=own                            |                                         | own     | secret
			ssl.bundle=own                            | ssl.bundle=own                          | own     | secret
			ssl.bundle=own ssl.mode=registry          | ssl.bundle=own                          | own     | secret
			ssl.bundle=own                            | credentials=none                        | own     | anonymous
			ssl.bundle=own                            | credentials=default                     | own     | secret
			ssl.bundle=own                            | ssl.mode=disabled                       | clear   | anonymous
			ssl.bundle=own auth.allow-clear-text=true | ssl.mode=disabled                       | clear   | anonymous
			ssl.bundle=own auth.allow-clear-text=true | ssl.mode=disabled credentials=others    | clear   | bob
			ssl.bundle=own                            | ssl.bundle=partner credentials=none     | partner | anonymous
			ssl.bundle=own                            | ssl.bundle=partner credentials=default  | partner | secret
			ssl.bundle=own                            | ssl.bundle=partner credentials=others   | partner | bob
			                                          | ssl.bundle=own                          | own     | secret
			                                          | credentials=none                        | clear   | anonymous
			auth.allow-clear-text=true                |                                         | clear   | secret
			auth.allow-clear-text=true                | ssl.mode=disabled                       | clear   | secret
			""")
	@PropertyEffect({ "rpc.client.references.users.ssl.mode", "rpc.client.references.users.credentials" })
	void server_getsCredentials_asSettingsSay(@Nullable String ofClient, @Nullable String ofReference, String server,
			String caller) {
		for (String prefix : List.of("references.who.", "services.Who.")) {
			for (String protocol : List.of("native", "grpc")) {
				calling(server, list(ofClient, ""), list(ofReference, prefix)).withUserConfiguration(Others.class)
					.withPropertyValues("rpc.client.auth.secret=" + SECRET, "rpc.client.protocol=" + protocol)
					.run((context) -> assertThat(context.getBean(Caller.class).who.caller()).as(protocol)
						.isEqualTo(caller.replace("secret", SECRET)));
			}
		}
	}

	@ParameterizedTest(name = "{0} | {1} | {2}")
	@CsvSource(delimiter = '|',
			textBlock = """
					ssl.bundle=own | ssl.bundle=partner                     | partner | rpc.client.references.who.credentials: not set, but the reference has the SSL bundle 'partner', and the client 'own'
					ssl.bundle=own ssl.mode=registry | ssl.bundle=partner   | partner | rpc.client.references.who.credentials: not set
					ssl.bundle=own auth.allow-clear-text=true | ssl.bundle=partner | partner | rpc.client.references.who.credentials: not set
					ssl.bundle=own | ssl.mode=disabled credentials=default  | clear   | rpc.client.references.who.credentials: default, but the reference speaks clear text
					ssl.bundle=own | ssl.mode=disabled credentials=others   | clear   | rpc.client.auth.allow-clear-text: false
					ssl.bundle=own | ssl.mode=disabled relay-credentials=true | clear | rpc.client.auth.allow-clear-text: false
					ssl.bundle=own | ssl.mode=disabled ssl.bundle=own       | clear   | rpc.client.references.who.ssl.mode: disabled, but ssl.bundle is 'own'
					               |                                        | clear   | rpc.client.auth.allow-clear-text: false
					               | credentials=default                    | clear   | rpc.client.auth.allow-clear-text: false
					               | ssl.mode=disabled                      | clear   | rpc.client.auth.allow-clear-text: false
					""")
	void start_ends_beforeCredentialsLeave(@Nullable String ofClient, @Nullable String ofReference, String server,
			String message) {
		assertThat(StartFailure
			.of(calling(server, list(ofClient, ""), list(ofReference, "references.who."))
				.withUserConfiguration(Others.class)
				.withPropertyValues("rpc.client.auth.secret=" + SECRET))
			.getDescription()).contains(message);
	}

	@Test
	void action_namesReferenceFirst_andClearTextLast() {
		String action = StartFailure
			.of(calling("clear", List.of(), List.of()).withPropertyValues("rpc.client.auth.secret=" + SECRET))
			.getAction();
		assertThat(action).startsWith("Set rpc.client.references.who.credentials=none ")
			.containsSubsequence("credentials=none", "rpc.client.ssl.bundle", "allow-clear-text=true");
	}

	/** The only bean and the builder give default credentials as the properties do. */
	@ParameterizedTest
	@ValueSource(classes = { TheOnly.class, OfBuilder.class })
	void credentialsOfBeans_areForServersOfClient(Class<?> source) {
		List<String> own = List.of("ssl.bundle=own");
		calling("own", own, List.of()).withUserConfiguration(source)
			.run((context) -> assertThat(context.getBean(Caller.class).who.caller()).isEqualTo("ann"));
		calling("clear", own, List.of("references.who.ssl.mode=disabled")).withUserConfiguration(source)
			.run((context) -> assertThat(context.getBean(Caller.class).who.caller()).isEqualTo("anonymous"));
		assertThat(StartFailure
			.of(calling("partner", own, List.of("references.who.ssl.bundle=partner")).withUserConfiguration(source))
			.getDescription()).contains("rpc.client.references.who.credentials: not set");
	}

	@ParameterizedTest
	@ValueSource(strings = { "none", "default" })
	void beanWithNameOfChoice_endsStart(String name) {
		assertThat(StartFailure.of(calling("clear", List.of(), List.of()).withBean(name, CredentialsProvider.class,
				() -> () -> Credentials.bearer("ann")))
			.getDescription()).contains("CredentialsProvider bean '" + name + "' (expected: another name");
	}

	/** Contract that tells the name of its caller. */
	public interface Who {

		String caller();

	}

	static class Caller {

		@RpcReference(name = "who")
		Who who;

	}

	@Configuration(proxyBeanMethods = false)
	static class Others {

		@Bean(defaultCandidate = false)
		CredentialsProvider others() {
			return () -> Credentials.bearer("bob");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TheOnly {

		@Bean
		CredentialsProvider tokens() {
			return () -> Credentials.bearer("ann");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OfBuilder {

		@Bean
		RpcClientBuilderCustomizer tokens() {
			return (builder) -> builder.credentials(() -> Credentials.bearer("ann"));
		}

	}

}
