package io.rpcboot.spring.test;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcReferenceOverrides;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.bean.override.BeanOverrideHandler;

/**
 * Lets {@code @MockitoBean UserService} and its like take the place of every reference to
 * that interface. An override by bean name, or one that carries {@link RpcReference},
 * replaces one reference and needs no help.
 */
final class ReferenceOverrideContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configuration) {
		Set<Class<?>> types = new HashSet<>();
		for (Class<?> current = testClass; current != null; current = enclosing(current)) {
			for (BeanOverrideHandler handler : BeanOverrideHandler.forTestClass(current)) {
				Class<?> type = handler.getBeanType().resolve();
				if (type != null && type.isInterface() && !isQualified(handler)) {
					types.add(type);
				}
			}
		}
		return types.isEmpty() ? null : new OverrideCustomizer(types);
	}

	private static @Nullable Class<?> enclosing(Class<?> testClass) {
		return TestContextAnnotationUtils.searchEnclosingClass(testClass) ? testClass.getEnclosingClass() : null;
	}

	private static boolean isQualified(BeanOverrideHandler handler) {
		return handler.getBeanName() != null || (handler.getField() != null
				&& MergedAnnotations.from(handler.getField()).isPresent(RpcReference.class));
	}

	/** Equal for equal types, so that the context cache works. */
	private record OverrideCustomizer(Set<Class<?>> types) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
			context.getBeanFactory()
				.registerSingleton(RpcReferenceOverrides.BEAN_NAME, new RpcReferenceOverrides(this.types));
		}

	}

}
