package io.rpcboot.spring.actuate.info;

import io.rpcboot.spring.actuate.endpoint.RpcBeans;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the entry {@code rpc} of the endpoint {@code info}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RpcClientAutoConfiguration.class)
@ConditionalOnClass({ InfoContributor.class, ConditionalOnEnabledInfoContributor.class })
@ConditionalOnEnabledInfoContributor("rpc")
public final class RpcInfoAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "rpcInfoContributor")
	RpcInfoContributor rpcInfoContributor(ConfigurableListableBeanFactory beanFactory) {
		return new RpcInfoContributor(new RpcBeans(beanFactory));
	}

}
