package io.rpcboot.spring.autoconfigure;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistry;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistryOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/** The registry in ZooKeeper. */
@Configuration(proxyBeanMethods = false)
@Conditional(OnZooKeeperRegistryCondition.class)
@ConditionalOnMissingBean(Registry.class)
class ZooKeeperRegistryConfiguration {

	@Bean
	@ConditionalOnMissingBean(RpcRegistryConnectionDetails.class)
	@ConditionalOnBooleanProperty("rpc.registry.zookeeper.embedded.enabled")
	EmbeddedZooKeeper embeddedZooKeeper(RpcRegistryProperties properties) {
		int port = properties.zookeeper().embedded().port();
		if (port < 0 || port > 65535) {
			throw new InvalidPropertyException("rpc.registry.zookeeper.embedded.port", String.valueOf(port),
					"0 (any free port) to 65535");
		}
		return new EmbeddedZooKeeper(port, null);
	}

	@Bean
	@ConditionalOnMissingBean(Registry.class)
	Registry zooKeeperRpcRegistry(RpcRegistryProperties properties,
			ObjectProvider<RpcRegistryConnectionDetails> details, ObjectProvider<EmbeddedZooKeeper> embedded) {
		requireClient();
		String connectString = connectString(properties, details.getIfAvailable(), embedded.getIfAvailable());
		ZooKeeperRegistryOptions options = OptionNames.under("rpc.",
				() -> properties.zookeeper().toOptions(connectString));
		return new ZooKeeperRegistry(options);
	}

	private static void requireClient() {
		ClassLoader classLoader = ZooKeeperRegistryConfiguration.class.getClassLoader();
		if (!ClassUtils.isPresent("org.apache.curator.framework.recipes.cache.CuratorCache", classLoader)
				|| !ClassUtils.isPresent("org.apache.zookeeper.ZooKeeper", classLoader)) {
			throw new RpcConfigurationException("A registry in ZooKeeper is asked for, but its client is not there",
					"Add org.apache.curator:curator-recipes and org.apache.zookeeper:zookeeper, "
							+ "or depend on io.rpcboot:rpc-spring-boot-starter, which brings them.");
		}
	}

	private static String connectString(RpcRegistryProperties properties,
			@Nullable RpcRegistryConnectionDetails details, @Nullable EmbeddedZooKeeper embedded) {
		if (details != null) {
			return details.getConnectString();
		}
		if (embedded != null) {
			return embedded.connectString();
		}
		if (properties.zookeeper().connectString().isBlank()) {
			throw new InvalidPropertyException("rpc.registry.zookeeper.connect-string", "''",
					"host:port[,host:port...][/path], because rpc.registry.type is zookeeper");
		}
		return properties.zookeeper().connectString();
	}

}
