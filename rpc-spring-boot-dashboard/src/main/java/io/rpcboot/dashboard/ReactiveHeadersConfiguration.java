package io.rpcboot.dashboard;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.server.WebFilter;

/** Sets the dashboard's headers with WebFlux. */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBean(RpcDashboardEndpoint.class)
final class ReactiveHeadersConfiguration {

	@Bean
	WebFilter rpcDashboardHeaders(ObjectProvider<PathMappedEndpoints> paths) {
		DashboardHeaders headers = new DashboardHeaders(paths);
		return (exchange, chain) -> {
			headers.of(exchange.getRequest().getPath().pathWithinApplication().value())
				.forEach(exchange.getResponse().getHeaders()::set);
			return chain.filter(exchange);
		};
	}

}
