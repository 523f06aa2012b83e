package io.rpcboot.spring.autoconfigure.properties;

import org.springframework.core.env.Environment;

/**
 * Tests of Spring Boot, which have part of the application: what is set for the rest is
 * no mistake there.
 */
public final class TestContextDetector {

	/** Spring Boot sets it in the context of every test that it loads. */
	private static final String PROPERTY = "org.springframework.boot.test.context.SpringBootTestContextBootstrapper";

	private TestContextDetector() {
	}

	public static boolean isTest(Environment environment) {
		return environment.containsProperty(PROPERTY);
	}

}
