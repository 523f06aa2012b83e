package io.rpcboot.spring.actuate.health;

import io.rpcboot.spring.actuate.endpoint.RpcBeans;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the health indicators {@code rpc} and {@code rpcServer}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RpcClientAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnEnabledHealthIndicator("rpc")
public final class RpcHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "rpcHealthIndicator")
	RpcHealthIndicator rpcHealthIndicator(ConfigurableListableBeanFactory beanFactory) {
		return new RpcHealthIndicator(new RpcBeans(beanFactory));
	}

	@Bean
	@ConditionalOnMissingBean(name = "rpcServerHealthIndicator")
	RpcServerHealthIndicator rpcServerHealthIndicator(ConfigurableListableBeanFactory beanFactory) {
		return new RpcServerHealthIndicator(new RpcBeans(beanFactory));
	}

	@Bean
	RpcHealthGroups rpcHealthGroups(Environment environment) {
		return new RpcHealthGroups(environment);
	}

}
