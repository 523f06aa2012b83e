package io.rpcboot.spring.test;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Properties that a test overrides, and that override those of the application. */
final class TestProperties {

	private TestProperties() {
	}

	/**
	 * Adds properties. Settings of a test come before system properties, those of an
	 * application after.
	 */
	static void add(ConfigurableEnvironment environment, PropertySource<?> source) {
		MutablePropertySources sources = environment.getPropertySources();
		if (sources.contains(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME)) {
			sources.addBefore(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME, source);
		}
		else {
			sources.addLast(source);
		}
	}

}
