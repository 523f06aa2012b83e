package io.rpcboot.spring.autoconfigure.properties;

import java.util.stream.Stream;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;

/**
 * Detects tests of Spring Boot. They contain part of the application, so settings of the
 * rest are no mistake.
 *
 * @since 0.1.0
 */
public final class TestContextDetector {

	/** Property that Spring Boot sets in the context of every test. */
	private static final String PROPERTY = "org.springframework.boot.test.context.SpringBootTestContextBootstrapper";

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
		return environment.containsProperty(PROPERTY);
	}

}
