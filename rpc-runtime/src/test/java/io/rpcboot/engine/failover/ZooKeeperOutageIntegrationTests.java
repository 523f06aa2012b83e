package io.rpcboot.engine.failover;

import java.nio.file.Path;
import java.time.Duration;

import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistry;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistryOptions;
import io.rpcboot.server.RpcServer;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * ZooKeeper goes away under load and comes back. It is away for 3 s;
 * {@code mvn verify -Drpc.test.long=true} makes it 30 s.
 */
class ZooKeeperOutageIntegrationTests {

	private static final Duration AWAY = Duration.ofSeconds(Load.LONG ? 30 : 3);

	/** ZooKeeper without its data refuses clients that know more until this is over. */
	private static final Duration SESSION_TIMEOUT = AWAY.plusSeconds(3);

	private static final int THREADS = 8;

	@TempDir
	Path kept;

	@TempDir
	Path empty;

	@Test
	void calls_succeed_whenZooKeeperDataIsKept() throws Exception {
		outage(this.kept);
	}

	@Test
	void calls_succeed_whenZooKeeperDataIsLost() throws Exception {
		outage(this.empty);
	}

	private void outage(Path directoryAfterwards) throws Exception {
		EmbeddedZooKeeper zooKeeper = new EmbeddedZooKeeper(0, this.kept);
		int port = zooKeeper.port();
		ZooKeeperRegistryOptions options = ZooKeeperRegistryOptions.defaults(zooKeeper.connectString())
			.withSessionTimeout(SESSION_TIMEOUT);
		try (Registry firstRegistry = new ZooKeeperRegistry(options);
				Registry secondRegistry = new ZooKeeperRegistry(options);
				Registry clientRegistry = new ZooKeeperRegistry(options);
				RpcServer first = server(firstRegistry, "first");
				RpcServer second = server(secondRegistry, "second");
				RpcClient client = RpcClient.builder().registry(clientRegistry).build()) {
			Calls calls = client.reference(Calls.class);
			Eventually.until("both are known", () -> ReferenceStates.ready(client) == 2);
			String nodeOfFirst = first.registeredLocation();
			String nodeOfSecond = second.registeredLocation();
			try (Load load = new Load(THREADS,
					(number) -> assertThat(calls.greet("n" + number)).isEqualTo("hello n" + number))) {
				load.awaitMore(1000);
				zooKeeper.close();
				load.goOn(AWAY);
				zooKeeper = new EmbeddedZooKeeper(port, directoryAfterwards);
				awaitNode(zooKeeper, nodeOfFirst);
				awaitNode(zooKeeper, nodeOfSecond);
				load.awaitMore(1000);
				load.stop();
				assertThat(load.failures()).isEmpty();
			}
			assertThat(ReferenceStates.ready(client)).isEqualTo(2);
			awaitLocation(first, nodeOfFirst);
			awaitLocation(second, nodeOfSecond);
			awaitNode(zooKeeper, nodeOfFirst);
			awaitNode(zooKeeper, nodeOfSecond);
			newClientFindsBoth(options);
		}
		finally {
			zooKeeper.close();
		}
	}

	private static RpcServer server(Registry registry, String application) {
		RpcServer server = RpcServer.builder()
			.port(0)
			.applicationName(application)
			.registry(registry)
			.service(Calls.class, new CallsImpl())
			.build()
			.start();
		Eventually.until("registered", () -> !server.registeredLocation().isEmpty());
		return server;
	}

	/**
	 * Kept data still hold the node of the lost session for a while, so that the node is
	 * there says nothing about the new one: the server itself has to say it.
	 */
	private static void awaitLocation(RpcServer server, String node) {
		assertThat(node).isNotEmpty();
		Eventually.until("registered again at " + node, Duration.ofSeconds(40),
				() -> server.registeredLocation().equals(node));
	}

	private static void awaitNode(EmbeddedZooKeeper server, String path) throws Exception {
		ZooKeeper reader = new ZooKeeper(server.connectString(), 5000, (event) -> {
		});
		try {
			Eventually.until("node " + path, Duration.ofSeconds(40), () -> exists(reader, path));
		}
		finally {
			reader.close();
		}
	}

	private static boolean exists(ZooKeeper reader, String path) {
		try {
			return reader.exists(path, false) != null;
		}
		catch (Exception ex) {
			return false;
		}
	}

	private static void newClientFindsBoth(ZooKeeperRegistryOptions options) {
		try (Registry registry = new ZooKeeperRegistry(options);
				RpcClient client = RpcClient.builder().registry(registry).build()) {
			client.reference(Calls.class);
			Eventually.until("a new client finds both", () -> ReferenceStates.ready(client) == 2);
		}
	}

}
