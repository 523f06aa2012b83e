package io.rpcboot.spring.validation;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.spring.RpcServiceCustomizer;
import io.rpcboot.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import jakarta.validation.Validator;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnResource;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of validation: arguments are validated before the implementation is
 * called, if the interface has constraints and the application has a {@code Validator}
 * with a provider. Spring MVC has a {@code Validator} without one.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = RpcServerAutoConfiguration.class,
		afterName = "org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration")
@ConditionalOnClass(Validator.class)
@ConditionalOnResource(resources = "classpath:META-INF/services/jakarta.validation.spi.ValidationProvider")
@ConditionalOnSwitch(value = "rpc.server.validation.enabled", byDefault = true)
public final class RpcValidationAutoConfiguration {

	// last, so that interceptors of the application run outside of it
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	RpcServiceCustomizer rpcValidationCustomizer(ObjectProvider<Validator> validators) {
		return (service, options) -> {
			Validator validator = validators.getIfUnique(() -> validators.orderedStream().findFirst().orElse(null));
			Constraints constraints = (validator != null && isSetUp(validator)) ? Constraints.of(service, validator)
					: null;
			if (constraints == null) {
				return options;
			}
			List<RpcServerInterceptor> all = new ArrayList<>(options.interceptors());
			all.add(constraints);
			return options.withInterceptors(all);
		};
	}

	/** Returns false for Spring MVC's validator if its provider did not start. */
	private static boolean isSetUp(Validator validator) {
		try {
			validator.getConstraintsForClass(Object.class);
			return true;
		}
		catch (IllegalStateException ex) {
			return false;
		}
	}

}
