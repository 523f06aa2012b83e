package io.rpcboot.spring.test;

import io.rpcboot.client.RpcClient;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willReturn;

class RpcReferenceOverrideTests {

	private static final String NAME = "rpcReference:io.rpcboot.spring.Greeter";

	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
	class ByType {

		@MockitoBean
		private Greeter mock;

		@Autowired
		private User user;

		@Autowired
		private RpcClient client;

		@Test
		void replacesEveryVersion() {
			given(this.mock.greet("Ann")).willReturn("mocked");
			assertThat(this.user.plain.greet("Ann")).isEqualTo("mocked");
			assertThat(this.user.second.greet("Ann")).isEqualTo("mocked");
		}

		@Test
		void connectsNothing() {
			assertThat(this.client.references()).isEmpty();
		}

	}

	@Nested
	@SpringBootTest(classes = HiddenApplication.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
	class ByTypeWhereTheReferenceIsFoundLate {

		@MockitoBean
		private Greeter mock;

		@Test
		void replacesIt(@Autowired @Qualifier("user") Object user) {
			assertThat(((User) user).plain).isSameAs(this.mock);
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
	class ByName {

		@MockitoBean(name = NAME + ":2")
		private Greeter mock;

		@Autowired
		private User user;

		@Test
		void replacesOne() {
			assertThat(this.user.second).isSameAs(this.mock);
			assertThat(this.user.plain).hasToString(NAME);
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
	class ByAnnotation {

		@MockitoBean
		@RpcReference(version = "2")
		private Greeter mock;

		@Autowired
		private User user;

		@Test
		void replacesOne() {
			assertThat(this.user.second).isSameAs(this.mock);
			assertThat(this.user.plain).hasToString(NAME);
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
	class Spy {

		@MockitoSpyBean
		@RpcReference
		private Greeter spy;

		@Autowired
		private User user;

		@Test
		void wrapsOne() {
			willReturn("spied").given(this.spy).greet(anyString());
			assertThat(this.user.plain.greet("Ann")).isEqualTo("spied");
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
	class WithTestBean {

		@TestBean
		private Greeter fake;

		@Autowired
		private User user;

		static Greeter fake() {
			return (name) -> "fake";
		}

		@Test
		void replacesEveryVersion() {
			assertThat(this.user.plain.greet("Ann")).isEqualTo("fake");
			assertThat(this.user.second.greet("Ann")).isEqualTo("fake");
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
	class TestClass {

		private final Greeter constructor;

		@RpcReference(version = "77")
		private Greeter field;

		@Autowired
		TestClass(@RpcReference(version = "78") Greeter constructor) {
			this.constructor = constructor;
		}

		@Test
		void isInjected(@RpcReference(version = "79") Greeter parameter) {
			assertThat(this.field).hasToString(NAME + ":77");
			assertThat(this.constructor).hasToString(NAME + ":78");
			assertThat(parameter).hasToString(NAME + ":79");
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

	static class User {

		@RpcReference
		private Greeter plain;

		@RpcReference(version = "2")
		private Greeter second;

	}

}
