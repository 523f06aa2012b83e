package io.rpcboot.spring.test;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.support.TestPropertySourceUtils;

import static org.assertj.core.api.Assertions.assertThat;

class RandomPortTests {

	@Test
	void randomPort_replacesPortOfApplication() {
		assertThat(port(Plain.class, null)).isEqualTo("0");
		assertThat(port(Unannotated.class, null)).isEqualTo("0");
	}

	@Test
	void testProperty_overridesRandomPort() {
		assertThat(port(Plain.class, "rpc.server.port=7777")).isEqualTo("7777");
	}

	@Test
	void definedPort_keepsPortOfApplication() {
		assertThat(port(Defined.class, null)).isEqualTo("9999");
		assertThat(port(Defined.Inner.class, null)).isEqualTo("9999");
	}

	@Test
	void tests_shareContext() {
		assertThat(customizer(Plain.class)).isEqualTo(customizer(Unannotated.class));
	}

	private static ContextCustomizer customizer(Class<?> testClass) {
		return new RandomPortContextCustomizerFactory().createContextCustomizer(testClass, List.of());
	}

	private static String port(Class<?> testClass, String ofTheTest) {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.getEnvironment()
				.getPropertySources()
				.addLast(new MapPropertySource("application.properties", Map.of("rpc.server.port", 9999)));
			if (ofTheTest != null) {
				TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, ofTheTest);
			}
			ContextCustomizer customizer = customizer(testClass);
			if (customizer != null) {
				customizer.customizeContext(context, new MergedContextConfiguration(testClass, null, null, null, null));
			}
			return context.getEnvironment().getProperty("rpc.server.port");
		}
	}

	@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
	static class Plain {

	}

	static class Unannotated {

	}

	@SpringBootTest(webEnvironment = WebEnvironment.DEFINED_PORT)
	static class Defined {

		class Inner {

		}

	}

}
