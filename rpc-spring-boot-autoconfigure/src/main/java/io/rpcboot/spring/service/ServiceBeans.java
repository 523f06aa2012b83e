package io.rpcboot.spring.service;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;

import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.reference.ReferenceDefinitions;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Finds beans with {@link RpcService}. Spring finds the annotation on interfaces, too,
 * which references and fallbacks implement; such beans must not be offered.
 */
final class ServiceBeans {

	private ServiceBeans() {
	}

	/** Returns the beans that may have it, each by the name for {@code getBean}. */
	static Set<String> names(ConfigurableListableBeanFactory beanFactory) {
		Set<String> names = new LinkedHashSet<>();
		for (String name : beanFactory.getBeanNamesForAnnotation(RpcService.class)) {
			names.add(ScopedProxyUtils.isScopedTarget(name) ? ScopedProxyUtils.getOriginalBeanName(name) : name);
		}
		return names;
	}

	/**
	 * Returns the annotation of a bean, or of the bean behind a scoped proxy. Creates no
	 * bean.
	 * @return null for a bean without it
	 */
	static @Nullable Carried find(ConfigurableListableBeanFactory beanFactory, String name) {
		if (ReferenceDefinitions.isReference(name) || ScopedProxyUtils.isScopedTarget(name)) {
			return null;
		}
		String target = ScopedProxyUtils.getTargetBeanName(name);
		String bean = beanFactory.containsBeanDefinition(target) ? target : name;
		RpcService found = beanFactory.findAnnotationOnBean(bean, RpcService.class, false);
		Class<?> type = (found != null) ? AutoProxyUtils.determineTargetClass(beanFactory, bean) : null;
		if (found == null || type == null) {
			return (found != null) ? new Carried(found, null, null) : null;
		}
		MergedAnnotation<RpcService> own = type.isInterface() ? MergedAnnotation.missing()
				: on(MergedAnnotations.from(type, SearchStrategy.SUPERCLASS));
		Method method = factoryMethod(beanFactory, bean);
		if (!own.isPresent() && method != null) {
			own = on(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY));
		}
		if (own.isPresent()) {
			return new Carried(own.synthesize(), type, null);
		}
		Object source = on(MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY)).getSource();
		return new Carried(found, type, (source instanceof Class<?> at && at.isInterface()) ? at : null);
	}

	private static MergedAnnotation<RpcService> on(MergedAnnotations annotations) {
		return annotations.get(RpcService.class);
	}

	private static @Nullable Method factoryMethod(ConfigurableListableBeanFactory beanFactory, String name) {
		return beanFactory.containsBeanDefinition(name)
				&& beanFactory.getMergedBeanDefinition(name) instanceof RootBeanDefinition root
						? root.getResolvedFactoryMethod() : null;
	}

	/**
	 * The annotation of a bean.
	 *
	 * @param annotation the annotation
	 * @param type the class of the bean, null if unknown before the bean is created
	 * @param onInterface the interface that has the annotation, null if the class or its
	 * {@code @Bean} method has it
	 */
	record Carried(RpcService annotation, @Nullable Class<?> type, @Nullable Class<?> onInterface) {
	}

}
