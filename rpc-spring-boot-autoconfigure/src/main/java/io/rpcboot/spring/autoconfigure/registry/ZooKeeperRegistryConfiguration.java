package io.rpcboot.spring.autoconfigure.registry;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistry;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistryOptions;
import io.rpcboot.registry.zookeeper.ZooKeeperTls;
import io.rpcboot.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryProperties.Type;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryProperties.Zookeeper;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Configuration of the registry in ZooKeeper. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRegistryType(Type.ZOOKEEPER)
@ConditionalOnMissingBean(Registry.class)
class ZooKeeperRegistryConfiguration {

	private static final String CONNECT_STRING = "rpc.registry.zookeeper.connect-string";

	@Bean
	@ConditionalOnMissingBean(RpcRegistryConnectionDetails.class)
	@ConditionalOnSwitch(value = "rpc.registry.zookeeper.embedded.enabled", byDefault = false)
	EmbeddedZooKeeper embeddedZooKeeper(RpcRegistryProperties properties) {
		int port = properties.zookeeper().embedded().port();
		if (port < 0 || port > 65535) {
			throw new InvalidPropertyException("rpc.registry.zookeeper.embedded.port", String.valueOf(port),
					"0 (any free port) to 65535");
		}
		String connectString = properties.zookeeper().connectString();
		if (!connectString.isBlank()) {
			throw new InvalidPropertyException(CONNECT_STRING, CONNECT_STRING, connectString,
					"not set with rpc.registry.zookeeper.embedded.enabled, which uses the embedded server",
					"Remove %s, or set rpc.registry.zookeeper.embedded.enabled to false.".formatted(CONNECT_STRING));
		}
		return OptionToPropertyNames.under("rpc.", () -> new EmbeddedZooKeeper(port, null));
	}

	@Bean
	@ConditionalOnMissingBean(Registry.class)
	Registry zooKeeperRpcRegistry(RpcRegistryProperties properties,
			ObjectProvider<RpcRegistryConnectionDetails> details, ObjectProvider<EmbeddedZooKeeper> embedded,
			ObjectProvider<SslBundleExporter> bundle, Environment environment) {
		requireClient();
		String connectString = connectString(properties, details.getIfAvailable(), embedded.getIfAvailable());
		ZooKeeperTls tls = tls(properties.zookeeper(), embedded.getIfAvailable(), bundle);
		return OptionToPropertyNames.under("rpc.", () -> {
			ZooKeeperRegistryOptions options = properties.zookeeper().toOptions(connectString, tls);
			SnapshotRegistryDecorator.check(properties.snapshot());
			ZooKeeperRegistry registry = new ZooKeeperRegistry(options);
			return SnapshotRegistryDecorator.decorate(registry, registry.description() + options.rootPath(),
					properties.snapshot(), environment);
		});
	}

	@Bean
	@Lazy
	@ConditionalOnProperty("rpc.registry.zookeeper.ssl.bundle")
	SslBundleExporter zooKeeperSslBundleFiles(RpcRegistryProperties properties, ObjectProvider<SslBundles> bundles) {
		return new SslBundleExporter(properties.zookeeper().ssl().bundle(),
				bundles.getIfAvailable(DefaultSslBundleRegistry::new));
	}

	private static @Nullable ZooKeeperTls tls(Zookeeper properties, @Nullable EmbeddedZooKeeper embedded,
			ObjectProvider<SslBundleExporter> bundle) {
		if (!properties.ssl().isOn()) {
			return null;
		}
		if (embedded != null) {
			throw new InvalidPropertyException("rpc.registry.zookeeper.ssl.enabled", "true",
					"false with rpc.registry.zookeeper.embedded.enabled, because the embedded server has no TLS");
		}
		SslBundleExporter files = bundle.getIfAvailable();
		return (files != null) ? files.tls() : ZooKeeperTls.defaults();
	}

	private static void requireClient() {
		ClassLoader classLoader = ZooKeeperRegistryConfiguration.class.getClassLoader();
		if (!ClassUtils.isPresent("org.apache.curator.framework.recipes.cache.CuratorCache", classLoader)
				|| !ClassUtils.isPresent("org.apache.zookeeper.ZooKeeper", classLoader)) {
			throw new RpcConfigurationException("The registry is in ZooKeeper, but its client is not on the class path",
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
			throw new InvalidPropertyException(CONNECT_STRING, "''",
					"host:port[,host:port...][/path], because rpc.registry.type is zookeeper");
		}
		return properties.zookeeper().connectString();
	}

}
