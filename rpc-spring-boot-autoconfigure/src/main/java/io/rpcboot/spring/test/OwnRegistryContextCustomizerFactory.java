package io.rpcboot.spring.test;

import java.util.List;

import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Gives a test a registry of its own instead of that of the application, whose clients
 * would call the services of the test. Settings of the test take precedence, as for
 * {@link RandomPortContextCustomizerFactory}. With {@code WebEnvironment.DEFINED_PORT} or
 * {@code rpc.registry.use-in-tests} the registry of the application is used.
 */
final class OwnRegistryContextCustomizerFactory implements ContextCustomizerFactory {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configuration) {
		return TestAnnotations.definesPort(testClass) ? null : new OwnRegistry();
	}

	/** All instances are equal, so that the context cache works. */
	private record OwnRegistry() implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
			RegistryOfTest source = new RegistryOfTest(context.getEnvironment(), context.getBeanFactory());
			TestProperties.add(context.getEnvironment(), source);
			context.addApplicationListener((event) -> {
				if (event instanceof ContextRefreshedEvent refreshed && refreshed.getApplicationContext() == context) {
					report(context, source.hidden());
				}
			});
		}

		private static void report(ConfigurableApplicationContext context, List<String> unused) {
			Registry registry = context.getBeanProvider(Registry.class).getIfUnique();
			if (!unused.isEmpty() && registry != null && registry.getClass() == InMemoryRegistry.class) {
				logger.info("""
						This test does not use the registry of the application ({}): its servers and references find \
						each other in this process only. To use it, set the registry in the properties of the test, \
						or rpc.registry.use-in-tests to true""", String.join(", ", unused));
			}
		}

	}

}
