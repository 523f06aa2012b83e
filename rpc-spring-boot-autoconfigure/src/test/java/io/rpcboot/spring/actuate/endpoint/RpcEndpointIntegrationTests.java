package io.rpcboot.spring.actuate.endpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.test.LocalRpcPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the endpoint of a running application. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "rpc.server.port=0", "management.endpoints.web.exposure.include=health,rpc",
				"management.endpoint.health.show-details=always", "management.endpoint.rpc.show-values=always" })
class RpcEndpointIntegrationTests {

	@LocalServerPort
	private int httpPort;

	@LocalRpcPort
	private int rpcPort;

	@Autowired
	private Caller caller;

	@Autowired
	private RpcHistory history;

	@Test
	void endpoint_servesSummaryAndDetails() throws Exception {
		assertThat(this.caller.greeter.greet("Ann")).isEqualTo("Hello Ann");
		String service = Greeter.class.getName();
		JsonNode rpc = get("/actuator/rpc");
		assertThat(rpc.at("/server/port").asInt()).isEqualTo(this.rpcPort);
		assertThat(rpc.at("/server/state").asString()).isEqualTo("ACCEPTING");
		assertThat(rpc.at("/references/0/ready").asBoolean()).isTrue();
		assertThat(rpc.at("/registry/state").asString()).isEqualTo("CONNECTED");
		assertThat(rpc.at("/at").isIntegralNumber()).isTrue();
		assertThat(get("/actuator/rpc/").at("/server/port").asInt()).isEqualTo(this.rpcPort);
		assertThat(get("/actuator/rpc/services/" + service).at("/calls").asInt()).isPositive();
		assertThat(get("/actuator/rpc/references/" + service).at("/instances/0/state").asString()).isEqualTo("READY");
		JsonNode timeout = get("/actuator/rpc/references/" + service).at("/policies/0/values/timeout");
		assertThat(timeout.at("/value").asString()).isEqualTo("3s");
		assertThat(timeout.at("/origin").asString()).isEqualTo("default");
		JsonNode dispatch = get("/actuator/rpc/services/" + service).at("/policy/values/dispatch");
		assertThat(dispatch.at("/value").asString()).isEqualTo("pool");
		assertThat(dispatch.at("/origin").asString()).isEqualTo("default");
		assertThat(get("/actuator/rpc/instances").at("/instances/0/services").asInt()).isOne();
		JsonNode instance = get("/actuator/rpc/instances/127.0.0.1:" + this.rpcPort);
		assertThat(instance.at("/state").asString()).isEqualTo("READY");
		assertThat(instance.at("/services/0").asString()).isEqualTo(service);
	}

