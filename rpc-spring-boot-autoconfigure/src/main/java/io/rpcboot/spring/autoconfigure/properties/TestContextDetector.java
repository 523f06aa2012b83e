package io.rpcboot.spring.autoconfigure.properties;

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

	private TestContextDetector() {
	}

	public static boolean isTest(Environment environment) {
		return environment.containsProperty(PROPERTY);
	}

}
