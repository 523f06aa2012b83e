package io.rpcboot.spring;

import java.lang.reflect.Method;

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

	/**
	 * What a bean carries. Creates no bean.
	 * @return null for a bean that is none to offer
	 */
	static @Nullable Carried find(ConfigurableListableBeanFactory beanFactory, String name) {
		if (ReferenceDefinitions.isReference(name) || ScopedProxyUtils.isScopedTarget(name)) {
			return null;
		}
		RpcService found = beanFactory.findAnnotationOnBean(name, RpcService.class, false);
		Class<?> type = (found != null) ? AutoProxyUtils.determineTargetClass(beanFactory, name) : null;
		if (found == null || type == null) {
			return (found != null) ? new Carried(found, null) : null;
		}
		MergedAnnotation<RpcService> own = type.isInterface() ? MergedAnnotation.missing()
				: on(MergedAnnotations.from(type, SearchStrategy.SUPERCLASS));
		Method method = factoryMethod(beanFactory, name);
		if (!own.isPresent() && method != null) {
			own = on(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY));
		}
		if (own.isPresent()) {
			return new Carried(own.synthesize(), null);
		}
		Object source = on(MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY)).getSource();
		return new Carried(found, (source instanceof Class<?> at && at.isInterface()) ? at : null);
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
	 * @param onInterface the interface that it stands on, null if it stands on the class
	 * or the method that makes the bean
	 */
	record Carried(RpcService annotation, @Nullable Class<?> onInterface) {
	}

}
