package io.rpcboot.spring.docker;

import io.rpcboot.registry.Registry;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryConnectionDetails;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/** Needs no Docker. */
class ZooKeeperConnectionDetailsTests {

	@Test
	void zooKeeperComposeService_providesConnectionDetails() {
		assertThat(compose("zookeeper:3.9", "localhost")).isEqualTo("localhost:32181");
		assertThat(compose("bitnami/zookeeper", "::1")).isEqualTo("[::1]:32181");
	}

	@Test
	void otherComposeService_providesNoConnectionDetails() {
		assertThat(compose("redis:8", "localhost")).isNull();
	}

	private static String compose(String image, String host) {
		ConnectionPorts ports = mock(ConnectionPorts.class);
		given(ports.get(2181)).willReturn(32181);
		RunningService service = mock(RunningService.class);
		given(service.image()).willReturn(ImageReference.of(image));
		given(service.host()).willReturn(host);
		given(service.ports()).willReturn(ports);
		DockerComposeConnectionSource source = mock(DockerComposeConnectionSource.class);
		given(source.getRunningService()).willReturn(service);
		RpcRegistryConnectionDetails details = (RpcRegistryConnectionDetails) new ConnectionDetailsFactories(
				ZooKeeperConnectionDetailsTests.class.getClassLoader())
			.getConnectionDetails(source, false)
			.get(RpcRegistryConnectionDetails.class);
		return (details != null) ? details.getConnectString() : null;
	}

	@Test
	void testContainer_providesConnectionDetails() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class))
			.withUserConfiguration(Containers.class)
			.run((context) -> assertThat(context.getBean(RpcRegistryConnectionDetails.class).getConnectString())
				.isEqualTo("127.0.0.1:42181"));
	}

	@Test
	void testContainer_selectsZooKeeper() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(ServiceConnectionAutoConfiguration.class, RpcRegistryAutoConfiguration.class))
			.withUserConfiguration(Containers.class)
			.run((context) -> assertThat(context.getBean(Registry.class).description())
				.isEqualTo("zookeeper at 127.0.0.1:42181"));
	}

	@Test
	void context_starts_withoutDockerLibraries() {
		ClassLoader bare = new FilteredClassLoader("org.testcontainers", "org.springframework.boot.testcontainers",
				"org.springframework.boot.docker");
		new ApplicationContextRunner().withClassLoader(bare)
			.withConfiguration(AutoConfigurations.of(RpcRegistryAutoConfiguration.class))
			.run((context) -> assertThat(context).hasSingleBean(Registry.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class Containers {

		@Bean
		@ServiceConnection(name = "zookeeper")
		RunningZooKeeper zooKeeper() {
			return new RunningZooKeeper();
		}

	}

	/** Says that it runs. */
	static class RunningZooKeeper extends GenericContainer<RunningZooKeeper> {

		RunningZooKeeper() {
			super(DockerImageName.parse("zookeeper:3.9"));
		}

		@Override
		public void start() {
		}

		@Override
		public void stop() {
		}

		@Override
		public String getHost() {
			return "127.0.0.1";
		}

		@Override
		public Integer getMappedPort(int port) {
			return 40_000 + port;
		}

	}

}
