package io.rpcboot.spring.autoconfigure.registry;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.registry.Registry;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryProperties.Type;
import io.rpcboot.spring.discovery.DiscoveryClientRegistry;
import io.rpcboot.spring.discovery.DiscoveryOptions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configuration of the registry on top of Spring Cloud's {@code DiscoveryClient}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRegistryType(Type.DISCOVERY_CLIENT)
@ConditionalOnMissingBean(Registry.class)
class DiscoveryClientRegistryConfiguration {

	private static final String ACTION = "Add the starter of the discovery system, for example "
			+ "org.springframework.cloud:spring-cloud-starter-netflix-eureka-client, and leave it enabled, "
			+ "or set rpc.registry.type to another type.";

	private static RpcConfigurationException missing(String what) {
		return new RpcConfigurationException("rpc.registry.type: discovery-client, but " + what, ACTION);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "org.springframework.cloud.client.discovery.DiscoveryClient")
	static class WithSpringCloud {

		@Bean
		@ConditionalOnMissingBean(Registry.class)
		DiscoveryClientRegistry discoveryClientRpcRegistry(RpcRegistryProperties properties,
				ObjectProvider<DiscoveryClient> clients) {
			DiscoveryClient client = clients.getIfAvailable();
			if (client == null) {
				throw missing("there is no bean of type DiscoveryClient");
			}
			DiscoveryOptions options = properties.discoveryClient().toOptions();
			return new DiscoveryClientRegistry(client, options);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass("org.springframework.cloud.client.discovery.DiscoveryClient")
	static class WithoutSpringCloud {

		@Bean
		@ConditionalOnMissingBean(Registry.class)
		Registry discoveryClientRpcRegistry() {
			throw missing("Spring Cloud is not on the class path");
		}

	}

}
