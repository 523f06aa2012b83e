package io.rpcboot.spring.autoconfigure.server;

import java.util.Set;

import io.rpcboot.server.InstanceOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** Applies changed properties to the server of a context. */
final class ServerReload {

	private static final ConfigurationPropertyName WEIGHT = ConfigurationPropertyName.of("rpc.server.weight");

	private static final ConfigurationPropertyName MAX_THREADS = ConfigurationPropertyName
		.of("rpc.server.pool.max-threads");

	private final RpcServer server;

	ServerReload(RpcServer server) {
		this.server = server;
	}

	/** Returns true for a property {@code rpc.server.*} that is applied. */
	static boolean takes(ConfigurationPropertyName name) {
		return name.equals(WEIGHT) || name.equals(MAX_THREADS);
	}

	/**
	 * Applies the properties that have changed. Both are checked before one is applied,
	 * and the weight comes first, because a registry may not take it.
	 */
	void apply(RpcServerProperties before, RpcServerProperties next, Set<ConfigurationPropertyName> changed,
			String reason) {
		int threads = next.pool().maxThreads();
		OptionToPropertyNames.under(RpcServerFactory.PREFIX,
				() -> RpcServer.builder()
					.instance(InstanceOptions.defaults().withWeight(next.weight()))
					.maxThreads(threads));
		if (changed.contains(WEIGHT) || next.weight() != before.weight()) {
			this.server.weight(next.weight(), reason);
		}
		if (changed.contains(MAX_THREADS) || threads != before.pool().maxThreads()) {
			this.server.maxThreads(threads, reason);
		}
	}

}
