package io.rpcboot.spring.test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.reference.RpcReferenceOverrides;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.bean.override.BeanOverride;
import org.springframework.test.context.bean.override.BeanOverrideHandler;
import org.springframework.test.context.bean.override.BeanOverrideProcessor;
import org.springframework.test.context.bean.override.BeanOverrideStrategy;

/**
 * Lets overrides such as {@code @MockitoBean UserService}, and primary beans of a test,
 * replace every reference to their interface. An override with {@link RpcReference}
 * replaces only that reference. An override by bean name works without this class, which
 * checks the name.
 */
final class ReferenceOverrideContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configuration) {
		Set<Class<?>> types = new HashSet<>();
		Set<String> references = new HashSet<>();
		Map<String, Class<?>> names = new HashMap<>();
		for (Class<?> current = testClass; current != null; current = enclosing(current)) {
			for (BeanOverrideHandler handler : handlers(current)) {
				Class<?> type = handler.getBeanType().resolve();
				if (type == null || !type.isInterface()) {
					continue;
				}
				MergedAnnotation<RpcReference> annotation = annotation(handler);
				if (handler.getBeanName() != null) {
					// Spring rejects other strategies if there is no such bean
					if (handler.getStrategy() == BeanOverrideStrategy.REPLACE_OR_CREATE) {
						names.put(handler.getBeanName(), type);
					}
				}
				else if (annotation.isPresent()) {
					references.add(RpcReferenceOverrides.referenceName(type, annotation));
				}
				else {
					types.add(type);
				}
			}
		}
		return new OverrideCustomizer(new TestOverrides.Replacements(types, references, names));
	}

	private static List<BeanOverrideHandler> handlers(Class<?> testClass) {
		List<BeanOverrideHandler> handlers = new ArrayList<>(BeanOverrideHandler.forTestClass(testClass));
		// overrides by annotations on the class, such as @MockitoBean(types = ...);
		// Spring's own search for them is not public
		MergedAnnotations.from(testClass, SearchStrategy.TYPE_HIERARCHY)
			.stream(BeanOverride.class)
			.forEach((each) -> handlers.addAll(ofClass(testClass, each)));
		return handlers;
	}

	private static List<BeanOverrideHandler> ofClass(Class<?> testClass, MergedAnnotation<BeanOverride> override) {
		MergedAnnotation<?> source = override.getMetaSource();
		BeanOverrideProcessor processor = (BeanOverrideProcessor) BeanUtils
			.instantiateClass(override.getClass(MergedAnnotation.VALUE));
		return (source != null) ? processor.createHandlers(source.synthesize(), testClass) : List.of();
	}

	private static @Nullable Class<?> enclosing(Class<?> testClass) {
		return TestContextAnnotationUtils.searchEnclosingClass(testClass) ? testClass.getEnclosingClass() : null;
	}

	private static MergedAnnotation<RpcReference> annotation(BeanOverrideHandler handler) {
		return (handler.getField() == null) ? MergedAnnotation.missing()
				: MergedAnnotations.from(handler.getField()).get(RpcReference.class);
	}

	/** Equal for equal overrides, so that the context cache works. */
	private record OverrideCustomizer(TestOverrides.Replacements replacements) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
			context.getBeanFactory()
				.registerSingleton(RpcReferenceOverrides.BEAN_NAME, new TestOverrides(context.getBeanFactory(),
						this.replacements, new TestBeans(merged.getTestClass(), Set.of(merged.getClasses()))));
		}

	}

}
