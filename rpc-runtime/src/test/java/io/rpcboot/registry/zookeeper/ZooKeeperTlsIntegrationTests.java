package io.rpcboot.registry.zookeeper;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;

import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.Registry.Registration;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.Snapshots;

import static org.assertj.core.api.Assertions.assertThat;

/** A port that takes TLS alone. */
class ZooKeeperTlsIntegrationTests {

	private static final ServiceId USERS = new ServiceId("com.acme.UserService", "", "");

	/** Read by the server at each connection. */
	private static final String KEY_STORE = "zookeeper.ssl.keyStore.location";

	private static final String PASSWORD = "changeit";

	@TempDir
	static Path directory;

	private static ZooKeeperServer server;

	private static ServerCnxnFactory factory;

	private static String connectString;

	@BeforeAll
	static void start() throws Exception {
		// the client may look up the name of an address
		generate("server", "ip:127.0.0.1,dns:localhost");
		generate("other", "dns:zk.acme.com");
		System.setProperty("zookeeper.admin.enableServer", "false");
		System.setProperty(KEY_STORE, file("server").toString());
		System.setProperty("zookeeper.ssl.keyStore.password", PASSWORD);
		System.setProperty("zookeeper.ssl.clientAuth", "none");
		System.setProperty(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY,
				"org.apache.zookeeper.server.NettyServerCnxnFactory");
		server = new ZooKeeperServer(directory.toFile(), directory.toFile(), 500);
		factory = ServerCnxnFactory.createFactory();
		factory.configure(new InetSocketAddress(InetAddress.getByAddress(new byte[] { 127, 0, 0, 1 }), 0), 0, -1, true);
		factory.startup(server);
		connectString = "127.0.0.1:" + factory.getLocalPort();
	}

	@AfterAll
	static void stop() throws Exception {
		factory.shutdown();
		server.shutdown(true);
		server.getZKDatabase().close();
		for (String name : Set.of("keyStore.location", "keyStore.password", "clientAuth")) {
			System.clearProperty("zookeeper.ssl." + name);
		}
		System.clearProperty(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY);
	}

	private static Path file(String name) {
		return directory.resolve(name + ".p12");
	}

	private static void generate(String name, String subject) throws Exception {
		Certificates.generate(file(name), "san=" + subject, PASSWORD);
		Certificates.trust(file(name + "-trust"), Certificates.of(file(name), PASSWORD), PASSWORD);
	}

	private static ZooKeeperRegistry open(ZooKeeperTls tls) {
		return new ZooKeeperRegistry(ZooKeeperRegistryIntegrationTests.options(connectString, "/rpc")
			.withSecurity(ZooKeeperSecurity.defaults().withTls(tls)));
	}

	private static ZooKeeperTls trusting(String name) {
		return ZooKeeperTls.defaults().withTrustStore(file(name + "-trust"), PASSWORD);
	}

	@Test
	void registries_findEachOtherThroughTls() {
		try (ZooKeeperRegistry provider = open(trusting("server"));
				ZooKeeperRegistry consumer = open(trusting("server"))) {
			Registration registration = provider
				.register(new ServiceInstance("a", "shop", new Endpoint("10.0.0.1", 1), 100, 0, Set.of(USERS)));
			Eventually.until("registered", registration::isRegistered);
			Snapshots snapshots = new Snapshots();
			consumer.subscribe(USERS, snapshots);
			snapshots.await("a");
		}
	}

	@Test
	void plainClient_isRefused() {
		assertRefused(null);
	}

	@Test
	void untrustedCertificate_isRejected() {
		assertRefused(trusting("other"));
	}

	@Test
	void certificateOfOtherHost_isRejected() {
		System.setProperty(KEY_STORE, file("other").toString());
		try {
			assertRefused(trusting("other"));
		}
		finally {
			System.setProperty(KEY_STORE, file("server").toString());
		}
	}

	private static void assertRefused(ZooKeeperTls tls) {
		try (ZooKeeperRegistry registry = open(tls); RegistryLog log = new RegistryLog()) {
			Snapshots snapshots = new Snapshots();
			registry.subscribe(USERS, snapshots);
			Eventually.until("told", () -> log.said("cannot be reached yet"));
			assertThat(registry.state()).isEqualTo(RegistryState.CONNECTING);
			assertThat(snapshots.all()).isEmpty();
			assertThat(log.said("with TLS (expected: a secure port")).isEqualTo(tls != null);
		}
	}

}
