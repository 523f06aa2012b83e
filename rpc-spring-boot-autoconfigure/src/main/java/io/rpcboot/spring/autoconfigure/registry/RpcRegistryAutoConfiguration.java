package io.rpcboot.spring.autoconfigure.registry;

import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.snapshot.SnapshotRegistry;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryProperties.Type;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of the registry: ZooKeeper if there is an address of it, a discovery
 * system if {@code rpc.registry.type} selects it, else the registry of this application
 * context. Its gauges are registered here.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@EnableConfigurationProperties(RpcRegistryProperties.class)
@Import({ ZooKeeperRegistryConfiguration.class, DiscoveryClientRegistryConfiguration.class })
public final class RpcRegistryAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(Registry.class)
	@ConditionalOnRegistryType(Type.IN_MEMORY)
	InMemoryRegistry inMemoryRpcRegistry() {
		return new InMemoryRegistry();
	}

	// here, because a client and a server that share the registry would report it twice,
	// and so would a child context
	@Bean
	@Lazy(false)
	@ConditionalOnSingleCandidate(value = Registry.class, search = SearchStrategy.CURRENT)
	GaugeRegistrations rpcRegistryLevels(Registry registry, ObjectProvider<RpcMetrics> metrics) {
		return new GaugeRegistrations(RpcMetrics.all(metrics.orderedStream().toList()))
			.offer(Gauge.REGISTRY_CONNECTED, () -> (registry.state() == RegistryState.CONNECTED) ? 1 : 0)
			.offer(Gauge.REGISTRY_OUTAGES, registry::outages)
			.offer(Gauge.REGISTRY_SNAPSHOT_SERVICES,
					() -> (registry instanceof SnapshotRegistry snapshot) ? snapshot.servicesOfSnapshot() : 0);
	}

}
