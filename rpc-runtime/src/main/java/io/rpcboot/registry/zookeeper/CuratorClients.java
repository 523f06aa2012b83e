package io.rpcboot.registry.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

import io.rpcboot.internal.registry.zookeeper.node.ConnectString;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;

/**
 * Creates Curator clients for a registry, which starts them itself.
 *
 * @param options options of the registry
 * @param connectString servers and path
 * @param threads creates the threads of the clients
 */
record CuratorClients(ZooKeeperRegistryOptions options, ConnectString connectString,
		ThreadFactory threads) implements Supplier<CuratorFramework> {

	@Override
	public CuratorFramework get() {
		ZooKeeperSecurity security = this.options.security();
		CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
			.connectString(this.connectString.hosts())
			.sessionTimeoutMs((int) this.options.sessionTimeout().toMillis())
			.connectionTimeoutMs((int) this.options.connectionTimeout().toMillis())
			.retryPolicy(new RetryNTimes(0, 0))
			// keeps the configured addresses instead of those that the servers report
			.ensembleTracker(false)
			.threadFactory(this.threads)
			.zkClientConfig(ClientConfigs.of(security));
		if (security.hasDigest()) {
			builder.authorization("digest", security.digest().getBytes(StandardCharsets.UTF_8));
		}
		return builder.build();
	}

}
