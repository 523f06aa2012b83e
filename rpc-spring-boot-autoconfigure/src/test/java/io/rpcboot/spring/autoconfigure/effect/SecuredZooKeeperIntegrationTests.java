package io.rpcboot.spring.autoconfigure.effect;

import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;

import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.auth.SASLAuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Effects of properties of logins at ZooKeeper and of TLS to it. */
@Timeout(60)
class SecuredZooKeeperIntegrationTests {

	private static EffectApplication run(String connectString, Map<String, ?> properties) {
		Map<String, Object> all = new HashMap<>(
				Map.of("spring.application.name", "desks", "rpc.registry.zookeeper.connect-string", connectString));
		all.putAll(properties);
		return EffectApplication.run(all);
	}

	private static CuratorFramework client(EffectApplication application) {
		return EffectApplication.reachable(application.context.getBean(Registry.class), CuratorFramework.class).get(0);
	}

	/** Logins by sections of a JAAS configuration, here with DIGEST-MD5. */
	@Nested
	class Sasl {

		private static final String PROVIDER = "zookeeper.authProvider.sasl";

		private static final String FIPS = "zookeeper.fips-mode";

		private EmbeddedZooKeeper server;

		@BeforeEach
		void start() {
			Configuration.setConfiguration(new Sections());
			System.setProperty(PROVIDER, SASLAuthenticationProvider.class.getName());
			System.setProperty(FIPS, "false"); // which allows no DIGEST-MD5
			ProviderRegistry.initialize();
			ProviderRegistry.addOrUpdateProvider(PROVIDER);
			this.server = new EmbeddedZooKeeper();
		}

		@AfterEach
		void stop() {
			this.server.close();
			System.clearProperty(PROVIDER);
			System.clearProperty(FIPS);
			ProviderRegistry.removeProvider("sasl");
			Configuration.setConfiguration(null);
		}

		private List<ACL> acl(Map<String, ?> properties) throws Exception {
			try (EffectApplication application = run(this.server.connectString(), properties)) {
				Applications.eventually(() -> !application.server.registeredLocation().isEmpty());
				return client(application).getACL().forPath(application.server.registeredLocation());
			}
		}

		/** The section is there, and so the login needs no property. */
		@Test
		void process_logsInByDefault() throws Exception {
			assertThat(acl(Map.of("rpc.registry.zookeeper.acl", "creator")))
				.containsExactly(new ACL(Perms.ALL, new Id("sasl", "client")));
			assertThat(acl(Map.of("rpc.registry.zookeeper.root-path", "/default")))
				.containsExactly(new ACL(Perms.ALL, Ids.ANYONE_ID_UNSAFE));
		}

		@Test
		@PropertyEffect("rpc.registry.zookeeper.sasl.enabled")
		void nodes_belongToLogin_whenSaslIsEnabled() throws Exception {
			assertThat(acl(Map.of("rpc.registry.zookeeper.sasl.enabled", true)))
				.containsExactly(new ACL(Perms.ALL, new Id("sasl", "client")));
		}

		@ParameterizedTest
		@ValueSource(strings = { "rpc.registry.zookeeper.sasl.enabled=true", "rpc.registry.zookeeper.acl=creator" })
		@PropertyEffect("rpc.registry.zookeeper.sasl.login-context")
		void process_logsInByNamedSection(String property) throws Exception {
			String[] parts = property.split("=");
			assertThat(acl(Map.of("rpc.registry.zookeeper.sasl.login-context", "Shop", parts[0], parts[1])))
				.containsExactly(new ACL(Perms.ALL, new Id("sasl", "shop")));
		}

		@Test
		@PropertyEffect("rpc.registry.zookeeper.sasl.server-principal")
		void principalOfServer_reachesClientOfZooKeeper() throws Exception {
			try (EffectApplication application = run(this.server.connectString(),
					Map.of("rpc.registry.zookeeper.sasl.server-principal", "zk/acme.com"))) {
				Applications.eventually(() -> !application.server.registeredLocation().isEmpty());
				assertThat(client(application).getZookeeperClient()
					.getZooKeeper()
					.getClientConfig()
					.getProperty(ZKClientConfig.ZOOKEEPER_SERVER_PRINCIPAL)).isEqualTo("zk/acme.com");
			}
		}

	}

	/** A server with a certificate, and no port without TLS. */
	@Nested
	class Tls {

		private static final String PASSWORD = "changeit";

