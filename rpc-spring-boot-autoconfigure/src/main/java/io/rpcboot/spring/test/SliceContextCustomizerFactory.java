package io.rpcboot.spring.test;

import java.util.List;

import io.rpcboot.spring.lifecycle.RpcReferenceConfiguration;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Enables injection of references in slice tests ({@code @WebMvcTest},
 * {@code @DataJpaTest} and others that disable auto-configuration). There is no client: a
 * reference that the test does not replace fails when it is called.
 */
final class SliceContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configuration) {
		boolean slice = TestAnnotations.of(testClass)
			.get("org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration")
			.getValue("enabled", Boolean.class)
			.map((enabled) -> !enabled)
			.orElse(false);
		return slice ? new Slice() : null;
	}

	/** All instances are equal, so that the context cache works. */
	private record Slice() implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
			// the generated context has the beans already
			if (!AotDetector.useGeneratedArtifacts() && context instanceof BeanDefinitionRegistry registry) {
				new AnnotatedBeanDefinitionReader(registry).register(RpcReferenceConfiguration.class);
			}
		}

	}

}
