package io.rpcboot.registry.zookeeper;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
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
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests clients with the password, without one and with another. */
class ZooKeeperDigestIntegrationTests {

	private static final ServiceId USERS = new ServiceId("com.acme.UserService", "", "");

	private static final ZooKeeperSecurity SHOP = ZooKeeperSecurity.defaults().withDigest("shop", "right");

	private static final ZooKeeperSecurity WRONG = ZooKeeperSecurity.defaults().withDigest("shop", "wrong");

	private static final ZooKeeperSecurity NOBODY = ZooKeeperSecurity.defaults();

	/** More than there are between two attempts. */
	private static final int LONGEST_PAUSES = 31;

	private static EmbeddedZooKeeper server;

	private static ZooKeeper stranger;

	private static ZooKeeper friend;

	private static int roots;

	private final List<AutoCloseable> opened = new ArrayList<>();

	private final RegistryLog log = new RegistryLog();

	private String root;

	@BeforeAll
	static void start() throws Exception {
		server = new EmbeddedZooKeeper();
		stranger = new ZooKeeper(server.connectString(), 10_000, (event) -> {
		});
		friend = new ZooKeeper(server.connectString(), 10_000, (event) -> {
		});
		friend.addAuthInfo("digest", "shop:right".getBytes(StandardCharsets.UTF_8));
	}

	@AfterAll
	static void stop() throws Exception {
		stranger.close();
		friend.close();
		server.close();
	}

	@BeforeEach
	void begin() {
		this.root = "/team/digest" + roots++;
	}

	@AfterEach
	void end() throws Exception {
		this.log.close();
		for (AutoCloseable each : this.opened) {
			each.close();
		}
	}

	private ZooKeeperRegistry open(ZooKeeperSecurity security) {
		ZooKeeperRegistry registry = new ZooKeeperRegistry(
				ZooKeeperRegistryIntegrationTests.options(server.connectString(), this.root).withSecurity(security));
		this.opened.add(registry);
		return registry;
	}

	private static ServiceInstance instance(String id) {
		return new ServiceInstance(id, "shop", new Endpoint("10.0.0.1", id.charAt(0)), 100, 0, Set.of(USERS));
	}

	private Registration registered(ZooKeeperRegistry registry, String id) {
		Registration registration = registry.register(instance(id));
		Eventually.until("registered", registration::isRegistered);
		return registration;
	}

