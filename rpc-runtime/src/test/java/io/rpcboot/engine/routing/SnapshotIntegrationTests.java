package io.rpcboot.engine.routing;

import java.nio.file.Path;

import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.snapshot.SnapshotOptions;
import io.rpcboot.registry.snapshot.SnapshotRegistry;
import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistry;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistryOptions;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A client that starts while ZooKeeper is away. */
class SnapshotIntegrationTests {

	@TempDir
	Path directory;

	@TempDir
	Path zooKeeperData;

	private SnapshotRegistry registry(ZooKeeperRegistryOptions options) {
		return new SnapshotRegistry(new ZooKeeperRegistry(options),
				SnapshotOptions.defaults(this.directory.resolve("client.snapshot")));
	}

	private static RpcServer server(Registry registry, String application) {
		return RpcServer.builder()
			.port(0)
			.applicationName(application)
			.registry(registry)
			.service(Calls.class, new CallsImpl())
			.build()
			.start();
	}

	@Test
	void calls_succeedFromSnapshot_whileZooKeeperIsDown() {
		EmbeddedZooKeeper zooKeeper = new EmbeddedZooKeeper(0, this.zooKeeperData);
		int port = zooKeeper.port();
		ZooKeeperRegistryOptions options = ZooKeeperRegistryOptions.defaults(zooKeeper.connectString());
		try (Registry firstRegistry = new ZooKeeperRegistry(options);
				RpcServer first = server(firstRegistry, "first")) {
			Eventually.until("registered", () -> !first.registeredLocation().isEmpty());
			knowAndEnd(options);
			zooKeeper.close();
			try (SnapshotRegistry registry = registry(options);
					RpcClient client = RpcClient.builder().registry(registry).build()) {
				Calls calls = client.reference(Calls.class);
				for (int i = 0; i < 20; i++) {
					assertThat(calls.greet("n" + i)).isEqualTo("hello n" + i);
				}
				assertThat(registry.state()).isEqualTo(RegistryState.CONNECTING);
				assertThat(registry.servicesOfSnapshot()).isOne();
				zooKeeper = new EmbeddedZooKeeper(port, this.zooKeeperData);
				try (Registry secondRegistry = new ZooKeeperRegistry(options);
						RpcServer second = server(secondRegistry, "second")) {
					Eventually.until("the new list is used", () -> registry.servicesOfSnapshot() == 0);
					Eventually.until("both are known", () -> ReferenceStates.ready(client) == 2);
					assertThat(second.registeredLocation()).isNotEmpty();
					assertThat(calls.greet("all")).isEqualTo("hello all");
				}
			}
		}
		finally {
			zooKeeper.close();
		}
	}

	private void knowAndEnd(ZooKeeperRegistryOptions options) {
		try (SnapshotRegistry registry = registry(options);
				RpcClient client = RpcClient.builder().registry(registry).build()) {
			client.reference(Calls.class);
			Eventually.until("it is known", () -> ReferenceStates.ready(client) == 1);
			assertThat(registry.servicesOfSnapshot()).isZero();
		}
		assertThat(this.directory.resolve("client.snapshot")).isNotEmptyFile();
	}

}
