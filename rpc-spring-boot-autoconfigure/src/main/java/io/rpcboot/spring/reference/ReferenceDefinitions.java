package io.rpcboot.spring.reference;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * Bean definitions of references: one for each {@link ReferenceKey}.
 *
 * @since 0.1.0
 */
public final class ReferenceDefinitions {

	private ReferenceDefinitions() {
	}

	// by class, because ahead-of-time processing drops attributes of definitions
	static boolean isReference(BeanDefinition definition) {
		return RpcReferenceFactoryBean.class.getName().equals(definition.getBeanClassName());
	}

	// by name, because tests replace references with other beans
	public static boolean isReference(String beanName) {
		return beanName.startsWith(ReferenceKey.BEAN_NAME_PREFIX);
	}

	/**
	 * Registers the bean of a reference unless it exists or a test has replaced it.
	 * @param where an injection point of the reference, which messages about it name
	 * @return the bean name
	 */
	public static String register(BeanDefinitionRegistry registry, ReferenceKey key, Object where) {
		String name = key.beanName();
		synchronized (registry) {
			if (!registry.containsBeanDefinition(name) && !isSingleton(registry, name)) {
				registry.registerBeanDefinition(name, definition(key, where));
				PolicyBeans.declare(registry, key.interceptors());
			}
		}
		return name;
	}

	private static boolean isSingleton(BeanDefinitionRegistry registry, String name) {
		return registry instanceof SingletonBeanRegistry singletons && singletons.containsSingleton(name);
	}

	private static RootBeanDefinition definition(ReferenceKey key, Object where) {
		RootBeanDefinition definition = new RootBeanDefinition(RpcReferenceFactoryBean.class);
		definition.setDescription("@RpcReference at " + ReferencePoint.describe(where));
		// without it, any look-up by type creates the factory
		definition.setAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE, key.type());
		ConstructorArgumentValues arguments = definition.getConstructorArgumentValues();
		arguments.addIndexedArgumentValue(0, key.type());
		// one map, because a constructor argument for each attribute is slower
		arguments.addIndexedArgumentValue(1, key.attributes());
		definition.setLazyInit(true);
		// a plain @Autowired gets the local bean, and @MockitoBean by type finds no
		// ambiguity
		definition.setDefaultCandidate(false);
		definition.setFallback(true);
		return definition;
	}

}
