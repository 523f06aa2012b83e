package io.rpcboot.spring.reference;

import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.rpcboot.spring.RpcReference;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Installs the {@link ReferenceAutowireCandidateResolver}, and registers a bean for each
 * reference in known bean classes, with its users as dependents. So tests can replace the
 * reference, ahead-of-time processing sees it, it connects before its first call, and
 * Spring destroys it after its users.
 *
 * @since 0.1.0
 */
public final class ReferencePostProcessor implements BeanFactoryPostProcessor, PriorityOrdered {

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory configurable) {
		DefaultListableBeanFactory beanFactory = (DefaultListableBeanFactory) configurable;
		if (!(beanFactory.getAutowireCandidateResolver() instanceof ReferenceAutowireCandidateResolver)) {
			beanFactory.setAutowireCandidateResolver(
					new ReferenceAutowireCandidateResolver(beanFactory.getAutowireCandidateResolver(), beanFactory));
		}
		for (String name : beanFactory.getBeanDefinitionNames()) {
			BeanDefinition definition = beanFactory.getMergedBeanDefinition(name);
			if (!definition.isAbstract() && !ReferenceDefinitions.isReference(definition)) {
				scanFactoryMethod(beanFactory, name, definition);
				scanClass(beanFactory, name);
			}
		}
		RpcReferenceOverrides overrides = RpcReferenceOverrides.of(beanFactory);
		if (overrides != null) {
			overrides.check(references(beanFactory));
			overrides.testClasses()
				.forEach((type) -> ReferencePoint.in(type, overrides::isReplaced)
					.forEach((key, where) -> ReferenceDefinitions.register(beanFactory, key, where)));
		}
	}

	private static Set<String> references(DefaultListableBeanFactory beanFactory) {
		return Arrays.stream(beanFactory.getBeanDefinitionNames())
			.filter((name) -> ReferenceDefinitions.isReference(beanFactory.getMergedBeanDefinition(name)))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static void scanFactoryMethod(DefaultListableBeanFactory beanFactory, String name,
			BeanDefinition definition) {
		if (definition instanceof RootBeanDefinition root && root.getResolvedFactoryMethod() != null) {
			registerParameters(beanFactory, name, root.getResolvedFactoryMethod());
			return;
		}
		String owner = definition.getFactoryBeanName();
		Class<?> type = (owner == null || definition.getFactoryMethodName() == null) ? null : type(beanFactory, owner);
		if (type == null) {
			return;
		}
		for (Method method : ReflectionUtils.getAllDeclaredMethods(ClassUtils.getUserClass(type))) {
			if (method.getName().equals(definition.getFactoryMethodName())) {
				registerParameters(beanFactory, name, method);
			}
		}
	}

	private static void registerParameters(DefaultListableBeanFactory beanFactory, String name, Method method) {
		ReferencePoint.inParameters(method).forEach((key, where) -> register(beanFactory, key, where, name));
	}

	private static void register(DefaultListableBeanFactory beanFactory, ReferenceKey key, Member where, String user) {
		beanFactory.registerDependentBean(ReferenceDefinitions.register(beanFactory, key, where), user);
	}

	private static void scanClass(DefaultListableBeanFactory beanFactory, String name) {
		Class<?> type = type(beanFactory, name);
		if (type == null || !AnnotationUtils.isCandidateClass(type, RpcReference.class)) {
			return;
		}
		try {
			ReferencePoint.in(ClassUtils.getUserClass(type))
				.forEach((key, where) -> register(beanFactory, key, where, name));
		}
		catch (NoClassDefFoundError ignored) {
			// a member has a type that is not on the class path: using that member fails
		}
		catch (IllegalStateException ex) {
			// ReflectionUtils wraps it
			if (!(ex.getCause() instanceof NoClassDefFoundError)) {
				throw ex;
			}
		}
	}

	private static @Nullable Class<?> type(DefaultListableBeanFactory beanFactory, String name) {
		try {
			return beanFactory.getType(name, false);
		}
		catch (RuntimeException | LinkageError ignored) {
			// reported when the bean is created
			return null;
		}
	}

}