		private static final String TRUST_STORE = "javax.net.ssl.trustStore";

		@TempDir
		private Path directory;

		private ZooKeeperServer server;

		private ServerCnxnFactory factory;

		private String connectString;

		private Path trust;

		@BeforeEach
		void start() throws Exception {
			Path key = this.directory.resolve("key.p12");
			generate(key);
			this.trust = this.directory.resolve("trust.p12");
			KeyStore trusted = KeyStore.getInstance("PKCS12");
			trusted.load(null, null);
			trusted.setCertificateEntry("zk",
					KeyStore.getInstance(key.toFile(), PASSWORD.toCharArray()).getCertificate("key"));
			try (OutputStream out = Files.newOutputStream(this.trust)) {
				trusted.store(out, PASSWORD.toCharArray());
			}
			System.setProperty("zookeeper.admin.enableServer", "false");
			System.setProperty("zookeeper.ssl.keyStore.location", key.toString());
			System.setProperty("zookeeper.ssl.keyStore.password", PASSWORD);
			System.setProperty("zookeeper.ssl.clientAuth", "none");
			System.setProperty(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY,
					"org.apache.zookeeper.server.NettyServerCnxnFactory");
			Path data = Files.createDirectory(this.directory.resolve("data"));
			this.server = new ZooKeeperServer(data.toFile(), data.toFile(), 500);
			this.factory = ServerCnxnFactory.createFactory();
			this.factory.configure(new InetSocketAddress(InetAddress.getByAddress(new byte[] { 127, 0, 0, 1 }), 0), 0,
					-1, true);
			this.factory.startup(this.server);
			this.connectString = "127.0.0.1:" + this.factory.getLocalPort();
		}

		/** The client may look up the name of an address. */
		private static void generate(Path file) throws Exception {
			Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
					"-genkeypair", "-alias", "key", "-keyalg", "EC", "-dname", "CN=test", "-ext",
					"san=ip:127.0.0.1,dns:localhost", "-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore",
					file.toString())
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
		}

		@AfterEach
		void stop() throws Exception {
			this.factory.shutdown();
			this.server.shutdown(true);
			this.server.getZKDatabase().close();
			for (String name : List.of("keyStore.location", "keyStore.password", "clientAuth")) {
				System.clearProperty("zookeeper.ssl." + name);
			}
			System.clearProperty(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY);
		}

		private void assertConnects(Map<String, ?> properties) {
			try (EffectApplication application = run(this.connectString, properties)) {
				Registry registry = application.context.getBean(Registry.class);
				Applications.eventually(() -> registry.state() == RegistryState.CONNECTED);
				Applications.eventually(() -> !application.server.registeredLocation().isEmpty());
				Applications.eventually(() -> application.instances().equals(List.of("READY ")));
				assertThat(application.desk.sign("Doug")).isEqualTo("signed Doug");
			}
		}

		@Test
		@PropertyEffect("rpc.registry.zookeeper.ssl.bundle")
		void certificatesOfBundle_areTrusted() {
			assertConnects(
					Map.of("rpc.registry.zookeeper.ssl.bundle", "zk", "spring.ssl.bundle.jks.zk.truststore.location",
							this.trust.toUri(), "spring.ssl.bundle.jks.zk.truststore.password", PASSWORD));
		}

		@Test
		@PropertyEffect("rpc.registry.zookeeper.ssl.enabled")
		void certificatesOfJvm_areTrusted_withoutBundle() {
			System.setProperty(TRUST_STORE, this.trust.toString());
			System.setProperty(TRUST_STORE + "Password", PASSWORD);
			try {
				assertConnects(Map.of("rpc.registry.zookeeper.ssl.enabled", true));
			}
			finally {
				System.clearProperty(TRUST_STORE);
				System.clearProperty(TRUST_STORE + "Password");
			}
		}

	}

	private static final class Sections extends Configuration {

		@Override
		public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
			Map<String, String> options = switch (name) {
				case "Server" -> Map.of("user_client", "secret", "user_shop", "secret");
				case "Client" -> Map.of("username", "client", "password", "secret");
				case "Shop" -> Map.of("username", "shop", "password", "secret");
				default -> null;
			};
			return (options != null)
					? new AppConfigurationEntry[] { new AppConfigurationEntry(DigestLoginModule.class.getName(),
							LoginModuleControlFlag.REQUIRED, options) }
					: null;
		}

	}

}
