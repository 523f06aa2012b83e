package io.rpcboot.registry.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.Callable;

import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.ServiceInstance;

/** Tests the repair of an instance's nodes after others have changed them. */
class ZooKeeperRepairIntegrationTests {

	private static final String ROOT = "/rpc";

	private static final ServiceInstance INSTANCE = new ServiceInstance("a", "shop", new Endpoint("10.0.0.1", 1), 50, 0,
			Set.of(new ServiceId("com.acme.Users", "", "")));

	private EmbeddedZooKeeper server;

	private ZooKeeper observer;

	private ZooKeeperRegistry registry;

	private Registry.Registration registration;

	@BeforeEach
	void register() throws Exception {
		this.server = new EmbeddedZooKeeper();
		this.observer = new ZooKeeper(this.server.connectString(), 10_000, (event) -> {
		});
		this.registry = new ZooKeeperRegistry(
				ZooKeeperRegistryIntegrationTests.options(this.server.connectString(), ROOT));
		this.registration = this.registry.register(INSTANCE);
		Eventually.until("registered", this.registration::isRegistered);
	}

	@AfterEach
	void close() throws Exception {
		this.registry.close();
		this.observer.close();
		this.server.close();
	}

	/** An operator who tries something, for instance. */
	@Test
	void changedOrDeletedNode_isRestored() throws Exception {
		String node = this.registration.location();
		String own = text(node);
		this.observer.setData(node, "changed".getBytes(StandardCharsets.UTF_8), -1);
		until("as it was", () -> text(node).equals(own));
		this.observer.delete(node, -1);
		until("back", () -> this.registration.isRegistered() && text(node).equals(own));
	}

	/** A job that cleans up, for instance: clients find nobody without them. */
	@Test
	void deletedRevisionAndServiceNodes_areRestored() throws Exception {
		String services = ROOT + "/services";
		String mappings = services + "/" + this.observer.getChildren(services, false).get(0);
		String revisions = ROOT + "/apps/shop/revisions";
		String revision = revisions + "/" + this.observer.getChildren(revisions, false).get(0);
		String own = text(revision);
		for (int i = 0; i < 2; i++) {
			this.observer.delete(revision, -1);
			until("described", () -> text(revision).equals(own));
			this.observer.delete(mappings + "/shop", -1);
			until("found", () -> this.observer.exists(mappings + "/shop", false) != null);
		}
	}

	private String text(String path) throws Exception {
		return new String(this.observer.getData(path, false, null), StandardCharsets.UTF_8);
	}

	/** What is missing is no failure. */
	private static void until(String what, Callable<Boolean> condition) {
		Eventually.until(what, () -> {
			try {
				return condition.call();
			}
			catch (KeeperException.NoNodeException ex) {
				return false;
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

}
