package io.rpcboot.spring.actuate;

import io.rpcboot.registry.Registry;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcClients;
import io.rpcboot.spring.RpcServerLifecycle;
import io.rpcboot.spring.autoconfigure.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.RpcServerAutoConfiguration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * The endpoint {@code rpc}.
 */
@AutoConfiguration(after = { RpcClientAutoConfiguration.class, RpcServerAutoConfiguration.class })
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(RpcEndpoint.class)
public final class RpcEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RpcEndpoint rpcEndpoint(ObjectProvider<Registry> registry, ObjectProvider<RpcServer> server,
			ObjectProvider<RpcServerLifecycle> lifecycle, ConfigurableListableBeanFactory beanFactory) {
		return new RpcEndpoint(registry, server, lifecycle, new RpcClients(beanFactory));
	}

}
