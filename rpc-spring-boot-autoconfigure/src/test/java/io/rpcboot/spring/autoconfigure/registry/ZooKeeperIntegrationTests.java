package io.rpcboot.spring.autoconfigure.registry;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** Applications that find each other through ZooKeeper. */
@Timeout(120)
class ZooKeeperIntegrationTests {

	@Test
	@PropertyEffect("rpc.registry.zookeeper.connect-string")
	void applications_findEachOther() {
		try (EmbeddedZooKeeper zooKeeper = new EmbeddedZooKeeper();
				ConfigurableApplicationContext server = run(Map.of("spring.application.name", "Greeting Service",
						"rpc.registry.zookeeper.connect-string", zooKeeper.connectString()), GreeterService.class);
				ConfigurableApplicationContext client = run(
						Map.of("rpc.registry.zookeeper.connect-string", zooKeeper.connectString()), User.class)) {
			awaitInstance(client);
			assertThat(client.getBean(User.class).greeter.greet("Ann")).isEqualTo("Hello Ann");
			assertThat(server.getBean(RpcServer.class).registeredLocation()).contains("/Greeting Service/");
			assertThat(client.getBean(RpcClient.class).references()).singleElement()
				.satisfies((reference) -> assertThat(reference.instances()).singleElement()
					.satisfies((instance) -> assertThat(instance.application()).isEqualTo("Greeting Service")));
			assertThat(client.getBean(Registry.class).state()).isEqualTo(RegistryState.CONNECTED);
		}
	}

	@Test
	@PropertyEffect({ "rpc.registry.zookeeper.embedded.enabled", "rpc.registry.zookeeper.embedded.port" })
	void embeddedServer_servesItsApplication() {
		try (ConfigurableApplicationContext context = run(Map.of("spring.application.name", "greetings",
				"rpc.registry.zookeeper.embedded.enabled", "true", "rpc.registry.zookeeper.embedded.port", "0"),
				GreeterService.class, User.class)) {
			assertThat(context.getBean(Registry.class).description())
				.contains(context.getBean(EmbeddedZooKeeper.class).connectString());
			assertThat(context.getBean(EmbeddedZooKeeper.class).port()).isNotEqualTo(2181);
			awaitInstance(context);
			assertThat(context.getBean(User.class).greeter.greet("Ann")).isEqualTo("Hello Ann");
		}
	}

	@Test
	void application_starts_withoutZooKeeper() {
		int port;
		try (EmbeddedZooKeeper zooKeeper = new EmbeddedZooKeeper()) {
			port = zooKeeper.port();
		}
		try (ConfigurableApplicationContext context = run(Map.of("spring.application.name", "greetings",
				"rpc.registry.zookeeper.connect-string", "127.0.0.1:" + port), GreeterService.class, User.class)) {
			assertThat(context.isActive()).isTrue();
			assertThat(context.getBean(Registry.class).state()).isEqualTo(RegistryState.CONNECTING);
		}
	}

	@Test
	@PropertyEffect("rpc.registry.snapshot.directory")
	void call_succeeds_afterStartWithSnapshotButWithoutZooKeeper(@TempDir Path directory) {
		EmbeddedZooKeeper zooKeeper = new EmbeddedZooKeeper();
		Map<String, Object> properties = Map.of("spring.application.name", "user",
				"rpc.registry.zookeeper.connect-string", zooKeeper.connectString(), "rpc.registry.snapshot.directory",
				directory);
		try (ConfigurableApplicationContext server = run(Map.of("spring.application.name", "greetings",
				"rpc.registry.zookeeper.connect-string", zooKeeper.connectString()), GreeterService.class)) {
			try (ConfigurableApplicationContext client = run(properties, User.class)) {
				awaitInstance(client);
			}
			zooKeeper.close();
			assertThat(server.isActive()).isTrue();
			try (ConfigurableApplicationContext client = run(properties, User.class)) {
				assertThat(client.getBean(User.class).greeter.greet("Ann")).isEqualTo("Hello Ann");
				assertThat(client.getBean(Registry.class).state()).isEqualTo(RegistryState.CONNECTING);
				assertThat(client.getBean(Registry.class).problem()).contains("the snapshot of ");
			}
		}
		finally {
			zooKeeper.close();
		}
	}

	/** Servers are registered in the background when the application is ready. */
	private static void awaitInstance(ConfigurableApplicationContext context) {
		RpcClient client = context.getBean(RpcClient.class);
		Applications.eventually(() -> client.references().stream().allMatch(ReferenceInfo::isReady));
	}

	private static ConfigurableApplicationContext run(Map<String, Object> properties, Class<?>... beans) {
		SpringApplication application = new SpringApplication(Application.class);
		application.addPrimarySources(List.of(beans));
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setRegisterShutdownHook(false);
		application.setDefaultProperties(Map.of("rpc.server.port", 0, "rpc.client.timeout", "30s",
				"spring.main.banner-mode", "off", "logging.level.root", "error", "spring.jmx.enabled", false));
		return application.run(properties.entrySet()
			.stream()
			.map((property) -> "--" + property.getKey() + "=" + property.getValue())
			.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@RpcService
	static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			return "Hello " + name;
		}

	}

	static class User {

		@RpcReference
		private Greeter greeter;

	}

}
