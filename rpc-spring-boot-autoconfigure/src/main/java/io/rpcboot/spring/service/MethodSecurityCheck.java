package io.rpcboot.spring.service;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Warns of annotations of method security on services that no advisor reads, so that
 * everybody may call their methods.
 *
 * @since 0.1.0
 */
public final class MethodSecurityCheck implements SmartInitializingSingleton {

	private static final String ADVISOR = "org.springframework.security.authorization.method.AuthorizationAdvisor";

	private static final String HOSTED = "io.grpc.BindableService";

	private static final String OF_SPRING = "org.springframework.security.access.";

	/** Attribute of {@code @EnableMethodSecurity} by annotation. */
	private static final Map<String, String> SWITCHES = Map.of(OF_SPRING + "prepost.PreAuthorize", "",
			OF_SPRING + "prepost.PostAuthorize", "", OF_SPRING + "prepost.PreFilter", "",
			OF_SPRING + "prepost.PostFilter", "", OF_SPRING + "annotation.Secured", "(securedEnabled = true)",
			"jakarta.annotation.security.RolesAllowed", "(jsr250Enabled = true)", "jakarta.annotation.security.DenyAll",
			"(jsr250Enabled = true)");

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private final RpcServiceExporter exporter;

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates a check.
	 * @param exporter knows the services
	 * @param beanFactory the context
	 */
	public MethodSecurityCheck(RpcServiceExporter exporter, ConfigurableListableBeanFactory beanFactory) {
		this.exporter = exporter;
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Map<Class<? extends Annotation>, String> known = new LinkedHashMap<>();
		SWITCHES.forEach((name, option) -> {
			Class<?> type = resolved(name);
			if (type != null) {
				known.put(type.asSubclass(Annotation.class), option);
			}
		});
		for (Class<?> each : implementations()) {
			known.forEach((annotation, option) -> check(each, annotation, option));
		}
	}

	private Set<Class<?>> implementations() {
		Set<Class<?>> types = new LinkedHashSet<>(this.exporter.implementations());
		Class<?> hosted = resolved(HOSTED);
		if (hosted != null) {
			for (String name : this.beanFactory.getBeanNamesForType(hosted, true, false)) {
				Class<?> type = this.beanFactory.containsBeanDefinition(name)
						? AutoProxyUtils.determineTargetClass(this.beanFactory, name) : null;
				if (type != null) {
					types.add(ClassUtils.getUserClass(type));
				}
			}
		}
		return types;
	}

	private void check(Class<?> type, Class<? extends Annotation> annotation, String option) {
		boolean onClass = AnnotatedElementUtils.hasAnnotation(type, annotation);
		for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type, ReflectionUtils.USER_DECLARED_METHODS)) {
			if ((onClass || AnnotatedElementUtils.hasAnnotation(method, annotation)) && advisors().stream()
				.noneMatch((each) -> each.getPointcut().getClassFilter().matches(type)
						&& each.getPointcut().getMethodMatcher().matches(method, type))) {
				logger.warn("@{} of {}.{} has no effect: everybody may call it (expected: @EnableMethodSecurity{})",
						annotation.getSimpleName(), type.getName(), method.getName(), option);
				return;
			}
		}
	}

	private Collection<PointcutAdvisor> advisors() {
		Class<?> type = resolved(ADVISOR);
		return (type == null) ? List.of()
				: BeanFactoryUtils.beansOfTypeIncludingAncestors(this.beanFactory, type)
					.values()
					.stream()
					.filter(PointcutAdvisor.class::isInstance)
					.map(PointcutAdvisor.class::cast)
					.toList();
	}

	private @Nullable Class<?> resolved(String name) {
		ClassLoader loader = this.beanFactory.getBeanClassLoader();
		return ClassUtils.isPresent(name, loader) ? ClassUtils.resolveClassName(name, loader) : null;
	}

}
