package io.rpcboot.spring.actuate.endpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.function.Predicate;

import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.test.LocalRpcPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** Open streams, as the endpoint shows them on both sides. */
@Timeout(60)
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "rpc.server.port=0", "management.endpoints.web.exposure.include=rpc" })
class RpcStreamsIntegrationTests {

	@LocalServerPort
	private int httpPort;

	@LocalRpcPort
	private int rpcPort;

	@Autowired
	private Watcher watcher;

	@Test
	void openStream_isShownOnBothSides_untilItEnds() throws Exception {
		Disposable open = this.watcher.feeds.endless("x").subscribe();
		JsonNode streams = await((each) -> each.at("/server/0/sent/count").asInt() == 3
				&& each.at("/server/0/sent/waitsFor").asString().equals("PRODUCER")
				&& each.at("/client/0/received/count").asInt() == 3);
		JsonNode server = streams.at("/server/0");
		assertThat(server.at("/side").asString()).isEqualTo("server");
		assertThat(server.at("/service").asString()).isEqualTo(Feeds.class.getName());
		assertThat(server.at("/method").asString()).isEqualTo("endless(java.lang.String)");
		assertThat(server.at("/peer").asString()).startsWith("127.0.0.1:");
		assertThat(server.at("/sent/bytes").asInt()).isPositive();
		assertThat(server.at("/sent/perSecond").isNumber()).isTrue();
		assertThat(server.at("/ageMillis").isNumber()).isTrue();
		assertThat(server.at("/received").isNull()).isTrue();
		JsonNode client = streams.at("/client/0");
		assertThat(client.at("/side").asString()).isEqualTo("client");
		assertThat(client.at("/peer").asString()).isEqualTo("127.0.0.1:" + this.rpcPort);
		assertThat(client.at("/received/waitsFor").asString()).isEqualTo("PEER");
		assertThat(client.at("/received/bytes").asInt()).isEqualTo(server.at("/sent/bytes").asInt());
		assertThat(streams.at("/leftOut").asInt()).isZero();
		JsonNode summary = get("");
		assertThat(summary.at("/server/openStreams").asInt()).isOne();
		assertThat(summary.at("/client/openStreams").asInt()).isOne();
		open.dispose();
		await((each) -> each.at("/server").isEmpty() && each.at("/client").isEmpty());
		assertThat(get("").at("/server/openStreams").asInt(-1)).isZero();
	}

	private JsonNode await(Predicate<JsonNode> expected) throws IOException, InterruptedException {
		Applications.eventually(() -> expected.test(get("/streams")));
		return get("/streams");
	}

	private JsonNode get(String path) throws IOException, InterruptedException {
		URI uri = URI.create("http://localhost:" + this.httpPort + "/actuator/rpc" + path);
		return EndpointRequests.body(HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()), 200);
	}

	/** A contract. */
	public interface Feeds {

		Flux<String> endless(String what);

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ FeedService.class, Watcher.class })
	static class Application {

	}

	@RpcService
	static class FeedService implements Feeds {

		@Override
		public Flux<String> endless(String what) {
			return Flux.just(what, what, what).concatWith(Flux.never());
		}

	}

	static class Watcher {

		@RpcReference
		private Feeds feeds;

	}

}
