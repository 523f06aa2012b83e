package io.rpcboot.spring.reference;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;

import io.rpcboot.RpcCallback;
import io.rpcboot.spring.RpcReference;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.ConstructorArgumentValues.ValueHolder;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Registers hints for native images: proxies of references, the callbacks that they take,
 * and the members they are injected into.
 */
final class ReferenceAotProcessor implements BeanRegistrationAotProcessor {

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		if (ReferenceDefinitions.isReference(bean.getMergedBeanDefinition())) {
			return proxyHints(bean);
		}
		Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
		return AnnotationUtils.isCandidateClass(type, RpcReference.class) ? memberHints(type) : null;
	}

	private static @Nullable BeanRegistrationAotContribution proxyHints(RegisteredBean bean) {
		ValueHolder type = bean.getMergedBeanDefinition()
			.getConstructorArgumentValues()
			.getIndexedArgumentValue(0, Class.class);
		if (type == null || !(type.getValue() instanceof Class<?> reference)) {
			return null;
		}
		// the generated definition has no attribute, only this type
		bean.getMergedBeanDefinition()
			.setTargetType(ResolvableType.forClassWithGenerics(RpcReferenceFactoryBean.class, reference));
		return (generation, code) -> {
			generation.getRuntimeHints().proxies().registerJdkProxy(reference);
			ReflectionHints hints = generation.getRuntimeHints().reflection();
			hints.registerType(reference, MemberCategory.INVOKE_PUBLIC_METHODS);
			for (Method method : reference.getMethods()) {
				for (Parameter each : method.getParameters()) {
					if (each.isAnnotationPresent(RpcCallback.class)) {
						hints.registerType(each.getType(), MemberCategory.INVOKE_PUBLIC_METHODS);
					}
				}
			}
		};
	}

	private static BeanRegistrationAotContribution memberHints(Class<?> type) {
		return (generation, code) -> {
			ReflectionHints hints = generation.getRuntimeHints().reflection();
			ReflectionUtils.doWithFields(type, hints::registerField,
					(field) -> AnnotatedElementUtils.hasAnnotation(field, RpcReference.class));
			ReflectionUtils.doWithMethods(type, (method) -> hints.registerMethod(method, ExecutableMode.INVOKE),
					(method) -> AnnotatedElementUtils.hasAnnotation(method, RpcReference.class));
		};
	}

}
