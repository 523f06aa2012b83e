package io.rpcboot.spring.actuate.endpoint;

import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;

import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/** An operator changes settings of a running application. */
class SettingsOperationsIntegrationTests {

	private static final String UNRESTRICTED = "management.endpoint.rpc.access=unrestricted";

	private static final String ORIGIN = "operation settings of the endpoint rpc";

	private ConfigurableApplicationContext context;

	@AfterEach
	void close() {
		this.context.close();
	}

	private void start(String... properties) {
		this.context = new SpringApplicationBuilder(Application.class)
			.properties("server.port=0", "rpc.server.port=0", "management.endpoints.web.exposure.include=rpc",
					"management.endpoint.rpc.show-values=always", "rpc.client.references.greeting.timeout=9s",
					"secret.word=hunter2")
			.properties(properties)
			.run();
		this.context.getBean(Caller.class).greeter.greet("Ann");
	}

	private HttpResponse<String> send(String path, String body) throws IOException, InterruptedException {
		return EndpointRequests.send(this.context, "/actuator/rpc/" + path, body);
	}

	private JsonNode post(String property, String body, int status) throws IOException, InterruptedException {
		return EndpointRequests.body(
				send("settings/" + URLEncoder.encode(property, StandardCharsets.UTF_8).replace("+", "%20"), body),
				status);
	}

	private JsonNode shown(String property) throws IOException, InterruptedException {
		JsonNode all = JsonMapper.shared().readTree(send("settings", null).body()).at("/settings");
		return StreamSupport.stream(all.spliterator(), false)
			.filter((each) -> each.at("/property").asString().equals(property))
			.findFirst()
			.orElse(null);
	}

