package io.rpcboot.spring.actuate.endpoint;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.function.Consumer;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
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

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Profile;

import static org.assertj.core.api.Assertions.assertThat;

/** An operator takes the server of a running application out and back. */
class ServerOperationsIntegrationTests {

	private static final String UNRESTRICTED = "management.endpoint.rpc.access=unrestricted";

	private ConfigurableApplicationContext context;

	@AfterEach
	void close() {
		this.context.close();
	}

	private void start(String... properties) {
		this.context = new SpringApplicationBuilder(Application.class)
			.properties("server.port=0", "rpc.server.port=0", "management.endpoints.web.exposure.include=health,rpc",
					"management.endpoint.health.show-details=always", "management.endpoint.health.probes.enabled=true",
					"management.endpoint.health.group.readiness.include=readinessState,rpc")
			.properties(properties)
			.run();
	}

	private HttpResponse<String> send(String path, String body) throws IOException, InterruptedException {
		return EndpointRequests.send(this.context, path, body);
	}

	private JsonNode post(String operation, String body, int status) throws IOException, InterruptedException {
		return EndpointRequests.body(send("/actuator/rpc/" + operation, body), status);
	}

	private JsonNode get(String path, int status) throws IOException, InterruptedException {
		return EndpointRequests.body(send(path, null), status);
	}

	/** Whoever has exposed the endpoint to look at it has not asked for this. */
	@ParameterizedTest
	@ValueSource(strings = { "rpc.test=x", "management.endpoint.rpc.access=read-only",
			"management.endpoints.access.max-permitted=read-only" })
	void operations_areNotAllowed_withoutUnrestrictedAccess(String property) throws Exception {
		start(property);
		assertThat(send("/actuator/rpc/offline", "{}").statusCode()).isEqualTo(405);
		assertThat(this.context.getBean(RpcServer.class).registeredLocation()).isNotEmpty();
		get("/actuator/rpc", 200);
	}

	@Test
	void server_leavesRegistryAndReturns_afterOfflineAndOnline() throws Exception {
		start(UNRESTRICTED);
		RpcServer server = this.context.getBean(RpcServer.class);
		Caller caller = this.context.getBean(Caller.class);
		assertThat(caller.greeter.greet("Ann")).isEqualTo("Hello Ann");
		JsonNode offline = post("offline", "{}", 200);
		assertThat(offline.at("/state").asString()).isEqualTo("OFFLINE");
		assertThat(offline.at("/reason").asString()).isEqualTo("requested over HTTP");
		assertThat(offline.at("/since").asLong()).isPositive();
		assertThat(offline.at("/location").asString()).isEmpty();
		assertThat(server.registeredLocation()).isEmpty();
		JsonNode shown = get("/actuator/rpc", 200).at("/server");
		assertThat(shown.at("/state").asString()).isEqualTo("OFFLINE");
		assertThat(shown.at("/reason").asString()).isEqualTo("requested over HTTP");
		assertThat(shown.at("/since").asLong()).isEqualTo(offline.at("/since").asLong());
		assertThat(get("/actuator/health/rpc", 200).at("/details/server/state").asString()).isEqualTo("OFFLINE");
		assertThat(get("/actuator/health", 200).at("/status").asString()).isEqualTo("DEGRADED");
		get("/actuator/health/readiness", 503);
		get("/actuator/health/liveness", 200);
		JsonNode online = post("online", "{}", 200);
		assertThat(online.at("/state").asString()).isEqualTo("ACCEPTING");
		assertThat(server.registeredLocation()).isNotEmpty();
		assertThat(get("/actuator/rpc", 200).at("/server/reason").isNull()).isTrue();
		assertThat(caller.greeter.greet("Ann")).isEqualTo("Hello Ann");
		get("/actuator/health/readiness", 200);
	}

	@Test
	void server_drainsAndAcceptsAgain_afterDrainAndOnline() throws Exception {
		start(UNRESTRICTED);
		Caller caller = this.context.getBean(Caller.class);
		assertThat(caller.greeter.greet("Ann")).isEqualTo("Hello Ann");
		assertThat(post("drain", "{}", 200).at("/state").asString()).isEqualTo("DRAINED");
		assertThat(get("/actuator/rpc", 200).at("/server/state").asString()).isEqualTo("DRAINED");
		get("/actuator/health/liveness", 200);
		assertThat(post("online", "{}", 200).at("/state").asString()).isEqualTo("ACCEPTING");
		assertThat(caller.greeter.greet("Ann")).isEqualTo("Hello Ann");
	}

	@Test
	void serverWeight_changes_afterWeightOperation() throws Exception {
		start(UNRESTRICTED);
		assertThat(post("weight", "{\"weight\": 50}", 200).at("/weight").asInt()).isEqualTo(50);
		assertThat(post("weight", "{\"weight\": \"51\"}", 200).at("/weight").asInt()).isEqualTo(51);
		assertThat(get("/actuator/rpc", 200).at("/server/weight").asInt()).isEqualTo(51);
		assertThat(this.context.getBean(RpcServer.class).presence().weight()).isEqualTo(51);
	}

	@Test
	void invalidOperation_isRejectedWithReason() throws Exception {
		start(UNRESTRICTED);
		for (String wrong : new String[] { "{}", "{\"weight\": 0}", "{\"weight\": 10001}", "{\"weight\": \"x\"}",
				"{\"weight\": 1.5}" }) {
			assertThat(post("weight", wrong, 400).at("/problem").asString()).as(wrong)
				.contains("(expected: 1 to 10000");
		}
		assertThat(post("restart", "{}", 400).at("/problem").asString())
			.isEqualTo("operation: restart (expected: offline, online, drain or weight; over HTTP also invoke)");
		assertThat(post("offline", "{\"weight\": 5}", 400).at("/problem").asString())
			.isEqualTo("weight: 5 (expected: none with offline)");
		assertThat(this.context.getBean(RpcServer.class).registeredLocation()).isNotEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "offline, {}", "weight, {\"weight\": 5}" })
	void registryOperations_areRejected_whenRegistryTakesNoRegistrations(String operation, String body)
			throws Exception {
		start(UNRESTRICTED, "spring.profiles.active=foreign", "spring.application.name=shop");
		assertThat(post(operation, body, 409).at("/problem").asString()).contains("not registered here")
			.contains("(expected: a registry that takes registrations");
		assertThat(post("drain", "{}", 200).at("/state").asString()).isEqualTo("DRAINED");
		assertThat(post("online", "{}", 200).at("/state").asString()).isEqualTo("ACCEPTING");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ GreeterService.class, Caller.class })
	static class Application {

		@Bean
		@Profile("foreign")
		Registry foreign() {
			return new ForeignRegistry();
		}

	}

	/** Something else says where servers are. */
	private static final class ForeignRegistry implements Registry {

		@Override
		public Registration register(ServiceInstance instance) {
			throw new IllegalStateException("never asked");
		}

		@Override
		public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
			return () -> {
			};
		}

		@Override
		public RegistryState state() {
			return RegistryState.CONNECTED;
		}

		@Override
		public boolean takesRegistrations() {
			return false;
		}

		@Override
		public boolean isLocal() {
			return true;
		}

		@Override
		public String description() {
			return "a foreign registry";
		}

		@Override
		public void close() {
		}

	}

	@RpcService
	static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			return "Hello " + name;
		}

	}

	static class Caller {

		@RpcReference
		private Greeter greeter;

	}

}
