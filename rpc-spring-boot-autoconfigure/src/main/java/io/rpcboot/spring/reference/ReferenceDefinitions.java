package io.rpcboot.spring.reference;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** Bean definitions of references: one for each {@link ReferenceKey}. */
public final class ReferenceDefinitions {

	private ReferenceDefinitions() {
	}

	// by class, for ahead-of-time processing keeps no attributes of definitions
	static boolean isReference(BeanDefinition definition) {
		return RpcReferenceFactoryBean.class.getName().equals(definition.getBeanClassName());
	}

	// by name, for tests put other beans in the place of references
	public static boolean isReference(String beanName) {
		return beanName.startsWith(ReferenceKey.BEAN_NAME_PREFIX);
	}

	/**
	 * Register the bean of a reference unless it is there already, perhaps replaced by a
	 * test.
	 * @return the name of the bean
	 */
	public static String register(BeanDefinitionRegistry registry, ReferenceKey key) {
		String name = key.beanName();
		synchronized (registry) {
			if (!registry.containsBeanDefinition(name) && !isSingleton(registry, name)) {
				registry.registerBeanDefinition(name, definition(key));
				PolicyBeans.declare(registry, key.interceptors());
			}
		}
		return name;
	}

	private static boolean isSingleton(BeanDefinitionRegistry registry, String name) {
		return registry instanceof SingletonBeanRegistry singletons && singletons.containsSingleton(name);
	}

	private static RootBeanDefinition definition(ReferenceKey key) {
		RootBeanDefinition definition = new RootBeanDefinition(RpcReferenceFactoryBean.class);
		// or the factory is made to be asked, by the first look-up of any type
		definition.setAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE, key.type());
		ConstructorArgumentValues arguments = definition.getConstructorArgumentValues();
		arguments.addIndexedArgumentValue(0, key.type());
		arguments.addIndexedArgumentValue(1, key.attributes()); // a value each takes
																// longer
		definition.setLazyInit(true);
		// only for @RpcReference: a plain @Autowired gets the local bean, @MockitoBean
		// by type meets no ambiguity
		definition.setDefaultCandidate(false);
		definition.setFallback(true);
		return definition;
	}

}
