package io.rpcboot.spring.autoconfigure.effect;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistry;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistryOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.autoconfigure.effect.EffectApplication.Desk;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Effects of properties of the registry in ZooKeeper and of its snapshot. */
@Timeout(60)
class ZooKeeperPropertyEffectsIntegrationTests {

	private static final String CONNECT_STRING = "rpc.registry.zookeeper.connect-string";

	private static EmbeddedZooKeeper zooKeeper;

	@BeforeAll
	static void start() {
		zooKeeper = new EmbeddedZooKeeper();
	}

	@AfterAll
	static void stop() {
		zooKeeper.close();
	}

	private static EffectApplication run(Map<String, ?> properties) {
		Map<String, Object> all = new HashMap<>(
				Map.of("spring.application.name", "desks", CONNECT_STRING, zooKeeper.connectString()));
		all.putAll(properties);
		return EffectApplication.run(all);
	}

	/** Runs an application that calls only. */
	private static EffectApplication runClient(Map<String, ?> properties) {
		Map<String, Object> all = new HashMap<>(properties);
		all.put("rpc.server.enabled", false);
		return run(all);
	}

	private static String location(EffectApplication application) {
		Applications.eventually(() -> !application.server.registeredLocation().isEmpty());
		return application.server.registeredLocation();
	}

	@Test
	@PropertyEffect("rpc.registry.zookeeper.root-path")
	void nodes_areBelowRootPath() {
		try (EffectApplication application = run(Map.of("rpc.registry.zookeeper.root-path", "/acme"))) {
			assertThat(location(application)).startsWith("/acme/");
		}
	}

