package io.rpcboot.registry.zookeeper;

import java.util.function.Consumer;
import java.util.function.Supplier;

import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Starts Curator's client, whatever the attempts before have thrown. Confined to the
 * registry's thread.
 */
final class StartAttempts {

	private static final Logger log = LoggerFactory.getLogger("rpc.registry.zookeeper");

	private final Supplier<CuratorFramework> clients;

	private final String registry;

	private int failures;

	StartAttempts(Supplier<CuratorFramework> clients, String registry) {
		this.clients = clients;
		this.registry = registry;
	}

	/** Returns null if it failed, which is logged the first time. Never throws. */
	@Nullable CuratorFramework start(Consumer<CuratorFramework> prepare) {
		CuratorFramework client = null;
		try {
			client = this.clients.get();
			prepare.accept(client);
			client.start();
			return client;
		}
		catch (Throwable ex) {
			failed(ex, client);
			return null;
		}
	}

	private void failed(Throwable failure, @Nullable CuratorFramework client) {
		try {
			log.atLevel((this.failures++ == 0) ? Level.WARN : Level.DEBUG)
				.setCause(failure)
				.log("Registry {} cannot be started; trying again", this.registry);
			if (client != null) {
				client.close();
			}
		}
		catch (Throwable ex) {
			// not even that; the next attempt makes another client
		}
	}

}
