package io.rpcboot.spring.actuate.endpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.test.LocalRpcPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** A busy connection, as the endpoint shows it on both sides. */
@Timeout(60)
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "spring.application.name=desk", "rpc.server.port=0", "rpc.server.limits.calls-per-connection=64",
				"rpc.client.batching.mode=always", "rpc.client.timeout=30s",
				"management.endpoints.web.exposure.include=rpc" })
class RpcConnectionsIntegrationTests {

	private static final int GRANT = 64;

	private static final int CALLS = 500;

	@LocalServerPort
	private int httpPort;

	@LocalRpcPort
	private int rpcPort;

	@Autowired
	private Caller caller;

	@Autowired
	private DeskService desk;

	@Test
	void busyConnection_isShownOnBothSides() throws Exception {
		assertThat(this.caller.desk.sign("first")).isEqualTo("signed first");
		List<CompletableFuture<String>> signed = new ArrayList<>();
		for (int i = 0; i < CALLS; i++) {
			signed.add(this.caller.desk.signLater("n" + i));
		}
		String desk = "/references/" + Desk.class.getName().replace("$", "%24");
		await(desk, "/waitingCalls", CALLS - GRANT);
		JsonNode rpc = get("");
		assertThat(rpc.at("/client/pendingCalls").asInt()).isEqualTo(CALLS);
		assertThat(rpc.at("/client/queuedCalls").asInt()).isZero();
		JsonNode connections = get("/connections");
		assertThat(connections.at("/client").size()).isEqualTo(1);
		assertThat(connections.at("/leftOut").asInt()).isZero();
		JsonNode client = connections.at("/client/0");
		assertThat(client.at("/remote").asString()).isEqualTo("127.0.0.1:" + this.rpcPort);
		assertThat(client.at("/application").asString()).isEqualTo("desk");
		assertThat(client.at("/batching").asString()).isEqualTo("ALWAYS");
		assertThat(client.at("/averageBatch").asDouble()).isGreaterThan(1);
		assertThat(client.at("/pending").asInt()).isEqualTo(GRANT);
		assertThat(client.at("/held").asInt()).isZero();
		assertThat(client.at("/usedCalls").asInt()).isEqualTo(client.at("/grantedCalls").asInt());
		assertThat(client.at("/flushes/DELAY").asInt()).isPositive();
		assertThat(client.at("/reads").asInt()).isPositive();
		JsonNode server = connections.at("/server/0");
		assertThat(server.at("/pending").asInt()).isEqualTo(GRANT);
		assertThat(server.at("/application").asString()).isEqualTo("desk");
		assertThat(server.at("/batching").asString()).isEqualTo("AUTO");
		assertThat(server.at("/usedCalls").asInt()).isEqualTo(client.at("/usedCalls").asInt());
		assertThat(server.at("/usedBytes").asInt()).isEqualTo(client.at("/usedBytes").asInt());

		this.desk.gate.complete(null);
		CompletableFuture.allOf(signed.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
		JsonNode after = await("/connections", "/server/0/pending", 0);
		assertThat(get("").at("/client/pendingCalls").asInt()).isZero();
		assertThat(after.at("/client/0/pending").asInt()).isZero();
		assertThat(after.at("/client/0/held").asInt()).isZero();
		assertThat(after.at("/client/0/usedCalls").asInt()).isEqualTo(CALLS + 1);
		assertThat(after.at("/server/0/averageBatch").asDouble()).isGreaterThan(1);
		assertThat(after.at("/server/0/messages").asInt()).isGreaterThan(CALLS);
		assertThat(after.at("/server/0/stalls").isNumber()).isTrue();
		JsonNode one = get("/connections/client/127.0.0.1:" + this.rpcPort);
		assertThat(one.at("/connections/0/usedCalls").asInt()).isEqualTo(CALLS + 1);
	}

	private JsonNode await(String path, String field, int value) throws IOException, InterruptedException {
		Applications.eventually(() -> get(path).at(field).asInt(-1) == value);
		return get(path);
	}

	private JsonNode get(String path) throws IOException, InterruptedException {
		URI uri = URI.create("http://localhost:" + this.httpPort + "/actuator/rpc" + path);
		HttpResponse<String> response = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
		assertThat(response.statusCode()).isEqualTo(200);
		return JsonMapper.shared().readTree(response.body());
	}

	/** A contract. */
	public interface Desk {

		String sign(String name);

		CompletableFuture<String> signLater(String name);

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ DeskService.class, Caller.class })
	static class Application {

	}

	@RpcService
	static class DeskService implements Desk {

		private final CompletableFuture<Void> gate = new CompletableFuture<>();

		@Override
		public String sign(String name) {
			return "signed " + name;
		}

		@Override
		public CompletableFuture<String> signLater(String name) {
			return this.gate.thenApply((open) -> sign(name));
		}

	}

	static class Caller {

		@RpcReference
		private Desk desk;

	}

}
