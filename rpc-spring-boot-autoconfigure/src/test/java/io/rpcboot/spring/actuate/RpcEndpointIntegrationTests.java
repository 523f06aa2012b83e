package io.rpcboot.spring.actuate;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.test.LocalRpcPort;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** What a person sees who asks the running application. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = { "rpc.server.port=0",
		"management.endpoints.web.exposure.include=health,rpc", "management.endpoint.health.show-details=always" })
class RpcEndpointIntegrationTests {

	@LocalServerPort
	private int httpPort;

	@LocalRpcPort
	private int rpcPort;

	@Autowired
	private Caller caller;

	@Test
	void endpointCountsTheCalls() throws Exception {
		assertThat(this.caller.greeter.greet("Ann")).isEqualTo("Hello Ann");
		JsonNode rpc = get("/actuator/rpc");
		assertThat(rpc.at("/server/port").asInt()).isEqualTo(this.rpcPort);
		assertThat(rpc.at("/server/services/0/service").asString()).isEqualTo(Greeter.class.getName());
		assertThat(rpc.at("/server/services/0/calls").asInt()).isPositive();
		assertThat(rpc.at("/client/references/0/ready").asBoolean()).isTrue();
		assertThat(rpc.at("/client/references/0/instances/0/state").asString()).isEqualTo("READY");
		assertThat(rpc.at("/registry/state").asString()).isEqualTo("CONNECTED");
	}

	@Test
	void healthIsUpOnceTheReferenceIsReady() throws Exception {
		this.caller.greeter.greet("Ann");
		JsonNode health = get("/actuator/health/rpc");
		assertThat(health.at("/status").asString()).isEqualTo("UP");
		assertThat(health.at("/details/references").asInt()).isEqualTo(1);
	}

	private JsonNode get(String path) throws IOException, InterruptedException {
		URI uri = URI.create("http://localhost:" + this.httpPort + path);
		HttpResponse<String> response = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
		assertThat(response.statusCode()).isEqualTo(200);
		return JsonMapper.shared().readTree(response.body());
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