	@Test
	@PropertyEffect({ "rpc.registry.zookeeper.username", "rpc.registry.zookeeper.password",
			"rpc.registry.zookeeper.acl" })
	void nodes_belongToUserAndAreReadableAsAclSays() throws Exception {
		try (EffectApplication application = run(Map.of("rpc.registry.zookeeper.root-path", "/of-shop",
				"rpc.registry.zookeeper.username", "shop", "rpc.registry.zookeeper.password", "secret",
				"rpc.registry.zookeeper.acl", "creator,world:anyone:r"))) {
			CuratorFramework client = client(application);
			assertThat(client.getACL().forPath(location(application))).containsExactlyInAnyOrder(
					new ACL(Perms.ALL, new Id("digest", DigestAuthenticationProvider.generateDigest("shop:secret"))),
					new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE));
		}
	}

	private static CuratorFramework client(EffectApplication application) {
		Registry registry = application.context.getBean(Registry.class);
		Applications.eventually(() -> registry.state() == RegistryState.CONNECTED);
		return EffectApplication.reachable(registry, CuratorFramework.class).get(0);
	}

	@Test
	@PropertyEffect({ "rpc.registry.zookeeper.session-timeout", "rpc.registry.zookeeper.connection-timeout" })
	void timeouts_reachClientOfZooKeeper() throws Exception {
		try (EffectApplication application = run(Map.of("rpc.registry.zookeeper.session-timeout", "7s",
				"rpc.registry.zookeeper.connection-timeout", "1234ms"))) {
			CuratorFramework client = client(application);
			assertThat(client.getZookeeperClient().getZooKeeper().getSessionTimeout()).isEqualTo(7000);
			assertThat(client.getZookeeperClient().getConnectionTimeoutMs()).isEqualTo(1234);
		}
	}

	/** The default makes six attempts in this time, and each sends a few frames. */
	@Test
	@PropertyEffect("rpc.registry.zookeeper.retry-backoff")
	void refusedRegistration_isRetriedAfterBackoff() throws Exception {
		ZooKeeper stranger = new ZooKeeper(zooKeeper.connectString(), 10_000, (event) -> {
		});
		try (Relay relay = new Relay(zooKeeper.port())) {
			stranger.create("/not-ours", new byte[0], Ids.READ_ACL_UNSAFE, CreateMode.PERSISTENT);
			try (EffectApplication application = run(Map.of(CONNECT_STRING, "127.0.0.1:" + relay.port(),
					"rpc.registry.zookeeper.root-path", "/not-ours", "rpc.registry.zookeeper.retry-backoff", "10ms"))) {
				Registry registry = application.context.getBean(Registry.class);
				Applications.eventually(() -> !registry.problem().isEmpty());
				long before = relay.reads.get();
				Applications.eventually(() -> relay.reads.get() - before >= 60);
			}
		}
		finally {
			stranger.close();
		}
	}

	/** An application with a shorter grace time tells when the default is over. */
	@Test
	@PropertyEffect("rpc.registry.zookeeper.grace-time")
	void vanishedInstance_isCalledDuringGraceTime() {
		Map<String, Object> path = Map.of("rpc.registry.zookeeper.root-path", "/grace");
		Map<String, Object> patient = new HashMap<>(path);
		patient.put("rpc.registry.zookeeper.grace-time", "10m");
		Map<String, Object> other = new HashMap<>(path);
		other.put("rpc.registry.zookeeper.grace-time", "4s");
		try (RpcServer server = EffectApplication.server();
				RpcServer leaving = EffectApplication.server();
				ZooKeeperRegistry registry = registry("/grace");
				EffectApplication first = runClient(patient);
				EffectApplication second = runClient(other)) {
			register(registry, server);
			Registry.Registration registration = register(registry, leaving);
			Applications.eventually(() -> first.instances().size() == 2 && second.instances().size() == 2);
			registration.close();
			Applications.eventually(() -> second.instances().size() == 1);
			assertThat(first.instances()).containsExactly("READY ", "READY ");
		}
	}

	/** The snapshot is two days old, which the default refuses. */
	@Test
	@PropertyEffect("rpc.registry.snapshot.max-age")
	void oldSnapshot_isUsedUpToMaxAge(@TempDir Path directory) throws IOException {
		try (RpcServer server = EffectApplication.server()) {
			Map<String, Object> properties = new HashMap<>(withSnapshot(server, directory));
			age(directory, Instant.now().minus(Duration.ofDays(2)));
			properties.put("rpc.registry.snapshot.max-age", "3d");
			try (EffectApplication application = runClient(properties)) {
				assertThat(application.desk.sign("Doug")).isEqualTo("signed Doug");
			}
		}
	}

	@Test
	@PropertyEffect("rpc.registry.snapshot.wait-for-registry")
	void snapshot_isUsedAfterWaitForRegistry(@TempDir Path directory) throws IOException {
		try (RpcServer server = EffectApplication.server()) {
			Map<String, Object> properties = new HashMap<>(withSnapshot(server, directory));
			properties.put("rpc.registry.snapshot.wait-for-registry", "4s");
			long start = System.nanoTime();
			try (EffectApplication application = runClient(properties)) {
				Applications.eventually(() -> application.instances().size() == 1);
				assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isGreaterThanOrEqualTo(3900);
			}
		}
	}

	/**
	 * Runs an application that writes its snapshot.
	 * @return properties of an application that has this snapshot and no ZooKeeper
	 */
	private static Map<String, Object> withSnapshot(RpcServer server, Path directory) throws IOException {
		try (Relay relay = new Relay(zooKeeper.port()); ZooKeeperRegistry registry = registry("/snapshot")) {
			register(registry, server);
			Map<String, Object> properties = Map.of(CONNECT_STRING, "127.0.0.1:" + relay.port(),
					"rpc.registry.zookeeper.root-path", "/snapshot", "rpc.registry.snapshot.directory", directory);
			try (EffectApplication application = runClient(properties)) {
				Applications.eventually(() -> application.instances().size() == 1);
			}
			return properties;
		}
	}

	/** Changes the times in a snapshot. */
	private static void age(Path directory, Instant to) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			Path file = files.findFirst().orElseThrow();
			String text = Files.readString(file)
				.replaceAll("(?m)^(service\t[^\t]+\t)[^\t]+", "$1" + to)
				.replaceAll("(?m)^checksum.*\n", "");
			CRC32 sum = new CRC32();
			sum.update(text.getBytes(StandardCharsets.UTF_8));
			Files.writeString(file, text + "checksum\t%08x\n".formatted(sum.getValue()));
		}
	}

	private static ZooKeeperRegistry registry(String root) {
		return new ZooKeeperRegistry(ZooKeeperRegistryOptions.defaults(zooKeeper.connectString()).withRootPath(root));
	}

	private static Registry.Registration register(Registry registry, RpcServer server) {
		return registry.register(new ServiceInstance("desk" + server.port(), "desks", server.advertisedEndpoint(), 100,
				0, Set.of(ServiceDescriptor.of(Desk.class).id())));
	}

}
