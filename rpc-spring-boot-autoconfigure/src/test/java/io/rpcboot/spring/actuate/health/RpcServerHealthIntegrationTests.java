package io.rpcboot.spring.actuate.health;

import java.nio.file.Path;
import java.util.Map;

import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** The startup group: whether clients could find the server since it started. */
@Timeout(120)
class RpcServerHealthIntegrationTests {

	private static ConfigurableApplicationContext run(String connectString, Class<?>... beans) {
		return Applications.run(WebApplicationType.NONE,
				Map.of("spring.application.name", "stock", "rpc.registry.zookeeper.connect-string", connectString,
						"rpc.registry.zookeeper.session-timeout", "3s", "rpc.client.warm-up", "0",
						"management.endpoint.health.group.startup.include", "rpcServer"),
				beans);
	}

	/** Status and HTTP code of the group. */
	private static String startup(ConfigurableApplicationContext context) {
		Status status = context.getBean(HealthEndpoint.class).healthForPath("startup").getStatus();
		int code = context.getBean(HealthEndpointGroups.class)
			.get("startup")
			.getHttpCodeStatusMapper()
			.getStatusCode(status);
		return status.getCode() + " " + code;
	}

	@Test
	void startup_isDegraded_untilZooKeeperHasServer(@TempDir Path directory) {
		EmbeddedZooKeeper zooKeeper = new EmbeddedZooKeeper(0, directory);
		int port = zooKeeper.port();
		zooKeeper.close();
		try (ConfigurableApplicationContext context = run("127.0.0.1:" + port, GreeterService.class)) {
			assertThat(startup(context)).isEqualTo("DEGRADED 503");
			zooKeeper = new EmbeddedZooKeeper(port, directory);
			Applications.eventually(() -> startup(context).equals("UP 200"));
			zooKeeper.close();
			Applications.eventually(() -> context.getBean(RpcServer.class).registeredLocation().isEmpty());
			assertThat(startup(context)).as("registered once").isEqualTo("UP 200");
		}
		finally {
			zooKeeper.close();
		}
	}

	@Test
	void startup_isUp_whenReferenceHasNoInstance() {
		try (EmbeddedZooKeeper zooKeeper = new EmbeddedZooKeeper();
				ConfigurableApplicationContext context = run(zooKeeper.connectString(), GreeterService.class,
						User.class)) {
			Applications.eventually(() -> startup(context).equals("UP 200"));
			assertThat(context.getBean(HealthEndpoint.class).healthForPath("rpc").getStatus())
				.isEqualTo(RpcHealthIndicator.DEGRADED);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1:1", "nohost.invalid:2181" })
	void startup_isUp_withoutServer(String connectString) {
		try (ConfigurableApplicationContext context = run(connectString)) {
			assertThat(startup(context)).isEqualTo("UP 200");
		}
	}

	@Test
	void startup_isUp_withInMemoryRegistry() {
		try (ConfigurableApplicationContext context = run("", GreeterService.class)) {
			assertThat(startup(context)).isEqualTo("UP 200");
		}
	}

	@Test
	void startup_staysDegraded_whenOperatorTookServerOutBefore() {
		try (ConfigurableApplicationContext context = run("127.0.0.1:1", GreeterService.class)) {
			context.getBean(RpcServer.class).offline("test");
			assertThat(startup(context)).isEqualTo("DEGRADED 503");
		}
	}

	static class User {

		@RpcReference(version = "2")
		private Greeter greeter;

	}

}
