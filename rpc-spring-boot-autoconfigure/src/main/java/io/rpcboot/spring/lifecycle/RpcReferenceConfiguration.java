package io.rpcboot.spring.lifecycle;

import io.rpcboot.client.RpcClient;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.reference.ReferenceInjector;
import io.rpcboot.spring.reference.ReferencePostProcessor;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configuration that enables {@link RpcReference} in a context with a {@link RpcClient}
 * bean. Auto-configuration imports it in Spring Boot applications; other applications
 * import it themselves.
 *
 * @since 0.1.0
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
	static ClientDestructionOrder rpcClientDestructionOrder() {
		return new ClientDestructionOrder();
	}

	@Bean
	static RpcClientLifecycle rpcClientLifecycle(ConfigurableListableBeanFactory beanFactory) {
		return new RpcClientLifecycle(beanFactory);
	}

}
