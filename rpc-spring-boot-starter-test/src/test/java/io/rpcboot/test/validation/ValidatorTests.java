package io.rpcboot.test.validation;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.spring.RpcServiceCustomizer;
import io.rpcboot.spring.validation.RpcValidationAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.validation.beanvalidation.LocalValidatorFactoryBean;
import org.springframework.validation.beanvalidation.OptionalValidatorFactoryBean;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the choice of validators. */
class ValidatorTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RpcValidationAutoConfiguration.class));

	private static ServiceOptions customized(RpcServiceCustomizer customizer) {
		return customizer.customize(ServiceDescriptor.of(Orders.class), ServiceOptions.defaults());
	}

	@Test
	void workingValidator_addsInterceptor() {
		this.runner.withBean(LocalValidatorFactoryBean.class)
			.run((context) -> assertThat(customized(context.getBean(RpcServiceCustomizer.class)).interceptors())
				.hasSize(1));
	}

	/** As Spring MVC has it where the provider lacks a library of its own. */
	@Test
	void context_starts_whenValidatorHasNoProvider() {
		this.runner.withBean(Idle.class)
			.run((context) -> assertThat(customized(context.getBean(RpcServiceCustomizer.class)).interceptors())
				.isEmpty());
	}

	static class Idle extends OptionalValidatorFactoryBean {

		@Override
		public void afterPropertiesSet() {
			// whatever is wrong with the provider is swallowed here
		}

	}

}
