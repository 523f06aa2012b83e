package io.rpcboot.dashboard;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the dashboard, if there is a web server, Actuator exposes it, and
 * no profile for production is active.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = ManagementContextAutoConfiguration.class)
@ConditionalOnWebApplication
@Conditional(OnDashboardCondition.class)
@EnableConfigurationProperties(RpcDashboardProperties.class)
public final class RpcDashboardAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnAvailableEndpoint(endpoint = RpcDashboardEndpoint.class, exposure = EndpointExposure.WEB)
	@Order(1)
	static class Exposed {

		@Bean
		@ConditionalOnMissingBean
		RpcDashboardEndpoint rpcDashboardEndpoint(ObjectProvider<PathMappedEndpoints> paths) {
			return new RpcDashboardEndpoint(paths);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(RpcDashboardEndpoint.class)
	@Order(2)
	static class NotExposed {

		@Bean
		DashboardExposureHint rpcDashboardExposureHint(Environment environment) {
			return new DashboardExposureHint(environment);
		}

	}

}
