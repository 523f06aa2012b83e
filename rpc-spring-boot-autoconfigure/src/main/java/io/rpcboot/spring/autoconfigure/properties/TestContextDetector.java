package io.rpcboot.spring.autoconfigure.properties;

import java.util.stream.Stream;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;

/**
 * Detects tests of Spring Boot. They contain part of the application, so settings of the
 * rest are no mistake.
 *
 * @since 0.1.0
 */
public final class TestContextDetector {

	/**
	 * End of the property that Spring Boot sets in the context of every test: the class
	 * of its bootstrapper, of which each kind of slice has one.
	 */
	private static final String BOOTSTRAPPER = "TestContextBootstrapper";

	/** Property source that hides the registry of the application from a test. */
	public static final String OWN_REGISTRY = "rpc.registry of tests";

	private TestContextDetector() {
	}

	/**
	 * Returns true for a test that does not use the registry of the application's
	 * properties.
	 */
	public static boolean hasOwnRegistry(Environment environment) {
		return environment instanceof ConfigurableEnvironment configurable
				&& configurable.getPropertySources().get(OWN_REGISTRY) instanceof EnumerablePropertySource<?> hiding
				&& Stream.of(hiding.getPropertyNames()).anyMatch(hiding::containsProperty);
	}

	public static boolean isTest(Environment environment) {
		return environment instanceof ConfigurableEnvironment configurable
				&& configurable.getPropertySources().stream().anyMatch(TestContextDetector::isOfTest);
	}

	private static boolean isOfTest(PropertySource<?> source) {
		return source instanceof EnumerablePropertySource<?> named
				&& Stream.of(named.getPropertyNames()).anyMatch((each) -> each.endsWith(BOOTSTRAPPER));
	}

}
