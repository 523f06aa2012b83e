package io.rpcboot.spring.lifecycle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.rpcboot.client.RpcClient;
import io.rpcboot.spring.reference.ReferenceKey;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Clients of a context that are in use. A client is created with its first reference;
 * this class creates none.
 *
 * @since 0.1.0
 */
public final class RpcClients {

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates a view.
	 * @param beanFactory the context
	 */
	public RpcClients(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Returns the created clients of the context and of its parents.
	 * @return the clients, those of the context first
	 */
	public List<RpcClient> inUse() {
		List<RpcClient> result = new ArrayList<>();
		@Nullable BeanFactory next = this.beanFactory;
		while (next instanceof ConfigurableListableBeanFactory each) {
			result.addAll(inUse(each));
			next = each.getParentBeanFactory();
		}
		return result;
	}

	private static List<RpcClient> inUse(ConfigurableListableBeanFactory beanFactory) {
		return Arrays.stream(beanFactory.getBeanNamesForType(RpcClient.class, true, false))
			.filter(beanFactory::containsSingleton)
			.map((name) -> beanFactory.getBean(name, RpcClient.class))
			.toList();
	}

	/**
	 * Returns true if a bean of the context has a reference.
	 * @return true also if a test has replaced it
	 */
	public boolean areSought() {
		return Arrays.stream(this.beanFactory.getBeanDefinitionNames())
			.anyMatch((name) -> name.startsWith(ReferenceKey.BEAN_NAME_PREFIX));
	}

}
