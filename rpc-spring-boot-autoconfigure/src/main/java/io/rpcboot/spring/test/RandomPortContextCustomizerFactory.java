package io.rpcboot.spring.test;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Gives the server of a test a free port, because Spring keeps several contexts of a
 * build open. Settings of the test take precedence: {@code properties} and {@code args}
 * of {@code @SpringBootTest}, {@code @TestPropertySource},
 * {@code @DynamicPropertySource}. With {@code WebEnvironment.DEFINED_PORT} the port of
 * the application is used, as for {@code server.port}.
 */
final class RandomPortContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configuration) {
		return TestAnnotations.definesPort(testClass) ? null : new RandomPort();
	}

	/** All instances are equal, so that the context cache works. */
	private record RandomPort() implements ContextCustomizer {

		private static final String NAME = "rpc.server.port of tests";

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
			TestProperties.add(context.getEnvironment(), new MapPropertySource(NAME, Map.of("rpc.server.port", 0)));
		}

	}

}
