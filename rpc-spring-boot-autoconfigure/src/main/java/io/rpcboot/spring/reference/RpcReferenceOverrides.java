package io.rpcboot.spring.reference;

import java.util.Set;

import io.rpcboot.spring.RpcReference;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.core.annotation.MergedAnnotation;

/**
 * What a test puts in the place of references. Test support registers one as a singleton
 * under {@link #BEAN_NAME} before the context is refreshed.
 */
public interface RpcReferenceOverrides {

	/** The name of the singleton. */
	String BEAN_NAME = "io.rpcboot.spring.reference.RpcReferenceOverrides";

	/** The names of the beans of all references begin so. */
	String REFERENCE_PREFIX = ReferenceKey.BEAN_NAME_PREFIX;

	/**
	 * The bean that takes the place of every reference to an interface, whatever the
	 * attributes of the reference are.
	 * @param type the interface
	 * @return the name of the bean, null if nothing replaces these references
	 */
	@Nullable String beanNameFor(Class<?> type);

	/**
	 * Look whether each override of a single reference finds its reference. Called once,
	 * when the references of the known bean classes have their bean definitions.
	 * @param references the names of the beans of the references
	 * @throws io.rpcboot.RpcConfigurationException if an override finds none
	 */
	void check(Set<String> references);

	/**
	 * The name of the bean of a reference.
	 * @param type the interface
	 * @param annotation its attributes
	 * @return {@code rpcReference:<interface>} and what the attributes add to it
	 */
	static String referenceName(Class<?> type, MergedAnnotation<RpcReference> annotation) {
		return ReferenceKey.of(type, annotation).beanName();
	}

	/**
	 * Those of a context.
	 * @param registry the bean factory of the context
	 * @return null outside of tests
	 */
	static @Nullable RpcReferenceOverrides of(SingletonBeanRegistry registry) {
		return (registry.getSingleton(BEAN_NAME) instanceof RpcReferenceOverrides overrides) ? overrides : null;
	}

}
