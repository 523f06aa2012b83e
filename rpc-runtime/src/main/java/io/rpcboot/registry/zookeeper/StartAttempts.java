package io.rpcboot.registry.zookeeper;

import java.util.function.Consumer;
import java.util.function.Supplier;

import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Starts Curator's client, with a new client for each attempt. Registry thread only. */
final class StartAttempts {

	private static final Logger log = LoggerFactory.getLogger("rpc.registry.zookeeper");

	private final Supplier<CuratorFramework> clients;

	private final String registry;

	private int failures;

	StartAttempts(Supplier<CuratorFramework> clients, String registry) {
		this.clients = clients;
		this.registry = registry;
	}

	/**
	 * Starts a client. Returns null if that failed; the first failure is logged as a
	 * warning. Never throws.
	 */
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
			// the next attempt creates another client
		}
	}

}
