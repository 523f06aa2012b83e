package io.rpcboot.spring.test;

import io.rpcboot.client.RpcClient;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

/** A fallback implements the interface of the reference that tests replace. */
class FallbackOverrideTests {

	@Nested
	@OverrideTest(Application.class)
	class NotReplaced {

		@Autowired
		private User user;

		@Test
		void reference_isInjectedAndFallsBack_withoutOverride() {
			assertThat(this.user.greeter).isNotInstanceOf(Spare.class)
				.hasToString("rpcReference:%s?fallback=%s".formatted(Greeter.class.getName(), Spare.class.getName()));
			assertThat(this.user.greeter.greet("Ann")).isEqualTo("Bye Ann");
		}

	}

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
		void mock_replacesReference() {
			given(this.mock.greet("Ann")).willReturn("mocked");
			assertThat(this.user.greeter.greet("Ann")).isEqualTo("mocked");
			assertThat(this.client.references()).isEmpty();
		}

	}

	@Nested
	@OverrideTest(ApplicationWithTwo.class)
	class ByTypeBesideTwoThatAreNoCandidates {

		@MockitoBean
		private Greeter mock;

		@Autowired
		private User user;

		@Test
		void mock_replacesReference() {
			assertThat(this.user.greeter).isSameAs(this.mock);
		}

	}

	@Nested
	@OverrideTest(Application.class)
	class TheFallback {

		@MockitoBean
		private Spare mock;

		@Autowired
		private User user;

		@Test
		void mock_answers_inPlaceOfFallback() {
			given(this.mock.greet("Ann")).willReturn("mocked");
			assertThat(this.user.greeter).isNotSameAs(this.mock);
			assertThat(this.user.greeter.greet("Ann")).isEqualTo("mocked");
		}

	}

	@Nested
	@OverrideTest(Application.class)
	class OneReference {

		@MockitoBean
		@RpcReference(fallback = Spare.class)
		private Greeter mock;

		@Autowired
		private User user;

		@Test
		void reference_isReplacedByMock() {
			assertThat(this.user.greeter).isSameAs(this.mock);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		User user() {
			return new User();
		}

		@Bean
		Spare spare() {
			return new Spare();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class ApplicationWithTwo {

		@Bean
		User user() {
			return new User();
		}

		@Bean(defaultCandidate = false)
		Spare spare() {
			return new Spare();
		}

		@Bean(defaultCandidate = false)
		Greeter other() {
			return (name) -> "other";
		}

	}

	static class User {

		@RpcReference(fallback = Spare.class)
		private Greeter greeter;

	}

	static class Spare implements Greeter {

		@Override
		public String greet(String name) {
			return "Bye " + name;
		}

	}

}
