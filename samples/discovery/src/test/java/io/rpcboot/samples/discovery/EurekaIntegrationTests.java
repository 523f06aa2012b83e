package io.rpcboot.samples.discovery;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.samples.discovery.consumer.Consumer;
import io.rpcboot.samples.discovery.provider.Provider;
import io.rpcboot.server.RpcServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** A server of Eureka, providers that register there, and a consumer that finds them. */
@Timeout(120)
class EurekaIntegrationTests {

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	private String eureka;

	@BeforeEach
	void startServer() {
		ConfigurableApplicationContext server = start(EurekaServer.class, "spring.application.name=eureka",
				"eureka.client.register-with-eureka=false", "eureka.client.fetch-registry=false",
				"eureka.server.response-cache-update-interval-ms=500",
				"eureka.server.wait-time-in-ms-when-sync-empty=0", "eureka.dashboard.enabled=false",
				"eureka.instance.hostname=localhost",
				// it has no peer
				"logging.level.com.netflix.eureka.cluster=off");
		this.eureka = "eureka.client.service-url.defaultZone=http://localhost:%s/eureka/"
			.formatted(server.getEnvironment().getProperty("local.server.port"));
	}

	@AfterEach
	void stop() {
		for (int i = this.contexts.size() - 1; i >= 0; i--) {
			this.contexts.get(i).close();
		}
	}

	private ConfigurableApplicationContext start(Class<?> application, String... properties) {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(application)
			.properties("rpc.server.shutdown.grace-period=1s", "rpc.client.shutdown.grace-period=0",
					// the server's, which is on this class path, too
					"eureka.client.jersey.enabled=false")
			.run(arguments(properties));
		this.contexts.add(context);
		return context;
	}

	private static String[] arguments(String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0"));
		for (String property : properties) {
			arguments.add("--" + property);
		}
		return arguments.toArray(String[]::new);
	}

	private ConfigurableApplicationContext provide(int port, String... more) {
		return provide(String.valueOf(port), "provider-" + port, more);
	}

	private ConfigurableApplicationContext provide(String port, String id, String... more) {
		List<String> properties = new ArrayList<>(List.of(this.eureka, "spring.profiles.active=provider",
				"rpc.server.port=" + port, "eureka.instance.instance-id=" + id));
		properties.addAll(List.of(more));
		return start(Provider.class, properties.toArray(String[]::new));
	}

	private ConfigurableApplicationContext consume() {
		return start(Consumer.class, this.eureka, "spring.profiles.active=consumer",
				"eureka.client.registry-fetch-interval-seconds=1", "rpc.registry.discovery-client.interval=1s");
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private static List<ReferenceInfo.Instance> instances(ConfigurableApplicationContext consumer) {
		return consumer.getBean(RpcClient.class).references().get(0).instances();
	}

	private static void awaitReady(ConfigurableApplicationContext consumer, Integer... ports) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(instances(consumer))
				.filteredOn((each) -> each.state() == ReferenceInfo.State.READY)
				.extracting((each) -> each.endpoint().port())
				.containsExactlyInAnyOrder(ports));
	}

	@Test
	void consumer_followsProviders_whenTheyStartAndStop() throws Exception {
		int first = freePort();
		provide(first);
		ConfigurableApplicationContext consumer = consume();
		awaitReady(consumer, first);
		Consumer caller = consumer.getBean(Consumer.class);
		assertThat(caller.greet("you")).isEqualTo("Hello you from " + first);
		assertThat(consumer.getBean(RpcClient.class).references()).singleElement()
			.satisfies((reference) -> assertThat(reference.source()).startsWith("the DiscoveryClient ("));
		assertThat(instances(consumer)).singleElement().satisfies((instance) -> {
			assertThat(instance.application()).isEqualTo("greeting-provider");
			assertThat(instance.id()).isEqualTo("provider-" + first);
		});

		int second = freePort();
		ConfigurableApplicationContext provider = provide(second);
		awaitReady(consumer, first, second);
		Set<String> answers = new TreeSet<>();
		Awaitility.await().until(() -> answers.add(caller.greet("you")) && answers.size() == 2);

		provider.close(); // takes itself out of Eureka
		awaitReady(consumer, first);
		for (int i = 0; i < 20; i++) {
			assertThat(caller.greet("you")).isEqualTo("Hello you from " + first);
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(instances(consumer)).hasSize(1));
	}

	@Test
	void instances_areSelectedByPortMetadata() throws Exception {
		int first = freePort();
		provide(first, "eureka.instance.metadata-map.rpc-port=none");
		int second = provide("${cachedrandom.rpc.int[20000,30000]}", "other").getBean(RpcServer.class).port();
		ConfigurableApplicationContext consumer = consume();
		awaitReady(consumer, second);
		assertThat(consumer.getBean(Consumer.class).greet("you")).isEqualTo("Hello you from " + second);
		assertThat(instances(consumer)).hasSize(1);
	}

	@EnableEurekaServer
	@EnableAutoConfiguration
	static class EurekaServer {

	}

}
