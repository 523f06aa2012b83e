package io.rpcboot.dashboard;

import java.io.IOException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.filter.OncePerRequestFilter;

/** Sets the dashboard's headers in a servlet container. */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(RpcDashboardEndpoint.class)
final class ServletHeadersConfiguration {

	@Bean
	FilterRegistrationBean<OncePerRequestFilter> rpcDashboardHeaders(ObjectProvider<PathMappedEndpoints> paths) {
		return new FilterRegistrationBean<>(new HeadersFilter(new DashboardHeaders(paths)));
	}

	private static final class HeadersFilter extends OncePerRequestFilter {

		private final DashboardHeaders headers;

		HeadersFilter(DashboardHeaders headers) {
			this.headers = headers;
		}

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			String belowServlet = request.getPathInfo();
			this.headers.of((belowServlet != null) ? belowServlet : request.getServletPath())
				.forEach(response::setHeader);
			chain.doFilter(request, response);
		}

	}

}
