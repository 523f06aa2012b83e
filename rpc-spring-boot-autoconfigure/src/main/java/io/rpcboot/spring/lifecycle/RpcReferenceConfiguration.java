package io.rpcboot.spring.lifecycle;

import io.rpcboot.client.RpcClient;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.reference.ReferenceInjector;
import io.rpcboot.spring.reference.ReferencePostProcessor;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Makes {@link RpcReference} work in a context that has a {@link RpcClient} bean. Spring
 * Boot applications get it by auto-configuration; others import it.
 */
@Configuration(proxyBeanMethods = false)
public class RpcReferenceConfiguration {

	@Bean
	static ReferencePostProcessor rpcReferencePostProcessor() {
		return new ReferencePostProcessor();
	}

	@Bean
	static ReferenceInjector rpcReferenceInjector() {
		return new ReferenceInjector();
	}

	@Bean
	static RpcClientLifecycle rpcClientLifecycle(ConfigurableListableBeanFactory beanFactory) {
		return new RpcClientLifecycle(beanFactory);
	}

}
