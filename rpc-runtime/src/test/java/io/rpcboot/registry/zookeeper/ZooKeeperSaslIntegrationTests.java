package io.rpcboot.registry.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;

import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.auth.SASLAuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.Registry.Registration;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.Snapshots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Logins by a JAAS configuration, here with DIGEST-MD5. */
class ZooKeeperSaslIntegrationTests {

	private static final String PROVIDER = "zookeeper.authProvider.sasl";

	private static final String FIPS = "zookeeper.fips-mode";

	private static final ServiceId USERS = new ServiceId("com.acme.UserService", "", "");

	private final Sections sections = new Sections();

	private final List<AutoCloseable> opened = new ArrayList<>();

	private EmbeddedZooKeeper server;

	@BeforeEach
	void start() {
		Configuration.setConfiguration(this.sections);
		this.sections.passwords.put("Server", "right");
		this.sections.passwords.put("Mine", "right");
		System.setProperty(PROVIDER, SASLAuthenticationProvider.class.getName());
		System.setProperty(FIPS, "false"); // which allows no DIGEST-MD5
		ProviderRegistry.initialize();
		ProviderRegistry.addOrUpdateProvider(PROVIDER);
		this.server = new EmbeddedZooKeeper();
	}

	@AfterEach
	void stop() throws Exception {
		for (AutoCloseable each : this.opened) {
			each.close();
		}
		this.server.close();
		System.clearProperty(PROVIDER);
		System.clearProperty(FIPS);
		ProviderRegistry.removeProvider("sasl");
		Configuration.setConfiguration(null);
	}

	private ZooKeeperRegistry open() {
		ZooKeeperRegistry registry = new ZooKeeperRegistry(
				ZooKeeperRegistryIntegrationTests.options(this.server.connectString(), "/rpc")
					.withSecurity(ZooKeeperSecurity.defaults().withSasl(true).withLoginContext("Mine")));
		this.opened.add(registry);
		return registry;
	}

	private static ServiceInstance instance(String id) {
		return new ServiceInstance(id, "shop", new Endpoint("10.0.0.1", 1), 100, 0, Set.of(USERS));
	}

	@Test
	void nodes_belongToLogin() throws Exception {
		Registration registration = open().register(instance("a"));
		Eventually.until("registered", registration::isRegistered);
		Snapshots snapshots = new Snapshots();
		open().subscribe(USERS, snapshots);
		snapshots.await("a");
		ZKClientConfig withoutLogin = new ZKClientConfig();
		withoutLogin.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
		ZooKeeper stranger = new ZooKeeper(this.server.connectString(), 10_000, (event) -> {
		}, withoutLogin);
		try {
			assertThatExceptionOfType(KeeperException.NoAuthException.class)
				.isThrownBy(() -> stranger.getData(registration.location(), false, null));
		}
		finally {
			stranger.close();
		}
	}

	@Test
	void failedLogin_isReportedAndRetried() {
		this.sections.passwords.put("Mine", "wrong");
		ZooKeeperRegistry registry = open();
		Registration registration = registry.register(instance("a"));
		Eventually.until("refused", () -> !registry.problem().isEmpty());
		assertThat(registry.problem()).startsWith("refuses the SASL login of this process (AuthFailed)")
			.contains("JAAS configuration")
			.doesNotContain("wrong");
		assertThat(registry.state()).isEqualTo(RegistryState.CONNECTING);
		assertThat(registration.isRegistered()).isFalse();
		this.sections.passwords.put("Mine", "right");
		Eventually.until("registered", registration::isRegistered);
		Eventually.until("let in", () -> registry.state() == RegistryState.CONNECTED);
		assertThat(registry.problem()).isEmpty();
	}

	/** As files name them. */
	private static final class Sections extends Configuration {

		private final Map<String, String> passwords = new ConcurrentHashMap<>();

		@Override
		public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
			String password = this.passwords.get(name);
			if (password == null) {
				return null;
			}
			Map<String, String> options = name.equals("Server") ? Map.of("user_shop", password)
					: Map.of("username", "shop", "password", password);
			return new AppConfigurationEntry[] { new AppConfigurationEntry(DigestLoginModule.class.getName(),
					LoginModuleControlFlag.REQUIRED, options) };
		}

	}

}
