package io.rpcboot.dashboard;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.rpcboot.dashboard.ServedApplication.Caller;
import io.rpcboot.dashboard.ServedApplication.Desk;
import io.rpcboot.dashboard.ServedApplication.PlainPasswords;
import io.rpcboot.dashboard.ServedApplication.ServletUsers;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.actuate.endpoint.RpcEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests the paths of the page and its data on both kinds of web server, and Spring
 * Security in front of them.
 */
class DashboardServingIntegrationTests {

	private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"#]+)\"");

	private static final Pattern IMPORT = Pattern.compile("from '(\\./[^']+)'");

	private static final Pattern DATA = Pattern.compile("data-endpoint=\"([^\"]*)\"");

	private static final String[] COMMON = { "spring.application.name=shop", "server.port=0", "rpc.server.port=0",
			"rpc.server.bind-address=127.0.0.1", "management.endpoints.web.exposure.include=rpc,rpcdashboard",
			"management.endpoint.rpc.show-values=when-authorized", "management.endpoint.rpc.roles=OPERATOR",
			"spring.main.banner-mode=off", "logging.level.root=warn",
			// for WebFlux there would be two web servers on this class path
			"spring.autoconfigure.exclude=org.springframework.boot.tomcat.autoconfigure.actuate.web.server.TomcatReactiveManagementContextAutoConfiguration" };

	@Test
	void dashboard_isServed_atActuatorPath() throws Exception {
		try (ConfigurableApplicationContext context = start(WebApplicationType.SERVLET)) {
			assertDashboard(context, "local.server.port", "/actuator/rpcdashboard");
			assertDashboard(context, "local.server.port", "/actuator/rpcdashboard/");
			URI page = Requests.uri(context, "local.server.port", "/actuator/rpcdashboard");
			assertGuarded(page);
			for (String absent : List.of("/nothing.js", "/page.html", "/views", "/..%5Cpage.html", "/chart.cjs")) {
				assertThat(Requests.status(URI.create(page + absent), "ops")).as(absent).isBetween(400, 404);
			}
			assertThat(Requests.send(Requests.uri(context, "local.server.port", "/actuator/rpc"), "ops")
				.headers()
				.firstValue("Content-Security-Policy")).as("the headers of other endpoints").isEmpty();
		}
	}

	@Test
	void otherEndpoints_answer_withoutExposedDashboard() throws Exception {
		try (ConfigurableApplicationContext context = start(WebApplicationType.SERVLET,
				"management.endpoints.web.exposure.include=rpc", "spring.jmx.enabled=true",
				"management.endpoints.jmx.exposure.include=*")) {
			URI root = Requests.uri(context, "local.server.port", "/actuator/");
			assertThat(Requests.status(root.resolve("rpc"), "ops")).isEqualTo(200);
			assertThat(Requests.status(root.resolve("rpcdashboard"), "ops")).isEqualTo(404);
		}
	}

	@Test
	void dashboard_isServed_belowContextServletAndMappedPaths() throws Exception {
		try (ConfigurableApplicationContext context = start(WebApplicationType.SERVLET,
				"server.servlet.context-path=/shop", "spring.mvc.servlet.path=/api",
				"management.endpoints.web.base-path=/manage",
				"management.endpoints.web.path-mapping.rpcdashboard=see/calls",
				"management.endpoints.web.path-mapping.rpc=data/rpc")) {
			assertDashboard(context, "local.server.port", "/shop/api/manage/see/calls");
		}
	}

	@Test
	void dashboard_isServed_belowWebFluxBasePath() throws Exception {
		try (ConfigurableApplicationContext context = start(WebApplicationType.REACTIVE,
				"spring.webflux.base-path=/shop", "management.endpoints.web.base-path=/",
				"management.endpoints.web.path-mapping.rpcdashboard=see/calls")) {
			assertDashboard(context, "local.server.port", "/shop/see/calls");
			assertDashboard(context, "local.server.port", "/shop/see/calls/");
			assertGuarded(Requests.uri(context, "local.server.port", "/shop/see/calls"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "SERVLET", "REACTIVE" })
	void dashboard_isServed_onlyAtManagementPort(WebApplicationType type) throws Exception {
		try (ConfigurableApplicationContext context = start(type, "management.server.port=0",
				"management.server.base-path=/admin")) {
			assertDashboard(context, "local.management.port", "/admin/actuator/rpcdashboard");
			for (String path : List.of("/actuator/rpcdashboard", "/actuator/rpc", "/admin/actuator/rpc")) {
				assertThat(Requests.status(Requests.uri(context, "local.server.port", path), "ops")).as(path)
					.isEqualTo(404);
			}
		}
	}

	@Test
	void dashboards_showTheirOwnApplication_inOneProcess() throws Exception {
		try (ConfigurableApplicationContext one = start(WebApplicationType.SERVLET);
				ConfigurableApplicationContext other = start(WebApplicationType.REACTIVE)) {
			for (ConfigurableApplicationContext each : List.of(one, other, one)) {
				assertDashboard(each, "local.server.port", "/actuator/rpcdashboard");
				assertThat(Requests.json(Requests.uri(each, "local.server.port", "/actuator/rpc"), "ops")
					.at("/server/port")
					.asInt()).isEqualTo(each.getBean(RpcServer.class).port());
			}
		}
	}

	@Test
	void dashboard_showsServicesOfParentContext() throws Exception {
		try (ConfigurableApplicationContext parent = start(WebApplicationType.NONE);
				ConfigurableApplicationContext child = new SpringApplicationBuilder(Child.class).parent(parent)
					.web(WebApplicationType.SERVLET)
					.properties(COMMON)
					.run()) {
			assertThat(child.getBeansOfType(RpcServer.class)).as("a server of its own").isEmpty();
			assertDashboard(child, "local.server.port", "/actuator/rpcdashboard");
		}
	}

	@Test
	void endpoint_showsVersionOfJar() throws Exception {
		String source = RpcEndpoint.class.getProtectionDomain().getCodeSource().getLocation().getPath();
		assumeThat(source).endsWith(".jar");
		try (ConfigurableApplicationContext context = start(WebApplicationType.SERVLET)) {
			URI summary = Requests.uri(context, "local.server.port", "/actuator/rpc");
			String version = Requests.json(summary, "ops").at("/version").asString();
			assertThat(source).endsWith("-" + version + ".jar");
		}
	}

	private void assertGuarded(URI page) throws Exception {
		assertThat(Requests.status(page, null)).isEqualTo(401);
		assertThat(Requests.status(URI.create(page + "/app.js"), null)).isEqualTo(401);
	}

	private void assertDashboard(ConfigurableApplicationContext context, String port, String path) throws Exception {
		URI page = Requests.uri(context, port, path);
		HttpResponse<String> response = get(page);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
		List<String> links = all(LINK, response.body()).toList();
		assertThat(links).hasSizeGreaterThan(4);
		Set<URI> modules = new LinkedHashSet<>();
		for (String link : links) {
			HttpResponse<String> file = get(page.resolve(link));
			assertThat(file.headers().firstValue("Content-Type")).as(link).get().asString().endsWith("charset=UTF-8");
			all(IMPORT, file.body()).map(page.resolve(link)::resolve).forEach(modules::add);
		}
		for (URI module : modules) {
			get(module);
		}
		String data = all(DATA, response.body()).findFirst().orElseThrow();
		assertData(page.resolve(data), context);
	}

	private static void assertData(URI rpc, ConfigurableApplicationContext context) throws Exception {
		Caller caller = context.getBean(Caller.class);
		assertThat(caller.desk.sign(new String[] { "Ann" })).containsExactly("Ann");
		JsonNode summary = Requests.json(rpc, "ops");
		assertThat(summary.at("/application").asString()).isEqualTo("shop");
		assertThat(summary.at("/references/0/ready").asBoolean()).isTrue();
		assertThat(Requests.status(rpc, null)).isEqualTo(401);
		String port = summary.at("/server/port").asString();
		String service = "ServedApplication%24Desk";
		for (String path : List.of("/services/", "/references/")) {
			assertThat(Requests.json(URI.create(rpc + path + "io.rpcboot.dashboard." + service), "ops")
				.at("/service")
				.asString()).as(path).isEqualTo(Desk.class.getName());
		}
		JsonNode method = Requests.json(
				URI.create(
						rpc + "/methods/server/io.rpcboot.dashboard." + service + "/sign%28java.lang.String%5B%5D%29"),
				"ops");
		assertThat(method.at("/stats/service").asString()).isEqualTo(Desk.class.getName());
		URI connection = URI.create(rpc + "/connections/client/127.0.0.1%3A" + port);
		assertThat(Requests.json(connection, "ops").at("/connections").size()).isOne();
		assertThat(Requests.json(URI.create(rpc + "/history?since=0"), "ops").at("/stepMillis").asInt()).isPositive();
		for (String absent : List.of("/nothing", "/services/nothing", "/connections/client/nothing")) {
			assertThat(Requests.status(URI.create(rpc + absent), "ops")).as(absent).isEqualTo(404);
		}
		URI settings = URI.create(rpc + "/settings");
		assertThat(Requests.status(settings, null)).isEqualTo(401);
		assertThat(Requests.send(settings, "ops").body()).contains("127.0.0.1").doesNotContain("******");
		assertThat(Requests.send(settings, "guest").body()).doesNotContain("127.0.0.1").contains("******");
	}

	private static Stream<String> all(Pattern pattern, String text) {
		return pattern.matcher(text).results().map((MatchResult result) -> result.group(1));
	}

	private HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
		HttpResponse<String> response = Requests.send(uri, "ops");
		assertThat(response.statusCode()).as("%s", uri).isEqualTo(200);
		assertThat(response.headers().allValues("Content-Security-Policy")).as("%s", uri)
			.containsExactly(DashboardHeaders.CONTENT_SECURITY_POLICY);
		assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
		return response;
	}

	private static ConfigurableApplicationContext start(WebApplicationType type, String... properties) {
		return new SpringApplicationBuilder(ServedApplication.class).web(type)
			.properties(COMMON)
			.properties(properties)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ ServletUsers.class, PlainPasswords.class })
	static class Child {

	}

}
