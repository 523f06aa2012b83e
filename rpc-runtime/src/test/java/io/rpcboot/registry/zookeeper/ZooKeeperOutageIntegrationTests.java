package io.rpcboot.registry.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.Snapshots;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The server goes away and comes back, or is late. */
class ZooKeeperOutageIntegrationTests {

	private static final ServiceId USERS = new ServiceId("com.acme.UserService", "", "");

	@TempDir
	Path kept;

	@TempDir
	Path empty;

	@Test
	void registry_recovers_whenServerKeepsItsData() {
		outage(this.kept, Duration.ofSeconds(10));
	}

	/**
	 * A server without its data refuses a client that knows more until its session ends.
	 */
	@Test
	void registry_recovers_whenServerLosesItsData() {
		outage(this.empty, Duration.ofSeconds(4));
	}

	private void outage(Path directoryAfterwards, Duration sessionTimeout) {
		EmbeddedZooKeeper server = new EmbeddedZooKeeper(0, this.kept);
		int port = server.port();
		ZooKeeperRegistryOptions options = ZooKeeperRegistryIntegrationTests.options(server.connectString(), "/rpc")
			.withSessionTimeout(sessionTimeout);
		try (ZooKeeperRegistry provider = new ZooKeeperRegistry(options);
				ZooKeeperRegistry consumer = new ZooKeeperRegistry(options)) {
			List<Registry.Registration> registrations = List.of(provider.register(instance("a", 1)),
					provider.register(instance("b", 2)));
			Snapshots snapshots = new Snapshots();
			consumer.subscribe(USERS, snapshots);
			snapshots.await("a", "b");
			int told = snapshots.all().size();
			assertThat(provider.outages()).isZero();
			Instant reached = provider.stateSince();
			server.close();
			Eventually.until("noticed", () -> provider.state() == RegistryState.DISCONNECTED
					&& consumer.state() == RegistryState.DISCONNECTED);
			assertThat(provider.outages()).isOne();
			Instant lost = provider.stateSince();
			assertThat(lost).isAfter(reached);
			Snapshots late = new Snapshots();
			consumer.subscribe(USERS, late);
			late.await("a", "b");
			server = new EmbeddedZooKeeper(port, directoryAfterwards);
			Eventually.until("both are back",
					() -> provider.state() == RegistryState.CONNECTED && consumer.state() == RegistryState.CONNECTED);
			assertThat(provider.outages()).isOne();
			assertThat(provider.stateSince()).isAfter(lost);
			Snapshots witness = new Snapshots();
			try (ZooKeeperRegistry fresh = new ZooKeeperRegistry(options)) {
				fresh.subscribe(USERS, witness);
				witness.await("a", "b");
			}
			assertThat(registrations).allMatch(Registry.Registration::isRegistered);
			provider.register(instance("c", 3));
			snapshots.await("a", "b", "c");
			assertThat(snapshots.all()).as("nothing in between").hasSize(told + 1);
		}
		finally {
			server.close();
		}
	}

	@Test
	void registrationClosedDuringOutage_isRemovedAfterwards() {
		EmbeddedZooKeeper server = new EmbeddedZooKeeper(0, this.kept);
		int port = server.port();
		ZooKeeperRegistryOptions options = ZooKeeperRegistryIntegrationTests.options(server.connectString(), "/rpc");
		try (ZooKeeperRegistry provider = new ZooKeeperRegistry(options)) {
			Registry.Registration a = provider.register(instance("a", 1));
			Registry.Registration b = provider.register(instance("b", 2));
			Eventually.until("registered", () -> a.isRegistered() && b.isRegistered());
			server.close();
			Eventually.until("noticed", () -> provider.state() == RegistryState.DISCONNECTED);
			a.close();
			assertThat(a.isRegistered()).isFalse();
			server = new EmbeddedZooKeeper(port, this.kept);
			Eventually.until("back", () -> provider.state() == RegistryState.CONNECTED);
			Snapshots witness = new Snapshots();
			try (ZooKeeperRegistry fresh = new ZooKeeperRegistry(options)) {
				fresh.subscribe(USERS, witness);
				witness.await("b");
			}
		}
		finally {
			server.close();
		}
	}

	@Test
	void lateServer_isAwaited_withoutBlocking() throws IOException {
		int port = freePort();
		long before = System.nanoTime();
		try (ZooKeeperRegistry registry = new ZooKeeperRegistry(
				ZooKeeperRegistryIntegrationTests.options("127.0.0.1:" + port, "/rpc"))) {
			Registry.Registration registration = registry.register(instance("a", 1));
			Snapshots snapshots = new Snapshots();
			registry.subscribe(USERS, snapshots);
			assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
			assertThat(registry.state()).isEqualTo(RegistryState.CONNECTING);
			assertThat(registration.isRegistered()).isFalse();
			try (EmbeddedZooKeeper server = new EmbeddedZooKeeper(port, null)) {
				assertThat(server.port()).isEqualTo(port);
				snapshots.await("a");
				Eventually.until("registered", registration::isRegistered);
				assertThat(registry.state()).isEqualTo(RegistryState.CONNECTED);
				registration.close();
			}
		}
	}

	@Test
	void unknownHost_blocksNeitherStartNorClose() {
		ZooKeeperRegistry registry = new ZooKeeperRegistry(
				ZooKeeperRegistryIntegrationTests.options("no-such-host.invalid:2181", "/rpc"));
		Registry.Registration registration = registry.register(instance("a", 1));
		assertThat(registry.state()).isEqualTo(RegistryState.CONNECTING);
		assertThat(registry.isLocal()).isFalse();
		registration.close();
		long before = System.nanoTime();
		registry.close();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
	}

	private static ServiceInstance instance(String id, int port) {
		return new ServiceInstance(id, "shop", new Endpoint("10.0.0.1", port), 50, 0, Set.of(USERS));
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

}
