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
 * The clients of a context that are in use. A client is made for its first reference;
 * looking at it here makes none.
 */
public final class RpcClients {

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Look at the clients of a context.
	 * @param beanFactory the beans of the context
	 */
	public RpcClients(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * The clients of the context and of its parents.
	 * @return those that have been made
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

	static List<RpcClient> inUse(ConfigurableListableBeanFactory beanFactory) {
		return Arrays.stream(beanFactory.getBeanNamesForType(RpcClient.class, true, false))
			.filter(beanFactory::containsSingleton)
			.map((name) -> beanFactory.getBean(name, RpcClient.class))
			.toList();
	}

	/**
	 * Whether a bean of the context asks for a reference.
	 * @return true, too, if a test has put something in its place
	 */
	public boolean areSought() {
		return Arrays.stream(this.beanFactory.getBeanDefinitionNames())
			.anyMatch((name) -> name.startsWith(ReferenceKey.BEAN_NAME_PREFIX));
	}

}
