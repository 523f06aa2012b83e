package io.rpcboot.spring.test;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcReferenceOverrides;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.bean.override.BeanOverrideHandler;

/**
 * Lets {@code @MockitoBean UserService} and its like, and the primary beans of a test,
 * take the place of every reference to that interface. An override that carries
 * {@link RpcReference} replaces that one reference; an override by bean name needs no
 * help.
 */
final class ReferenceOverrideContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configuration) {
		Set<Class<?>> types = new HashSet<>();
		Set<String> references = new HashSet<>();
		for (Class<?> current = testClass; current != null; current = enclosing(current)) {
			for (BeanOverrideHandler handler : BeanOverrideHandler.forTestClass(current)) {
				Class<?> type = handler.getBeanType().resolve();
				if (type != null && type.isInterface() && handler.getBeanName() == null) {
					MergedAnnotation<RpcReference> annotation = annotation(handler);
					if (annotation.isPresent()) {
						references.add(RpcReferenceOverrides.referenceName(type, annotation));
					}
					else {
						types.add(type);
					}
				}
			}
		}
		return new OverrideCustomizer(Set.copyOf(types), Set.copyOf(references));
	}

	private static @Nullable Class<?> enclosing(Class<?> testClass) {
		return TestContextAnnotationUtils.searchEnclosingClass(testClass) ? testClass.getEnclosingClass() : null;
	}

	private static MergedAnnotation<RpcReference> annotation(BeanOverrideHandler handler) {
		return (handler.getField() == null) ? MergedAnnotation.missing()
				: MergedAnnotations.from(handler.getField()).get(RpcReference.class);
	}

	/** Equal for equal overrides, so that the context cache works. */
	private record OverrideCustomizer(Set<Class<?>> types, Set<String> references) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
			context.getBeanFactory()
				.registerSingleton(RpcReferenceOverrides.BEAN_NAME, new TestOverrides(context.getBeanFactory(),
						this.types, this.references, new TestBeans(merged.getTestClass())));
		}

	}

}