	private RpcClient client() {
		return this.context.getBean(RpcClient.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "rpc.test=x", "management.endpoint.rpc.access=read-only",
			"management.endpoints.access.max-permitted=read-only" })
	void change_isNotAllowed_withoutUnrestrictedAccess(String property) throws Exception {
		start(property);
		assertThat(send("settings/rpc.client.timeout", "{\"value\": \"1s\"}").statusCode()).isEqualTo(405);
		assertThat(client().info().timeout()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void timeout_isAppliedAndShown_andResetWithoutValue() throws Exception {
		start(UNRESTRICTED, "rpc.client.timeout=5s");
		JsonNode changed = post("rpc.client.timeout", "{\"value\": \"700ms\"}", 200);
		assertThat(changed.at("/property").asString()).isEqualTo("rpc.client.timeout");
		assertThat(changed.at("/value").asString()).isEqualTo("700ms");
		assertThat(changed.at("/origin").asString()).contains(ORIGIN);
		assertThat(changed.at("/next").isNull()).isTrue();
		assertThat(shown("rpc.client.timeout")).isEqualTo(changed);
		assertThat(client().info().timeout()).isEqualTo(Duration.ofMillis(700));
		JsonNode reset = post("rpc.client.timeout", "{}", 200);
		assertThat(reset.at("/value").asString()).isEqualTo("5s");
		assertThat(reset.at("/origin").asString()).doesNotContain(ORIGIN);
		assertThat(client().info().timeout()).isEqualTo(Duration.ofSeconds(5));
	}

	@ParameterizedTest
	@CsvSource({ "rpc.client.load-balancer, random, random", "rpc.client.waitForInstance, 500, 500ms",
			"rpc.client.retry.statuses, unavailable, unavailable", "rpc.client.ejection.slowness, 4, 4.0",
			"rpc.client.references[greeting].timeout, 1s, 1s",
			"rpc.client.references.greeting.methods.greet.timeout, 2s, 2s", "rpc.server.pool.max-threads, 7, 7",
			"rpc.server.weight, 7, 7" })
	void setting_isShownAsItIsInUse(String property, String value, String expected) throws Exception {
		start(UNRESTRICTED);
		JsonNode changed = post(property, "{\"value\": \"%s\"}".formatted(value), 200);
		assertThat(changed.at("/value").asString()).isEqualTo(expected);
		assertThat(changed.at("/origin").asString()).contains(ORIGIN);
		assertThat(shown(changed.at("/property").asString())).isEqualTo(changed);
	}

	@Test
	void policyOfReference_isShownAsItIsInUse() throws Exception {
		start(UNRESTRICTED);
		post("rpc.client.references.greeting.timeout", "{\"value\": \"1s\"}", 200);
		JsonNode policy = JsonMapper.shared()
			.readTree(send("references/" + Greeter.class.getName(), null).body())
			.at("/policies/0/values/timeout");
		assertThat(policy.at("/value").asString()).isEqualTo("1s");
		assertThat(policy.at("/origin").asString()).isEqualTo("rpc.client.references.greeting.timeout");
	}

	@ParameterizedTest
	@CsvSource({ "rpc.server.port, 1", "rpc.client.max-pending-calls, 5", "rpc.client.references.greeting.addresses, a",
			"rpc.client.timeot, 1s", "spring.application.name, x", "rpc, x", "rpc.client, x",
			"rpc.client.references, x", "a b, x" })
	void nameThatIsNotApplied_isRefused(String property, String value) throws Exception {
		start(UNRESTRICTED);
		assertThat(post(property, "{\"value\": \"%s\"}".formatted(value), 400).at("/problem").asString())
			.startsWith("property: ")
			.contains("(expected: rpc.server.weight, rpc.server.pool.max-threads");
		assertThat(this.context.getEnvironment().getProperty(property)).isNotEqualTo(value);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			value = { "rpc.client.timeout | 0 | rpc.client.timeout: PT0S (expected: a positive duration",
					"rpc.client.timeout | soon | rpc.client.timeout: 'soon' (expected: a duration such as 500ms or 3s)",
					"rpc.client.load-balancer | fastest | (expected: one of random, round-robin",
					"rpc.client.references.nobody.timeout | 1s | 'nobody' (expected: the name of a reference: greeting",
					"rpc.client.references.greeting.methods.gret.timeout | 1s | 'gret' (expected: a method of",
					"rpc.client.retry.max | 1 | rpc.client.retry.max: '1' (expected: a name of a property)",
					"rpc.server.weight | 0 | rpc.server.weight: 0 (expected: 1 to 10000)",
					"rpc.server.pool.max-threads | -1 | rpc.server.pool.max-threads: -1 (expected: 1 or more)" })
	void invalidValue_isRefused_andKeepsFormerOne(String property, String value, String problem) throws Exception {
		start(UNRESTRICTED, "rpc.client.allow-unknown-references=false");
		post("rpc.client.timeout", "{\"value\": \"4s\"}", 200);
		assertThat(post(property, "{\"value\": \"%s\"}".formatted(value), 400).at("/problem").asString())
			.contains(problem);
		assertThat(shown("rpc.client.timeout").at("/value").asString()).isEqualTo("4s");
		assertThat(client().info().timeout()).isEqualTo(Duration.ofSeconds(4));
		post("rpc.client.retry.max-attempts", "{\"value\": 2}", 200);
		assertThat(client().resilience().retry().maxAttempts()).isEqualTo(2);
	}

	/** An operator of this application may not read its other properties. */
	@ParameterizedTest
	@ValueSource(strings = { "${secret.word}", "x${secret.word:}", "$${secret.word}", "#{environment['secret.word']}" })
	void placeholder_doesNotShowOtherProperty(String value) throws Exception {
		start(UNRESTRICTED);
		JsonNode problem = post("rpc.client.timeout", "{\"value\": \"%s\"}".formatted(value), 400);
		assertThat(problem.toString()).doesNotContain("hunter2");
		assertThat(client().info().timeout()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void controlCharacters_areCleaned() throws Exception {
		start(UNRESTRICTED);
		String problem = post("rpc.client.timeout", "{\"value\": \"1\\nFAKE LINE\"}", 400).at("/problem").asString();
		assertThat(problem).doesNotContain("\n");
	}

	@Test
	void otherList_isRefused() throws Exception {
		start(UNRESTRICTED);
		assertThat(send("services/rpc.client.timeout", "{\"value\": \"1s\"}").statusCode()).isEqualTo(400);
	}

	/** A weight that an operation has set, and one of a file that comes later. */
	@Test
	void weightOfOperation_isShownAsItIsInUse() throws Exception {
		start(UNRESTRICTED, "rpc.server.weight=30");
		assertThat(send("weight", "{\"weight\": 50}").statusCode()).isEqualTo(200);
		JsonNode weight = shown("rpc.server.weight");
		assertThat(weight.at("/value").asString()).isEqualTo("50");
		assertThat(weight.at("/origin").asString()).isEqualTo("operation weight or a customizer");
		event("rpc.server.weight", "60");
		assertThat(shown("rpc.server.weight").at("/value").asString()).isEqualTo("60");
		assertThat(shown("rpc.server.weight").at("/origin").asString()).contains("later");
		assertThat(this.context.getBean(RpcServer.class).presence().weight()).isEqualTo(60);
	}

	private void event(String property, String value) {
		this.context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("later", Map.of(property, value)));
		this.context.publishEvent(new EnvironmentChangeEvent(this.context, Set.of(property)));
	}

	@Test
	void refusedValue_isShownAsNext() throws Exception {
		start(UNRESTRICTED);
		event("rpc.client.timeout", "soon");
		JsonNode timeout = shown("rpc.client.timeout");
		assertThat(timeout.at("/value").asString()).isEqualTo("3s");
		assertThat(timeout.at("/next/value").asString()).isEqualTo("soon");
		assertThat(send("settings/rpc.client.retry.budget", "{\"value\": 0}").body()).contains("soon");
		event("rpc.client.timeout", "6s");
		assertThat(shown("rpc.client.timeout").at("/value").asString()).isEqualTo("6s");
		assertThat(shown("rpc.client.timeout").at("/next").isNull()).isTrue();
		assertThat(shown("rpc.client.timeout").at("/origin").asString()).contains("later");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ GreeterService.class, Caller.class })
	static class Application {

	}

	@RpcService
	static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			return "Hello " + name;
		}

	}

	static class Caller {

		@RpcReference(name = "greeting")
		private Greeter greeter;

	}

}
