package io.rpcboot.registry.zookeeper;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.registry.zookeeper.node.NodeCodec;
import io.rpcboot.registry.AbstractRegistryContract;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.Snapshots;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ZooKeeperRegistryIntegrationTests extends AbstractRegistryContract {

	private static EmbeddedZooKeeper server;

	private static ZooKeeper observer;

	private static int roots;

	private String root;

	@BeforeAll
	static void startServer() throws Exception {
		server = new EmbeddedZooKeeper();
		observer = new ZooKeeper(server.connectString(), 10_000, (event) -> {
		});
	}

	@AfterAll
	static void stopServer() throws Exception {
		observer.close();
		server.close();
	}

	@BeforeEach
	void freshRoot() {
		this.root = "/test/" + roots++;
	}

	@Override
	protected List<Registry> open() {
		return List.of(registry(), registry());
	}

	private ZooKeeperRegistry registry() {
		return new ZooKeeperRegistry(options(server.connectString(), this.root));
	}

	static ZooKeeperRegistryOptions options(String connectString, String root) {
		return ZooKeeperRegistryOptions.defaults(connectString)
			.withRootPath(root)
			.withSessionTimeout(Duration.ofSeconds(10))
			.withConnectionTimeout(Duration.ofSeconds(2))
			.withGraceTime(Duration.ofMillis(200))
			.withRetryBackoff(Duration.ofMillis(50));
	}

	@Test
	void registry_describesItself() {
		assertThat(provider().description()).isEqualTo("zookeeper at " + server.connectString());
		assertThat(provider().isLocal()).isTrue();
		Eventually.until("connected", () -> provider().state() == RegistryState.CONNECTED);
	}

	@Test
	void registration_writesThreeNodes() throws Exception {
		ServiceInstance instance = instance("a", 1, 7, USERS, ORDERS);
		Registry.Registration registration = provider().register(instance);
		Eventually.until("registered", registration::isRegistered);
		assertThat(registration.location()).isEqualTo(this.root + "/apps/shop/instances/a");
		String revision = NodeCodec.revision(NodeCodec.encodeServices(instance.services()));
		assertThat(text(registration.location()))
			.isEqualTo("rpc-instance 1\nendpoint=10.0.0.1:1\nweight=50\nstarted=7\nrevision=" + revision
					+ "\nprotocols=grpc,native");
		assertThat(text(this.root + "/apps/shop/revisions/" + revision))
			.isEqualTo("rpc-revision 1\n" + ORDERS + "\n" + USERS);
		assertThat(observer.exists(this.root + "/services/" + USERS + "/shop", false).getDataLength()).isZero();
		assertThat(observer.exists(this.root + "/services/" + ORDERS + "/shop", false).getEphemeralOwner()).isZero();
		assertThat(observer.exists(registration.location(), false).getEphemeralOwner()).isNotZero();
		registration.close();
		assertThat(observer.exists(registration.location(), false)).isNull();
	}

	@Test
	void update_rewritesSameNode() throws Exception {
		ServiceInstance instance = instance("a", 1, 7, USERS);
		Registry.Registration registration = provider().register(instance);
		Eventually.until("registered", registration::isRegistered);
		long created = observer.exists(registration.location(), false).getCzxid();
		registration.update(instance.withWeight(7));
		Eventually.until("written", () -> says(registration, "weight=7\n"));
		registration.update(instance.withWeight(8));
		Eventually.until("written again", () -> says(registration, "weight=8\n"));
		assertThat(observer.exists(registration.location(), false).getCzxid()).isEqualTo(created);
		observer.delete(registration.location(), -1);
		Eventually.until("it is still looked after", () -> says(registration, "weight=8\n"));
	}

	private boolean says(Registry.Registration registration, String words) {
		try {
			return text(registration.location()).contains(words);
		}
		catch (Exception ex) {
			return false; // there is no node now
		}
	}

	@Test
	void expiredSession_isReplaced_withoutNoticeToConsumers() throws Exception {
		Registry.Registration registration = provider().register(instance("a", 1, 0, USERS));
		provider().register(instance("b", 2, 0, USERS));
		Snapshots snapshots = new Snapshots();
		ZooKeeperRegistryOptions patient = ZooKeeperRegistryOptions.defaults(server.connectString())
			.withRootPath(this.root)
			.withSessionTimeout(Duration.ofSeconds(6))
			.withConnectionTimeout(Duration.ofSeconds(2))
			.withGraceTime(Duration.ofSeconds(30))
			.withRetryBackoff(Duration.ofMillis(50));
		try (ZooKeeperRegistry consumer = new ZooKeeperRegistry(patient)) {
			consumer.subscribe(USERS, snapshots);
			snapshots.await("a", "b");
			int told = snapshots.all().size();
			long session = owner(registration.location());
			server.expireSession(session);
			Eventually.until("back in a new session", () -> {
				long now = owner(registration.location());
				return now != 0 && now != session && registration.isRegistered();
			});
			// a third one, seen after the flapping of the first two
			provider().register(instance("c", 3, 0, USERS));
			snapshots.await("a", "b", "c");
			assertThat(snapshots.all()).hasSize(told + 1);
		}
	}

	@Test
	void consumer_seesMissedChanges_afterSessionExpires() throws Exception {
		Registry.Registration own = consumer().register(instance("consumer", 9, 0, ORDERS));
		Snapshots snapshots = new Snapshots();
		consumer().subscribe(USERS, snapshots);
		provider().register(instance("a", 1, 0, USERS));
		snapshots.await("a");
		Eventually.until("registered", own::isRegistered);
		long session = owner(own.location());
		server.expireSession(session);
		provider().register(instance("b", 2, 0, USERS));
		snapshots.await("a", "b");
		Eventually.until("new session", () -> owner(own.location()) != 0 && owner(own.location()) != session);
		provider().register(instance("c", 3, 0, USERS));
		snapshots.await("a", "b", "c");
	}

	@Test
	void deletedNode_isRestored() throws Exception {
		Registry.Registration registration = provider().register(instance("a", 1, 0, USERS));
		for (int i = 0; i < 3; i++) {
			Eventually.until("registered", () -> registration.isRegistered() && owner(registration.location()) != 0);
			observer.delete(registration.location(), -1);
		}
		Eventually.until("back", () -> registration.isRegistered() && owner(registration.location()) != 0);
	}

	@Test
	void nodeOfOlderSession_isReplaced() throws Exception {
		ZooKeeper older = new ZooKeeper(server.connectString(), 60_000, (event) -> {
		});
		create(observer, this.root + "/apps/shop/instances", "");
		older.create(this.root + "/apps/shop/instances/a", bytes("old"), ZooDefs.Ids.OPEN_ACL_UNSAFE,
				CreateMode.EPHEMERAL);
		Registry.Registration registration = provider().register(instance("a", 1, 0, USERS));
		Eventually.until("registered", registration::isRegistered);
		assertThat(owner(registration.location())).isNotIn(0L, older.getSessionId());
		assertThat(text(registration.location())).startsWith("rpc-instance 1");
		older.close();
		assertThat(owner(registration.location())).isNotZero();
	}

	@Test
	void lastInstance_isKept_afterItLeaves() {
		Registry.Registration a = provider().register(instance("a", 1, 0, USERS));
		Snapshots snapshots = new Snapshots();
		Registry.Subscription subscription = consumer().subscribe(USERS, snapshots);
		snapshots.await("a");
		assertThat(subscription.isCurrent()).isTrue();
		a.close();
		Eventually.until("the list is only kept", () -> !subscription.isCurrent());
		provider().register(instance("b", 2, 0, USERS));
		snapshots.await("b");
		assertThat(subscription.isCurrent()).isTrue();
		assertThat(snapshots.all().stream().skip(1)).noneMatch(List::isEmpty);
	}

	@Test
	void applications_mayOfferSameService() throws Exception {
		provider().register(instance("a", 1, 0, USERS));
		ServiceInstance other = new ServiceInstance("b", "an other shop", new Endpoint("10.0.0.2", 1), 1, 0,
				Set.of(USERS));
		provider().register(other);
		Snapshots snapshots = new Snapshots();
		consumer().subscribe(USERS, snapshots);
		snapshots.await("a", "b");
		assertThat(observer.getChildren(this.root + "/services/" + USERS, false)).containsExactlyInAnyOrder("shop",
				"an other shop");
	}

	@Test
	void fiftyServices_shareOneInstanceNodeAndOneRevision() throws Exception {
		ServiceId[] services = IntStream.range(0, 50)
			.mapToObj((i) -> new ServiceId("com.acme.Service" + i, "", ""))
			.toArray(ServiceId[]::new);
		List<Snapshots> all = new ArrayList<>();
		for (ServiceId service : services) {
			Snapshots snapshots = new Snapshots();
			all.add(snapshots);
			consumer().subscribe(service, snapshots);
		}
		provider().register(instance("a", 1, 0, services));
		all.forEach((snapshots) -> snapshots.await("a"));
		assertThat(observer.getChildren(this.root + "/apps/shop/instances", false)).containsExactly("a");
		assertThat(observer.getChildren(this.root + "/apps/shop/revisions", false)).hasSize(1);
		assertThat(observer.getChildren(this.root + "/services", false)).hasSize(50);
	}

	@Test
	void service_isWatchedAgain_whenSubscribedAgain() {
		Snapshots other = new Snapshots();
		consumer().subscribe(ORDERS, other);
		provider().register(instance("a", 1, 0, USERS, ORDERS));
		for (int i = 0; i < 3; i++) {
			Snapshots snapshots = new Snapshots();
			Registry.Subscription subscription = consumer().subscribe(USERS, snapshots);
			snapshots.await("a");
			Registry.Registration b = provider().register(instance("b", 2, 0, USERS, ORDERS));
			snapshots.await("a", "b");
			other.await("a", "b");
			b.close();
			snapshots.await("a");
			other.await("a");
			subscription.close();
		}
	}

	@Test
	void instancesOfDifferentRevisions_areDistinguished() {
		Snapshots users = new Snapshots();
		Snapshots orders = new Snapshots();
		consumer().subscribe(USERS, users);
		consumer().subscribe(ORDERS, orders);
		provider().register(instance("both", 1, 0, USERS, ORDERS));
		provider().register(instance("users", 2, 0, USERS));
		users.await("both", "users");
		orders.await("both");
	}

	@Test
	void malformedNodes_areSkipped() throws Exception {
		Registry.Registration good = provider().register(instance("good", 1, 0, USERS));
		Eventually.until("registered", good::isRegistered);
		String instances = this.root + "/apps/shop/instances/";
		create(observer, instances + "bad-text", "hello");
		create(observer, instances + "bad-empty", "");
		create(observer, instances + "bad-version", text(good.location()).replace("instance 1", "instance 2"));
		create(observer, instances + "bad-revision",
				text(good.location()).replaceAll("revision=.*", "revision=../../x"));
		String unknown = "0".repeat(32);
		create(observer, instances + "lost-revision",
				text(good.location()).replaceAll("revision=.*", "revision=" + unknown));
		create(observer, this.root + "/apps/shop/revisions/" + unknown, "rpc-revision 1\n" + USERS);
		create(observer, this.root + "/services/" + USERS + "/no-such-application", "");
		Snapshots snapshots = new Snapshots();
		consumer().subscribe(USERS, snapshots);
		snapshots.await("good");
		observer.setData(instances + "bad-text", bytes(text(good.location()).replace(":1", ":3")), -1);
		snapshots.await("bad-text", "good");
	}

	@Test
	void chrootOfConnectString_isCreated() throws Exception {
		ZooKeeperRegistryOptions options = options(server.connectString() + this.root + "/deep", "/rpc");
		try (ZooKeeperRegistry registry = new ZooKeeperRegistry(options)) {
			Registry.Registration registration = registry.register(instance("a", 1, 0, USERS));
			Eventually.until("registered", registration::isRegistered);
			assertThat(owner(this.root + "/deep/rpc/apps/shop/instances/a")).isNotZero();
		}
		assertThat(owner(this.root + "/deep/rpc/apps/shop/instances/a")).isZero();
	}

	@Test
	void close_endsSessionAndThreads() {
		Set<Thread> others = Thread.getAllStackTraces().keySet();
		ZooKeeperRegistry registry = registry();
		Registry.Registration registration = registry.register(instance("a", 1, 0, USERS));
		registry.subscribe(USERS, new Snapshots());
		Eventually.until("registered", registration::isRegistered);
		registry.close();
		assertThat(owner(registration.location())).isZero();
		Eventually.until("threads end",
				() -> Thread.getAllStackTraces()
					.keySet()
					.stream()
					.filter((thread) -> !others.contains(thread))
					.noneMatch((thread) -> thread.getName().startsWith("rpc-registry-zookeeper")));
	}

	@Test
	void keptDirectory_keepsNodes(@TempDir Path directory) throws Exception {
		int port;
		try (EmbeddedZooKeeper first = new EmbeddedZooKeeper(0, directory)) {
			port = first.port();
			try (ZooKeeperRegistry registry = new ZooKeeperRegistry(options(first.connectString(), "/rpc"))) {
				Eventually.until("registered", registry.register(instance("a", 1, 0, USERS))::isRegistered);
			}
		}
		try (EmbeddedZooKeeper second = new EmbeddedZooKeeper(port, directory)) {
			assertThat(second.port()).isEqualTo(port);
			ZooKeeper client = new ZooKeeper(second.connectString(), 5_000, (event) -> {
			});
			assertThat(client.getChildren("/rpc/apps", false)).containsExactly("shop");
			client.close();
		}
	}

	private static long owner(String path) {
		try {
			var stat = observer.exists(path, false);
			return (stat != null) ? stat.getEphemeralOwner() : 0;
		}
		catch (KeeperException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String text(String path) throws Exception {
		return new String(observer.getData(path, false, null), StandardCharsets.UTF_8);
	}

	private static void create(ZooKeeper client, String path, String data) throws Exception {
		for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
			if (client.exists(path.substring(0, slash), false) == null) {
				client.create(path.substring(0, slash), new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE,
						CreateMode.PERSISTENT);
			}
		}
		client.create(path, bytes(data), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
