package io.rpcboot.spring.service;

import java.util.List;

import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.reference.PolicyBeans;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.core.PriorityOrdered;

/**
 * Registers a bean for each interceptor class of {@link RpcService} that has none, so
 * that ahead-of-time processing sees it.
 *
 * @since 0.1.0
 */
public final class ServiceInterceptorsPostProcessor implements BeanFactoryPostProcessor, PriorityOrdered {

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		for (String name : beanFactory.getBeanDefinitionNames()) {
			ServiceBeans.Carried found = ServiceBeans.find(beanFactory, name);
			if (found != null) {
				PolicyBeans.declare((BeanDefinitionRegistry) beanFactory, List.of(found.annotation().interceptors()));
			}
		}
	}

}
