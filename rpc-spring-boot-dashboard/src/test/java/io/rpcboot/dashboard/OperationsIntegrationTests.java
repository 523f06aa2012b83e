package io.rpcboot.dashboard;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/** The filter chain that the documentation of the operations has. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		classes = { ServedApplication.class, OperationsIntegrationTests.Security.class },
		properties = { "spring.main.web-application-type=servlet", "rpc.server.port=0",
				"management.endpoints.web.exposure.include=*", "management.endpoint.rpc.access=unrestricted" })
class OperationsIntegrationTests {

	@Autowired
	private ApplicationContext context;

	@Autowired
	private RpcServer server;

	@Autowired
	private List<AuditEvent> audited;

	private HttpResponse<String> offline(String user, String client) throws Exception {
		URI uri = Requests.uri(this.context, "local.server.port", "/actuator/rpc/offline");
		return Requests.post(uri, user, client);
	}

	@Test
	void offlineOperation_isRejected_withoutOperatorAndHeader() throws Exception {
		assertThat(offline("ops", null).statusCode()).as("as a form of another site would").isEqualTo(403);
		assertThat(offline(null, "console").statusCode()).isEqualTo(401);
		assertThat(offline("guest", "console").statusCode()).isEqualTo(403);
		assertThat(this.server.registeredLocation()).isNotEmpty();
		HttpResponse<String> done = offline("ops", "console");
		assertThat(done.statusCode()).isEqualTo(200);
		assertThat(done.body()).contains("OFFLINE").contains("requested by ops");
		assertThat(this.server.registeredLocation()).isEmpty();
		this.server.online("the test is over");
	}

	@Test
	void call_isRejected_withoutOperatorAndHeader() throws Exception {
		URI uri = Requests.uri(this.context, "local.server.port", "/actuator/rpc/invoke");
		String body = "{\"service\": \"Desk\", \"method\": \"sign\", \"arguments\": \"{\\\"names\\\": [\\\"Ann\\\"]}\"}";
		assertThat(Requests.post(uri, "ops", null, body).statusCode()).as("as a form of another site would")
			.isEqualTo(403);
		assertThat(Requests.post(uri, null, "console", body).statusCode()).isEqualTo(401);
		assertThat(Requests.post(uri, "guest", "console", body).statusCode()).isEqualTo(403);
		assertThat(this.audited).isEmpty();
		HttpResponse<String> done = Requests.post(uri, "ops", "console", body);
		assertThat(done.body()).contains("\"status\":\"OK\"").contains("\"value\":[\"Ann\"]");
		assertThat(done.statusCode()).isEqualTo(200);
		assertThat(this.audited).singleElement().satisfies((event) -> {
			assertThat(event.getPrincipal()).isEqualTo("ops");
			assertThat(event.getData()).containsEntry("status", "OK").doesNotContainKey("arguments");
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class Security {

		@Bean
		List<AuditEvent> audited() {
			return new CopyOnWriteArrayList<>();
		}

		@Bean
		ApplicationListener<AuditApplicationEvent> auditListener(List<AuditEvent> audited) {
			return (event) -> {
				if (event.getAuditEvent().getType().equals("RPC_INVOKE")) {
					audited.add(event.getAuditEvent());
				}
			};
		}

		@Bean
		SecurityFilterChain operators(HttpSecurity http) throws Exception {
			return http.securityMatcher(EndpointRequest.to("rpc", "rpcdashboard"))
				.authorizeHttpRequests((requests) -> requests.anyRequest().hasRole("OPERATOR"))
				.csrf((csrf) -> csrf.ignoringRequestMatchers((request) -> request.getHeader("X-Operator") != null))
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

}
