package io.rpcboot.spring.autoconfigure.environment;

import io.rpcboot.spring.autoconfigure.properties.ReloadableProperties;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of changes of properties at run time, with Spring Cloud.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RpcServerAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.cloud.context.environment.EnvironmentChangeEvent")
public final class RpcEnvironmentAutoConfiguration {

	@Bean
	EnvironmentChangeListener rpcEnvironmentChangeListener(ObjectProvider<ReloadableProperties<?>> reloadable) {
		return new EnvironmentChangeListener(reloadable);
	}

}
