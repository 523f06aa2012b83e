package io.rpcboot.spring.test;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.client.RpcClient;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.reference.RpcReferenceOverrides;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.stereotype.Component;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mockingDetails;

class RpcReferenceOverrideTests {

	private static final String NAME = "rpcReference:io.rpcboot.spring.Greeter";

	@Nested
	@OverrideTest(Application.class)
	class ByType {

		@MockitoBean
		private Greeter mock;

		@Autowired
		private User user;

		@Autowired
		private RpcClient client;

		@Test
		void mock_replacesEveryVersion() {
			given(this.mock.greet("Ann")).willReturn("mocked");
			assertThat(this.user.plain.greet("Ann")).isEqualTo("mocked");
			assertThat(this.user.second.greet("Ann")).isEqualTo("mocked");
		}

		@Test
		void client_connectsNoReference() {
			assertThat(this.client.references()).isEmpty();
		}

	}

	@Nested
	@OverrideTest({ Application.class, PrimaryGreeter.class })
	@MockitoBean(types = Greeter.class)
	class ByTypeAtTheClass {

		@Autowired
		private User user;

		@Test
		void mock_replacesEveryVersion() {
			assertThat(mockingDetails(this.user.plain).isMock()).isTrue();
			assertThat(this.user.second).isSameAs(this.user.plain);
		}

	}

	@Nested
	@OverrideTest(HiddenApplication.class)
	class ByTypeWhereTheReferenceIsFoundLate {

		@MockitoBean
		private Greeter mock;

		@Test
		void mock_replacesReference(@Autowired @Qualifier("user") Object user) {
			assertThat(((User) user).plain).isSameAs(this.mock);
		}

	}

	@Nested
	@OverrideTest(Application.class)
	class ByName {

		@MockitoBean(name = NAME + ":2")
		private Greeter mock;

		@Autowired
		private User user;

		@Test
		void mock_replacesNamedReferenceOnly() {
			assertThat(this.user.second).isSameAs(this.mock);
			assertThat(this.user.plain).hasToString(NAME);
		}

	}

	@Nested
	@OverrideTest(Application.class)
	class ByAnnotation {

		@MockitoBean
		@RpcReference(version = "2")
		private Greeter mock;

		@Autowired
		private User user;

		@Test
		void mock_replacesAnnotatedReferenceOnly() {
			assertThat(this.user.second).isSameAs(this.mock);
			assertThat(this.user.plain).hasToString(NAME);
		}

	}

	@Nested
	@OverrideTest(Application.class)
	class Spy {

		@MockitoSpyBean
		@RpcReference
		private Greeter spy;

		@Autowired
		private User user;

		@Test
		void spy_wrapsReference() {
			willReturn("spied").given(this.spy).greet(anyString());
			assertThat(this.user.plain.greet("Ann")).isEqualTo("spied");
		}

	}

	@Nested
	@OverrideTest(Application.class)
	class WithTestBean {

		@TestBean
		private Greeter fake;

		@Autowired
		private User user;

		static Greeter fake() {
			return (name) -> "fake";
		}

		@Test
		void testBean_replacesEveryVersion() {
			assertThat(this.user.plain.greet("Ann")).isEqualTo("fake");
			assertThat(this.user.second.greet("Ann")).isEqualTo("fake");
		}

	}

	@Nested
	@OverrideTest(Application.class)
	@Import(Fakes.class)
	class PrimaryBeanOfTheTest {

		@Autowired
		private User user;

		@Test
		void primaryBean_replacesEveryVersion() {
			assertThat(this.user.plain.greet("Ann")).isEqualTo("primary");
			assertThat(this.user.second.greet("Ann")).isEqualTo("primary");
		}

	}

	@Nested
	@OverrideTest({ Application.class, PrimaryGreeter.class })
	class PrimaryBeanOfTheApplication {

		@Autowired
		private User user;

		@Test
		void primaryBean_replacesNoReference() {
			assertThat(this.user.plain).hasToString(NAME);
		}

	}

	@Nested
	@OverrideTest(Application.class)
	class TestClass {

		private final Greeter constructor;

		@RpcReference(version = "77")
		private Greeter field;

		@Autowired
		TestClass(@RpcReference(version = "78") Greeter constructor) {
			this.constructor = constructor;
		}

		@Test
		void references_areInjected_intoTestClass(@RpcReference(version = "79") Greeter parameter) {
			assertThat(this.field).hasToString(NAME + ":77");
			assertThat(this.constructor).hasToString(NAME + ":78");
			assertThat(parameter).hasToString(NAME + ":79");
		}

	}

	@Test
	void override_isRejected_whenReferenceIsUnused() {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> check(WithOtherAttributes.class))
			.withMessage("The test replaces " + NAME + ":2?timeout=1s, which the application does not use (expected: "
					+ NAME + " or " + NAME + ":2)")
			.satisfies(
					(ex) -> assertThat(ex.action()).isEqualTo("Leave @RpcReference out to replace every reference of "
							+ "io.rpcboot.spring.Greeter, or give it the attributes of the reference."));
		assertThatNoException().isThrownBy(() -> check(WithoutReference.class));
	}

	private static void check(Class<?> testClass) {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			new ReferenceOverrideContextCustomizerFactory().createContextCustomizer(testClass, List.of())
				.customizeContext(context, new MergedContextConfiguration(testClass, null, null, null, null));
			Objects.requireNonNull(RpcReferenceOverrides.of(context.getBeanFactory()))
				.check(Set.of(NAME, NAME + ":2", "rpcReference:java.util.List"));
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		User user() {
			return new User();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class HiddenApplication {

		@Bean
		Object user() {
			return new User();
		}

	}

	@Component
	@Primary
	static class PrimaryGreeter implements Greeter {

		@Override
		public String greet(String name) {
			return "local";
		}

	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Fakes {

		@Bean
		@Primary
		Greeter fake() {
			return (name) -> "primary";
		}

		@Bean
		Greeter other() {
			return (name) -> "other";
		}

	}

	static class WithOtherAttributes {

		@MockitoBean
		@RpcReference(version = "2", timeout = "1s")
		private Greeter mock;

	}

	static class WithoutReference {

		@MockitoBean
		@RpcReference(version = "2")
		private Runnable mock;

	}

	static class User {

		@RpcReference
		private Greeter plain;

		@RpcReference(version = "2")
		private Greeter second;

	}

}
