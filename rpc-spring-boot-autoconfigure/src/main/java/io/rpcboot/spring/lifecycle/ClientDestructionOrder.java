package io.rpcboot.spring.lifecycle;

import java.util.List;

import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.core.PriorityOrdered;

/**
 * Lets the client and its registry outlive every bean whose destruction may still call:
 * destroy methods, and executors that finish their tasks, although no dependency leads
 * from an executor to the client. Spring destroys beans in the reverse order of their
 * registration as disposable beans, and a name that is registered again keeps its place.
 * So this class registers the names first, and Spring replaces the placeholders when it
 * creates the beans.
 */
final class ClientDestructionOrder implements BeanFactoryPostProcessor, PriorityOrdered {

	/** Destroyed last to first. */
	private static final List<Class<?>> LASTING = List.of(EmbeddedZooKeeper.class, Registry.class, RpcClient.class);

	/** Bean that the client depends on, so that its destruction destroys the client. */
	private static final String TLS = "rpcClientTls";

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		if (beanFactory instanceof DefaultSingletonBeanRegistry registry) {
			if (beanFactory.containsBeanDefinition(TLS)) {
				outlast(registry, TLS);
			}
			for (Class<?> type : LASTING) {
				for (String name : beanFactory.getBeanNamesForType(type, true, false)) {
					outlast(registry, name);
				}
			}
		}
	}

	private static void outlast(DefaultSingletonBeanRegistry registry, String name) {
		registry.registerDisposableBean(name, () -> {
		});
	}

}