	@Test
	void usersWithPassword_findEachOtherAndStrangersAreDenied() throws Exception {
		Registration registration = registered(open(SHOP), "a");
		Snapshots snapshots = new Snapshots();
		open(SHOP).subscribe(USERS, snapshots);
		snapshots.await("a");
		List<String> nodes = new ArrayList<>();
		collect(friend, this.root, nodes);
		assertThat(nodes).contains(registration.location(), this.root + "/services/" + USERS + "/shop").hasSize(10);
		for (String node : nodes) {
			assertThatExceptionOfType(KeeperException.NoAuthException.class).as(node)
				.isThrownBy(() -> stranger.getData(node, false, null));
			assertThatExceptionOfType(KeeperException.NoAuthException.class).as(node)
				.isThrownBy(() -> stranger.getChildren(node, false));
			assertThatExceptionOfType(KeeperException.NoAuthException.class).as(node)
				.isThrownBy(() -> stranger.setData(node, new byte[1], -1));
			assertThatExceptionOfType(KeeperException.NoAuthException.class).as(node)
				.isThrownBy(() -> stranger.setACL(node, ZooDefs.Ids.OPEN_ACL_UNSAFE, -1));
		}
		assertThatExceptionOfType(KeeperException.NoAuthException.class)
			.isThrownBy(() -> stranger.delete(registration.location(), -1));
		assertThatExceptionOfType(KeeperException.NoAuthException.class)
			.isThrownBy(() -> stranger.create(this.root + "/services/" + USERS + "/evil", new byte[0],
					ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
		assertThat(stranger.getChildren("/team", false)).as("what is above the root is not ours alone").isNotEmpty();
	}

	private static void collect(ZooKeeper reader, String node, List<String> found) throws Exception {
		found.add(node);
		for (String child : reader.getChildren(node, false)) {
			collect(reader, node + "/" + child, found);
		}
	}

	@Test
	void wrongPassword_isLoggedOnceAndRetriedUntilAccepted() throws Exception {
		registered(open(SHOP), "a");
		ZooKeeperRegistry consumer = open(WRONG);
		Snapshots snapshots = new Snapshots();
		consumer.subscribe(USERS, snapshots);
		Eventually.until("refused", () -> !consumer.problem().isEmpty());
		assertThat(consumer.state()).isEqualTo(RegistryState.CONNECTING);
		assertThat(consumer.problem()).startsWith("refuses the user 'shop' (NoAuth for " + this.root)
			.contains("set registry.zookeeper.username and registry.zookeeper.password to")
			.doesNotContain("wrong");
		assertThat(consumer.adviceWithoutInstance(USERS)).isEqualTo("it " + consumer.problem());
		assertThat(snapshots.all()).as("no empty list that would look like no instance").isEmpty();
		Registration registration = consumer.register(instance("b"));
		assertThat(registration.isRegistered()).isFalse();
		openForAll(this.root);
		snapshots.await("a", "b");
		Eventually.until("let in", () -> consumer.state() == RegistryState.CONNECTED);
		assertThat(consumer.problem()).isEmpty();
		Eventually.until("registered", registration::isRegistered);
		assertThat(this.log.lines(" refuses ")).hasSize(1);
		assertThat(this.log.lines("lets this process in")).hasSize(1);
		assertThat(this.log.lines("right")).isEmpty();
		assertThat(this.log.lines("wrong")).isEmpty();
	}

	@Test
	void refusal_lasts_duringOutage(@TempDir Path kept) {
		EmbeddedZooKeeper own = new EmbeddedZooKeeper(0, kept);
		int port = own.port();
		ZooKeeperRegistryOptions options = ZooKeeperRegistryIntegrationTests.options(own.connectString(), this.root);
		try (ZooKeeperRegistry provider = new ZooKeeperRegistry(options.withSecurity(SHOP));
				ZooKeeperRegistry consumer = new ZooKeeperRegistry(options.withSecurity(WRONG))) {
			registered(provider, "a");
			consumer.subscribe(USERS, new Snapshots());
			Eventually.until("refused", () -> !consumer.problem().isEmpty());
			long outages = consumer.outages();
			own.close();
			Eventually.until("lost", () -> consumer.connected() == null);
			AtomicBoolean later = new AtomicBoolean();
			CompletableFuture.delayedExecutor(LONGEST_PAUSES * options.retryBackoff().toNanos(), TimeUnit.NANOSECONDS)
				.execute(() -> later.set(true));
			Eventually.until("the next attempt has had its time", later::get);
			assertThat(consumer.problem()).startsWith("refuses the user 'shop'");
			own = new EmbeddedZooKeeper(port, kept);
			Eventually.until("back", () -> this.log.lines("is back").size() > 1);
			assertThat(consumer.problem()).startsWith("refuses the user 'shop'");
			assertThat(consumer.state()).isNotEqualTo(RegistryState.CONNECTED);
			assertThat(consumer.outages()).isEqualTo(outages);
			assertThat(this.log.lines(" refuses ")).hasSize(1);
			assertThat(this.log.lines("lets this process in")).isEmpty();
		}
		finally {
			own.close();
		}
	}

	private static void openForAll(String node) throws Exception {
		friend.setACL(node, ZooDefs.Ids.OPEN_ACL_UNSAFE, -1);
		for (String child : friend.getChildren(node, false)) {
			openForAll(node + "/" + child);
		}
	}

	@Test
	void missingUser_isReported_whenRefused() {
		registered(open(SHOP), "a");
		ZooKeeperRegistry provider = open(NOBODY);
		Registration registration = provider.register(instance("b"));
		Eventually.until("refused", () -> !provider.problem().isEmpty());
		assertThat(provider.problem()).startsWith("refuses a process without user (NoAuth for ");
		assertThat(registration.isRegistered()).isFalse();
	}

	@Test
	void newSession_usesSameUser() throws Exception {
		Registration registration = registered(open(SHOP), "a");
		Snapshots snapshots = new Snapshots();
		open(SHOP).subscribe(USERS, snapshots);
		snapshots.await("a");
		long session = friend.exists(registration.location(), false).getEphemeralOwner();
		server.expireSession(session);
		Eventually.until("written in a new session", () -> owner(registration) != 0 && owner(registration) != session);
		assertThatExceptionOfType(KeeperException.NoAuthException.class)
			.isThrownBy(() -> stranger.getData(registration.location(), false, null));
		Eventually.until("registered", registration::isRegistered);
		assertThat(snapshots.ids()).containsExactly("a");
	}

	private static long owner(Registration registration) {
		try {
			var stat = friend.exists(registration.location(), false);
			return (stat != null) ? stat.getEphemeralOwner() : 0;
		}
		catch (KeeperException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void olderOpenNodes_areUsed_withWarning() throws Exception {
		Registration old = registered(open(NOBODY), "a");
		Registration closed = registered(open(SHOP), "b");
		Eventually.until("told", () -> !this.log.lines("can be changed by everybody").isEmpty());
		assertThat(this.log.lines("can be changed by everybody").get(0)).contains(this.root + "/apps/shop/instances")
			.contains("setAcl -R")
			.contains("registry.zookeeper.root-path");
		assertThat(stranger.getData(old.location(), false, null)).isNotEmpty();
		assertThatExceptionOfType(KeeperException.NoAuthException.class)
			.isThrownBy(() -> stranger.getData(closed.location(), false, null));
	}

	@Test
	void openAcl_permitsReaders_withoutUser() {
		registered(open(SHOP.withAcl("open")), "a");
		Snapshots snapshots = new Snapshots();
		open(NOBODY).subscribe(USERS, snapshots);
		snapshots.await("a");
		assertThat(this.log.lines("can be changed by everybody")).isEmpty();
	}

	@Test
	void otherUsers_mayRead_whenAclPermits() {
		registered(open(SHOP.withAcl("creator,world:anyone:r")), "a");
		Snapshots snapshots = new Snapshots();
		ZooKeeperRegistry reader = open(NOBODY);
		reader.subscribe(USERS, snapshots);
		snapshots.await("a");
		assertThat(reader.state()).isEqualTo(RegistryState.CONNECTED);
		reader.register(instance("b"));
		Eventually.until("refused", () -> !reader.problem().isEmpty());
		assertThat(reader.state()).as("its own instance is missing").isEqualTo(RegistryState.DISCONNECTED);
		assertThat(reader.outages()).isOne();
	}

	@Test
	void close_endsInTime_whileRefused() {
		registered(open(SHOP), "a");
		ZooKeeperRegistry consumer = open(WRONG);
		consumer.subscribe(USERS, new Snapshots());
		Eventually.until("refused", () -> !consumer.problem().isEmpty());
		long before = System.nanoTime();
		consumer.close();
		assertThat(consumer.state()).isEqualTo(RegistryState.CLOSED);
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
	}

}
