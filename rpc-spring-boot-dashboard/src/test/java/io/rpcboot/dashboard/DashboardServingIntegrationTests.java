package io.rpcboot.dashboard;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** Where the page is, on both kinds of web server; Spring Security guards it in all. */
class DashboardServingIntegrationTests {

	private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"#]+)\"");

	private static final Pattern IMPORT = Pattern.compile("from '(\\./[^']+)'");

	private static final Pattern DATA = Pattern.compile("data-endpoint=\"([^\"]*)\"");

	private static final String[] COMMON = { "server.port=0",
			"management.endpoints.web.exposure.include=rpc,rpcdashboard", "spring.security.user.name=ops",
			"spring.security.user.password=secret", "spring.main.banner-mode=off", "logging.level.root=warn",
			// for WebFlux there would be two web servers on this class path
			"spring.autoconfigure.exclude=org.springframework.boot.tomcat.autoconfigure.actuate.web.server.TomcatReactiveManagementContextAutoConfiguration" };

	private final HttpClient http = HttpClient.newHttpClient();

	@Test
	void besideTheOtherEndpoints() throws Exception {
		try (ConfigurableApplicationContext context = start(WebApplicationType.SERVLET)) {
			assertDashboard(context, "local.server.port", "/actuator/rpcdashboard");
			assertDashboard(context, "local.server.port", "/actuator/rpcdashboard/");
			URI page = uri(context, "local.server.port", "/actuator/rpcdashboard");
			assertGuarded(page);
			for (String absent : List.of("/nothing.js", "/page.html", "/views", "/..%5Cpage.html", "/chart.cjs")) {
				assertThat(send(URI.create(page + absent), true).statusCode()).as(absent).isBetween(400, 404);
			}
			assertThat(send(uri(context, "local.server.port", "/actuator/rpc"), true).headers()
				.firstValue("Content-Security-Policy")).as("the headers of other endpoints").isEmpty();
		}
	}

	@Test
	void contextPathServletPathBasePathAndMappedPaths() throws Exception {
		try (ConfigurableApplicationContext context = start(WebApplicationType.SERVLET,
				"server.servlet.context-path=/shop", "spring.mvc.servlet.path=/api",
				"management.endpoints.web.base-path=/manage",
				"management.endpoints.web.path-mapping.rpcdashboard=see/calls",
				"management.endpoints.web.path-mapping.rpc=data/rpc")) {
			assertDashboard(context, "local.server.port", "/shop/api/manage/see/calls");
		}
	}

	@Test
	void basePathsOfWebFlux() throws Exception {
		try (ConfigurableApplicationContext context = start(WebApplicationType.REACTIVE,
				"spring.webflux.base-path=/shop", "management.endpoints.web.base-path=/",
				"management.endpoints.web.path-mapping.rpcdashboard=see/calls")) {
			assertDashboard(context, "local.server.port", "/shop/see/calls");
			assertDashboard(context, "local.server.port", "/shop/see/calls/");
			assertGuarded(uri(context, "local.server.port", "/shop/see/calls"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "SERVLET", "REACTIVE" })
	void managementPortOfItsOwn(WebApplicationType type) throws Exception {
		try (ConfigurableApplicationContext context = start(type, "management.server.port=0",
				"management.server.base-path=/admin")) {
			assertDashboard(context, "local.management.port", "/admin/actuator/rpcdashboard");
			assertThat(send(uri(context, "local.server.port", "/actuator/rpcdashboard"), true).statusCode())
				.isEqualTo(404);
		}
	}

	private void assertGuarded(URI page) throws Exception {
		assertThat(send(page, false).statusCode()).isEqualTo(401);
		assertThat(send(URI.create(page + "/app.js"), false).statusCode()).isEqualTo(401);
	}

	private void assertDashboard(ConfigurableApplicationContext context, String port, String path) throws Exception {
		URI page = uri(context, port, path);
		HttpResponse<String> response = get(page);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
		List<String> links = all(LINK, response.body()).toList();
		assertThat(links).hasSizeGreaterThan(4);
		for (String link : links) {
			HttpResponse<String> file = get(page.resolve(link));
			assertThat(file.headers().firstValue("Content-Type")).as(link).get().asString().endsWith("charset=UTF-8");
			for (String module : all(IMPORT, file.body()).toList()) {
				get(page.resolve(link).resolve(module));
			}
		}
		String data = all(DATA, response.body()).findFirst().orElseThrow();
		assertThat(send(page.resolve(data), true).statusCode()).isEqualTo(200);
	}

	private static Stream<String> all(Pattern pattern, String text) {
		return pattern.matcher(text).results().map((MatchResult result) -> result.group(1));
	}

	private HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
		HttpResponse<String> response = send(uri, true);
		assertThat(response.statusCode()).as("%s", uri).isEqualTo(200);
		assertThat(response.headers().allValues("Content-Security-Policy")).as("%s", uri)
			.containsExactly(DashboardHeaders.CONTENT_SECURITY_POLICY);
		assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
		return response;
	}

	private HttpResponse<String> send(URI uri, boolean asOperator) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(uri);
		if (asOperator) {
			request.header("Authorization",
					"Basic " + Base64.getEncoder().encodeToString("ops:secret".getBytes(StandardCharsets.US_ASCII)));
		}
		return this.http.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	private static URI uri(ConfigurableApplicationContext context, String port, String path) {
		return URI.create("http://localhost:" + context.getEnvironment().getRequiredProperty(port) + path);
	}

	private static ConfigurableApplicationContext start(WebApplicationType type, String... properties) {
		return new SpringApplicationBuilder(Application.class).web(type)
			.properties(COMMON)
			.properties(properties)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
