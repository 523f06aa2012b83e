package io.rpcboot.registry.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

import io.rpcboot.internal.registry.zookeeper.node.ConnectString;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;

/** Makes Curator's clients as a registry needs them, which it starts itself. */
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
			// the addresses that the user gave, not those that the servers think they
			// have
			.ensembleTracker(false)
			.threadFactory(this.threads)
			.zkClientConfig(ClientConfigs.of(security));
		if (security.hasDigest()) {
			builder.authorization("digest", security.digest().getBytes(StandardCharsets.UTF_8));
		}
		return builder.build();
	}

}
