package io.rpcboot.spring.autoconfigure.server;

import java.util.UUID;

import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

import static org.assertj.core.api.Assertions.assertThat;

/** Services behind a scoped proxy, and those that nothing is injected with. */
class ScopedServicesTests {

	private final ApplicationContextRunner runner = Applications.inProcess().withBean(Caller.class);

	@Test
	void call_reachesCurrentBeanOfScope() {
		for (Class<?> configuration : new Class<?>[] { Method.class, Interfaces.class }) {
			this.runner.withUserConfiguration(configuration).run((context) -> {
				Greeter greeter = context.getBean(Caller.class).greeter;
				assertThat(greeter.greet("Ann")).startsWith("Ann, by ").isNotEqualTo(greeter.greet("Ann"));
			});
		}
	}

	@Test
	void nonAutowireCandidate_isOffered() {
		this.runner.withUserConfiguration(NotInjected.class)
			.run((context) -> assertThat(context.getBean(Caller.class).greeter.greet("Ann")).startsWith("Ann, by "));
	}

	static class Caller {

		@RpcReference
		private Greeter greeter;

	}

	static class NewGreeter implements Greeter {

		private final UUID id = UUID.randomUUID();

		@Override
		public String greet(String name) {
			return name + ", by " + this.id;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Method {

		@Bean
		@RpcService
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		NewGreeter greeter() {
			return new NewGreeter();
		}

	}

	@RpcService
	@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
	static class Interfaces extends NewGreeter {

	}

	@Configuration(proxyBeanMethods = false)
	static class NotInjected {

		@Bean(autowireCandidate = false)
		@RpcService
		NewGreeter greeter() {
			return new NewGreeter();
		}

	}

}
