package io.rpcboot.spring.reference;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.spring.RpcReference;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.MutablePropertyValues;
import org.springframework.beans.PropertyValues;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.annotation.InjectionMetadata;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.core.MethodParameter;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Injects references into fields and setters with {@link RpcReference}. Parameters are
 * resolved by {@link ReferenceAutowireCandidateResolver}. Never writes a final field, and
 * leaves records to their constructors.
 *
 * @since 0.1.0
 */
public final class ReferenceInjector implements InstantiationAwareBeanPostProcessor, BeanFactoryAware, PriorityOrdered {

	private final Map<Class<?>, InjectionMetadata> metadata = new ConcurrentHashMap<>();

	private @Nullable ConfigurableListableBeanFactory beanFactory;

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE - 3;
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
	}

	/**
	 * Injects an object that Spring does not create. Only for a caller without
	 * {@link org.springframework.beans.factory.config.AutowireCapableBeanFactory#autowireBean}.
	 * @param target an object with annotated members
	 * @throws BeansException if a reference cannot be injected
	 */
	public void processInjection(Object target) {
		postProcessProperties(new MutablePropertyValues(), target, target.getClass().getName());
	}

	@Override
	public PropertyValues postProcessProperties(PropertyValues values, Object bean, String beanName) {
		try {
			this.metadata.computeIfAbsent(bean.getClass(), this::find).inject(bean, beanName, values);
			return values;
		}
		catch (BeansException ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new BeanCreationException(beanName, "Injection of @RpcReference failed", ex);
		}
	}

	private InjectionMetadata find(Class<?> type) {
		if (type.isRecord() || !AnnotationUtils.isCandidateClass(type, RpcReference.class)) {
			return InjectionMetadata.EMPTY;
		}
		List<InjectionMetadata.InjectedElement> elements = new ArrayList<>();
		for (Class<?> current = type; current != null && current != Object.class; current = current.getSuperclass()) {
			ReflectionUtils.doWithLocalFields(current, (field) -> {
				if (isAnnotated(field)) {
					ReferencePoint.requireSet(field);
					elements.add(new FieldElement(field));
				}
			});
			ReflectionUtils.doWithLocalMethods(current, (method) -> {
				if (isSetter(method) && method.equals(ClassUtils.getMostSpecificMethod(method, type))) {
					ReferencePoint.requireSet(method);
					elements.add(new SetterElement(method, BeanUtils.findPropertyForMethod(method)));
				}
			});
		}
		return InjectionMetadata.forElements(elements, type);
	}

	private static boolean isAnnotated(Field field) {
		return AnnotatedElementUtils.hasAnnotation(field, RpcReference.class);
	}

	private static boolean isSetter(Method method) {
		return !method.isBridge() && method.getParameterCount() == 1
				&& AnnotatedElementUtils.hasAnnotation(method, RpcReference.class);
	}

	private @Nullable Object resolve(DependencyDescriptor descriptor, Object bean, @Nullable String beanName) {
		if (this.beanFactory == null) {
			throw new IllegalStateException("No bean factory");
		}
		descriptor.setContainingClass(bean.getClass());
		ReferenceKey key = ReferencePoint.of(descriptor);
		if (key != null && beanName != null) { // its class was unknown if a method
												// declares an interface
			this.beanFactory.registerDependentBean(key.beanName(), beanName);
		}
		return this.beanFactory.resolveDependency(descriptor, beanName);
	}

	private final class FieldElement extends InjectionMetadata.InjectedElement {

		FieldElement(Field field) {
			super(field, null);
		}

		@Override
		protected void inject(Object bean, @Nullable String beanName, @Nullable PropertyValues values)
				throws Throwable {
			Field field = (Field) this.member;
			ReflectionUtils.makeAccessible(field);
			if (!Modifier.isFinal(field.getModifiers())) {
				field.set(bean, resolve(new DependencyDescriptor(field, true), bean, beanName));
			}
			else if (field.get(bean) == null) {
				throw new RpcConfigurationException(
						"@RpcReference on final field '%s' of %s was not set by a constructor"
							.formatted(field.getName(), field.getDeclaringClass().getName()),
						"Set it from a constructor parameter of the same name, or make it not final.");
			}
		}

	}

	private final class SetterElement extends InjectionMetadata.InjectedElement {

		SetterElement(Member method, @Nullable PropertyDescriptor property) {
			super(method, property);
		}

		@Override
		protected void inject(Object bean, @Nullable String beanName, @Nullable PropertyValues values)
				throws Throwable {
			if (checkPropertySkipping(values)) {
				return;
			}
			Method method = (Method) this.member;
			MethodParameter parameter = new MethodParameter(method, 0);
			Object argument = resolve(new DependencyDescriptor(parameter, true), bean, beanName);
			ReflectionUtils.makeAccessible(method);
			try {
				method.invoke(bean, argument);
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

	}

}
