package io.rpcboot.spring.actuate.info;

import java.util.List;
import java.util.Map;

import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.actuate.endpoint.RpcActuatorTests;
import io.rpcboot.spring.actuate.endpoint.RpcEndpointAutoConfiguration;
import io.rpcboot.spring.actuate.health.RpcHealthAutoConfiguration;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the part {@code rpc} of the endpoint {@code info}. */
class RpcInfoTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0", "rpc.client.warm-up=0",
				"rpc.server.event-loop.transport=nio", "rpc.client.event-loop.transport=nio")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class,
				RpcInfoAutoConfiguration.class));

	@SuppressWarnings("unchecked")
	private static Map<String, Object> rpc(ApplicationContext context) {
		Info.Builder builder = new Info.Builder();
		context.getBean(RpcInfoContributor.class).contribute(builder);
		return (Map<String, Object>) builder.build().get("rpc");
	}

	@Test
	@SuppressWarnings("unchecked")
	void info_namesTransportSerializersAndContracts() {
		this.runner.withBean(RpcActuatorTests.GreeterService.class).withBean(User.class).run((context) -> {
			Map<String, Object> rpc = rpc(context);
			assertThat(rpc).containsEntry("client", Map.of("transport", "nio", "serializer", "protostuff"));
			Map<String, Object> server = (Map<String, Object>) rpc.get("server");
			assertThat(server).containsEntry("transport", "nio").containsEntry("serializers", List.of("protostuff"));
			assertThat((Map<String, String>) server.get("contracts")).hasSize(1)
				.hasEntrySatisfying(Greeter.class.getName(), (hash) -> assertThat(hash).hasSize(32));
		});
	}

	/** The classes of this test are in no jar, as in an IDE. */
	@Test
	void info_isAbsent_withoutJarServiceAndReference() {
		this.runner.run((context) -> assertThat(rpc(context)).isNull());
	}

	@Test
	void infoContributor_isAbsent_whenDisabled() {
		this.runner.withPropertyValues("management.info.rpc.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RpcInfoContributor.class));
		this.runner.withPropertyValues("management.info.defaults.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RpcInfoContributor.class));
	}

	@Test
	void actuatorBeans_areAbsent_withoutActuator() {
		this.runner
			.withConfiguration(
					AutoConfigurations.of(RpcEndpointAutoConfiguration.class, RpcHealthAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(ConditionalOnAvailableEndpoint.class, HealthIndicator.class,
					InfoContributor.class))
			.withBean(RpcActuatorTests.GreeterService.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("rpcInfoContributor")
				.doesNotHaveBean("rpcEndpoint")
				.doesNotHaveBean("rpcHealthIndicator"));
	}

	static class User {

		@RpcReference
		private Greeter greeter;

	}

}