	@Test
	void protoFiles_declareServices() throws Exception {
		String name = "io/rpcboot/spring/services.proto";
		JsonNode files = get("/actuator/rpc/proto").at("/files");
		assertThat(files.size()).isOne();
		String text = files.get(name).asString();
		assertThat(text).contains("package io.rpcboot.spring;", "service Greeter {\n  rpc Greet(GreetRequest)");
		assertThat(get("/actuator/rpc/proto/" + name).at("/text").asString()).isEqualTo(text);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "text/plain | text/plain", "text/* | text/plain", "text/plain; charset=UTF-8 | text/plain",
					"text/plain, text/html;q=0.5 | text/plain", "*/* | application/vnd.spring-boot.actuator.v3+json",
					"application/* | application/json", "application/json | application/json",
					"application/json, text/plain, */* | application/json",
					"text/html, application/xml;q=0.9, */*;q=0.8 | application/vnd.spring-boot.actuator.v3+json",
					"application/vnd.spring-boot.actuator.v2+json | application/vnd.spring-boot.actuator.v2+json" })
	void protoFile_isText_whenOnlyTextIsAccepted(String accept, String type) throws Exception {
		String path = "/actuator/rpc/proto/io/rpcboot/spring/services.proto";
		String text = get(path).at("/text").asString();
		HttpResponse<String> response = send(path, "Accept", accept);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith(type);
		assertThat(response.body()).startsWith(type.startsWith("text") ? text : "{");
	}

	@ParameterizedTest
	@ValueSource(strings = { "*/*", "application/json", "text/plain",
			"application/vnd.spring-boot.actuator.v3+json, application/json" })
	void openApi_isJson_whateverIsAccepted(String accept) throws Exception {
		HttpResponse<String> response = send("/actuator/rpc/openapi", "Accept", accept);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
		JsonNode document = JsonMapper.shared().readTree(response.body());
		assertThat(document.at("/openapi").asString()).isEqualTo("3.1.0");
		assertThat(document.at("/info/title").asString()).isNotEmpty();
		assertThat(document.at("/paths/~1io.rpcboot.spring.Greeter~1Greet/post/operationId").asString())
			.isEqualTo("io.rpcboot.spring.Greeter.Greet");
	}

	@Test
	void limits_areThoseOfClientAndServer() throws Exception {
		this.caller.greeter.greet("Ann");
		JsonNode document = JsonMapper.shared().readTree(send("/actuator/rpc/limits").body());
		assertThat(document.at("/leftOut").asInt()).isZero();
		JsonNode client = document.at("/limits/0");
		assertThat(client.at("/side").asString()).isEqualTo("client");
		assertThat(client.at("/name").asString()).isEqualTo("pending-calls");
		assertThat(client.at("/limit").asInt()).isBetween(1024, 65_536);
		assertThat(client.at("/most").asInt()).isEqualTo(65_536);
		assertThat(client.at("/reason").asString()).as("blocking calls do not move it").isEmpty();
		assertThat(client.at("/movedAt").isNull()).isTrue();
		List<JsonNode> server = document.at("/limits")
			.valueStream()
			.filter((each) -> each.at("/side").asString().equals("server"))
			.toList();
		assertThat(server).isNotEmpty().allSatisfy((each) -> {
			assertThat(each.at("/name").asString()).isEqualTo("threads");
			assertThat(each.at("/limit").isNull()).as("nothing is held back").isTrue();
			assertThat(each.at("/most").asInt()).isPositive();
		});
		assertThat(server).extracting((each) -> each.at("/of").asString()).contains(Greeter.class.getName());
	}

	@Test
	void partOfOpenApi_isUnknown() throws Exception {
		assertThat(problem("openapi/x")).startsWith("openapi/x: not found (expected: ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "services", "proto", "proto/x.proto", "x" })
	void otherPart_isJson_whenTextIsAccepted(String part) throws Exception {
		HttpResponse<String> response = send("/actuator/rpc/" + part, "Accept", "text/plain");
		assertThat(response.headers().firstValue("Content-Type"))
			.hasValue("application/vnd.spring-boot.actuator.v3+json");
		assertThat(response.body()).startsWith("{");
	}

	@Test
	void unknownPath_returns404() throws Exception {
		for (String path : List.of("x", "services/x", "methods/server/x/y", "connections/client/x", "a/b/c/d/e")) {
			assertThat(send("/actuator/rpc/" + path).statusCode()).as(path).isEqualTo(404);
		}
		assertThat(send("/actuator/rpc/history?since=x").statusCode()).isEqualTo(400);
		assertThat(send("/actuator/rpc/history?since=1").statusCode()).isEqualTo(200);
	}

	@Test
	void unknownElement_isAnsweredWithKnownOnes() throws Exception {
		this.caller.greeter.greet("Ann");
		String service = Greeter.class.getName();
		assertThat(problem("x")).isEqualTo("x: not found (expected: services, references, methods, instances, "
				+ "connections, streams, limits, calls, settings, history, proto, openapi or invoke)");
		assertThat(problem("services/Greetr"))
			.isEqualTo("services/Greetr: not found (expected: services, or services/ and one of: " + service + ")");
		assertThat(problem("references/Greetr")).contains("one of: " + service);
		assertThat(problem("instances/10.0.0.1:1")).contains("one of: 127.0.0.1:" + this.rpcPort);
		assertThat(problem("methods/server/Greeter/greets")).contains("methods/server/ and one of: ")
			.contains(service + "/greet(java.lang.String)");
		assertThat(problem("proto/x.proto")).isEqualTo(
				"proto/x.proto: not found (expected: proto, or proto/ and one of: io/rpcboot/spring/services.proto)");
		assertThat(problem("connections/x")).endsWith("connections/{client or server}/{address of the peer})");
	}

	private String problem(String path) throws Exception {
		HttpResponse<String> response = send("/actuator/rpc/" + path);
		assertThat(response.statusCode()).as(path).isEqualTo(404);
		return JsonMapper.shared().readTree(response.body()).at("/problem").asString();
	}

	@Test
	void shortNames_areEnough_whenUnambiguous() throws Exception {
		this.history.tick();
		this.caller.greeter.greet("Ann");
		this.history.tick();
		assertThat(get("/actuator/rpc/services/Greeter").at("/calls").asInt()).isPositive();
		assertThat(get("/actuator/rpc/references/Greeter").at("/instances/0/state").asString()).isEqualTo("READY");
		assertThat(get("/actuator/rpc/methods/server/Greeter/greet").at("/stats/method").asString())
			.isEqualTo("greet(java.lang.String)");
		assertThat(get("/actuator/rpc/methods/client/Greeter/greet(java.lang.String)").at("/stats/calls").asInt())
			.isPositive();
	}

	@Test
	void ratesAndPercentiles_areComputedFromHistory() throws Exception {
		this.history.tick();
		this.caller.greeter.greet("Ann");
		this.history.tick();
		String service = Greeter.class.getName();
		JsonNode rpc = get("/actuator/rpc");
		for (String side : List.of("client", "server")) {
			for (String value : List.of("callsPerSecond", "errorsPerSecond", "p50Millis", "p99Millis", "memory/used",
					"memory/limit", "loops/threads", "loops/busyShare", "loops/pendingTasks", "batch")) {
				assertThat(rpc.at("/" + side + "/" + value).isNumber()).as(side + " " + value).isTrue();
			}
			JsonNode method = get("/actuator/rpc/methods/" + side + "/" + service + "/greet(java.lang.String)");
			assertThat(method.at("/stats/calls").asInt()).isPositive();
			assertThat(method.at("/series/times").size()).isPositive();
			assertThat(method.at("/slowest/0/status").asString()).isEqualTo("OK");
		}
		assertThat(rpc.at("/methods/0/method").asString()).isEqualTo("greet(java.lang.String)");
		JsonNode history = get("/actuator/rpc/history");
		assertThat(history.at("/times").size()).isPositive().isEqualTo(history.at("/values/clientCalls").size());
		assertThat(get("/actuator/rpc/calls").at("/slowest/0/peer").asString()).isNotEmpty();
		assertThat(get("/actuator/rpc/services/" + service).at("/methods/0/calls").asInt()).isPositive();
	}

	@Test
	void setting_isShownWithOrigin() throws Exception {
		JsonNode settings = get("/actuator/rpc/settings").at("/settings");
		Map<String, JsonNode> byName = new HashMap<>();
		settings.forEach((each) -> byName.put(each.at("/property").asString(), each));
		assertThat(byName.get("rpc.server.port").at("/value").asString()).isEqualTo("0");
		assertThat(byName.get("rpc.server.port").at("/origin").asString()).contains("Inlined Test Properties");
		assertThat(byName.get("rpc.client.timeout").at("/value").asString()).isEqualTo("3s");
		assertThat(byName.get("rpc.client.timeout").at("/origin").asString()).isEqualTo("default");
	}

	@Test
	void health_isUp_whenReferenceIsReady() throws Exception {
		this.caller.greeter.greet("Ann");
		JsonNode health = get("/actuator/health/rpc");
		assertThat(health.at("/status").asString()).isEqualTo("UP");
		assertThat(health.at("/details/references").asInt()).isEqualTo(1);
	}

	private JsonNode get(String path) throws IOException, InterruptedException {
		HttpResponse<String> response = send(path);
		assertThat(response.statusCode()).as(path).isEqualTo(200);
		return JsonMapper.shared().readTree(response.body());
	}

	private HttpResponse<String> send(String path, String... headers) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.httpPort + path));
		if (headers.length > 0) {
			request.headers(headers);
		}
		return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
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

		@RpcReference
		private Greeter greeter;

	}

}
