package io.rpcboot.spring.reference;

import java.lang.reflect.AnnotatedElement;
import java.util.Set;

import io.rpcboot.spring.RpcReference;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.core.annotation.MergedAnnotation;

/**
 * Replacements of references in a test. Test support registers one as a singleton under
 * {@link #BEAN_NAME} before the context is refreshed.
 *
 * @since 0.1.0
 */
public interface RpcReferenceOverrides {

	/** Name of the singleton. */
	String BEAN_NAME = "io.rpcboot.spring.reference.RpcReferenceOverrides";

	/** Prefix of the bean names of references. */
	String REFERENCE_PREFIX = ReferenceKey.BEAN_NAME_PREFIX;

	/**
	 * Returns the bean that replaces every reference to an interface, whatever their
	 * attributes.
	 * @param type the interface
	 * @return the bean name, null for no replacement
	 */
	@Nullable String beanNameFor(Class<?> type);

	/**
	 * Checks that each replacement of a single reference finds its reference. Called
	 * once, when the references of known bean classes are registered.
	 * @param references the bean names of the references
	 * @throws io.rpcboot.RpcConfigurationException if a replacement finds no reference
	 */
	void check(Set<String> references);

	/**
	 * Returns the classes of the test itself, whose objects are injected and are no
	 * beans.
	 * @return the test class, and those around it
	 */
	Set<Class<?>> testClasses();

	/**
	 * Returns true if the test sets a member to a replacement, so that the member has no
	 * reference.
	 * @param member a member of a test class
	 * @return true for a field with {@code @MockitoBean} and the like
	 */
	boolean isReplaced(AnnotatedElement member);

	/**
	 * Returns the bean name of a reference.
	 * @param type the interface
	 * @param annotation its attributes
	 * @return {@code rpcReference:<interface>} and the attributes that differ from their
	 * defaults
	 */
	static String referenceName(Class<?> type, MergedAnnotation<RpcReference> annotation) {
		return ReferenceKey.of(type, annotation).beanName();
	}

	/**
	 * Returns the replacements of a context.
	 * @param registry the bean factory of the context
	 * @return null outside of tests
	 */
	static @Nullable RpcReferenceOverrides of(SingletonBeanRegistry registry) {
		return (registry.getSingleton(BEAN_NAME) instanceof RpcReferenceOverrides overrides) ? overrides : null;
	}

}
