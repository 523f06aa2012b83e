package io.rpcboot.spring.autoconfigure;

import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * The registry: ZooKeeper where there is a place to connect to, else that of this
 * application context.
 */
@AutoConfiguration
@EnableConfigurationProperties(RpcRegistryProperties.class)
@Import(ZooKeeperRegistryConfiguration.class)
public final class RpcRegistryAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(Registry.class)
	@ConditionalOnProperty(name = "rpc.registry.type", havingValue = "in-memory", matchIfMissing = true)
	InMemoryRegistry inMemoryRpcRegistry() {
		return new InMemoryRegistry();
	}

}
