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
 * Which beans carry {@link RpcService}. Spring finds it on interfaces, too, which
 * references and fallbacks implement: offering them would answer for others.
 */
final class ServiceBeans {

	private ServiceBeans() {
	}

	/** The beans that may carry it, each by the name under which it is called. */
	static Set<String> names(ConfigurableListableBeanFactory beanFactory) {
		Set<String> names = new LinkedHashSet<>();
		for (String name : beanFactory.getBeanNamesForAnnotation(RpcService.class)) {
			names.add(ScopedProxyUtils.isScopedTarget(name) ? ScopedProxyUtils.getOriginalBeanName(name) : name);
		}
		return names;
	}

	/**
	 * What a bean carries, or if it is a scoped proxy, what is behind it. Creates no
	 * bean.
	 * @return null for a bean that is none to offer
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
	 * What a bean carries.
	 *
	 * @param annotation the annotation
	 * @param type the class of the bean as far as it is known before it is created, null
	 * if it is not
	 * @param onInterface the interface that it stands on, null if it stands on the class
	 * or the method that makes the bean
	 */
	record Carried(RpcService annotation, @Nullable Class<?> type, @Nullable Class<?> onInterface) {
	}

}
