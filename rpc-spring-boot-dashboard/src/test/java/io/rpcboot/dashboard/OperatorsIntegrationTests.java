package io.rpcboot.dashboard;

import java.net.URI;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/** The filter chains that the documentation of the dashboard has. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		classes = { ServedApplication.class, OperatorsIntegrationTests.Security.class },
		properties = { "spring.main.web-application-type=servlet", "rpc.server.port=0",
				"management.endpoints.web.exposure.include=*" })
class OperatorsIntegrationTests {

	@Autowired
	private ApplicationContext context;

	private int status(String path, String user) throws Exception {
		URI uri = Requests.uri(this.context, "local.server.port", path);
		return Requests.status(uri, user);
	}

	@ParameterizedTest
	@CsvSource({ ", 401", "guest, 403", "ops, 200" })
	void pageAndData_areVisibleToOperatorsOnly(String user, int status) throws Exception {
		for (String path : List.of("/actuator/rpcdashboard", "/actuator/rpcdashboard/app.js", "/actuator/rpc",
				"/actuator/rpc/settings")) {
			assertThat(status(path, user)).as(path).isEqualTo(status);
		}
	}

	@Test
	void otherPaths_requireAuthentication() throws Exception {
		assertThat(status("/actuator/health", null)).isEqualTo(200);
		assertThat(status("/actuator/env", null)).isEqualTo(401);
		assertThat(status("/orders", null)).isEqualTo(401);
		assertThat(status("/orders", "guest")).isEqualTo(404);
	}

	@Test
	void operations_areRejected() throws Exception {
		URI uri = Requests.uri(this.context, "local.server.port", "/actuator/rpc/offline");
		assertThat(Requests.post(uri, "ops", "page").statusCode()).as("without a token").isIn(401, 403);
		assertThat(Requests.post(uri, null, "page").statusCode()).isIn(401, 403);
	}

	@Configuration(proxyBeanMethods = false)
	static class Security {

		@Bean
		@Order(1)
		SecurityFilterChain operators(HttpSecurity http) throws Exception {
			return http.securityMatcher(EndpointRequest.to("rpc", "rpcdashboard"))
				.authorizeHttpRequests((requests) -> requests.anyRequest().hasRole("OPERATOR"))
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		SecurityFilterChain others(HttpSecurity http) throws Exception {
			return http
				.authorizeHttpRequests((requests) -> requests.requestMatchers(EndpointRequest.to("health"))
					.permitAll()
					.anyRequest()
					.authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

}
