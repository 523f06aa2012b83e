package io.rpcboot.spring.actuate;

import java.util.Map;

import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.spring.OtherRegistry;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.actuate.RpcEndpoint.RpcDescriptor;
import io.rpcboot.spring.autoconfigure.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.RpcServerAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RpcActuatorTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0",
				"management.endpoints.web.exposure.include=*", "management.endpoints.jmx.exposure.include=*")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class,
				RpcEndpointAutoConfiguration.class, RpcHealthAutoConfiguration.class));

	@Test
	void endpointShowsTheServer() {
		this.runner.withBean(GreeterService.class).run((context) -> {
			RpcDescriptor rpc = context.getBean(RpcEndpoint.class).rpc();
			assertThat(rpc.registry().state()).isEqualTo(RegistryState.CONNECTED);
			assertThat(rpc.server().port())
				.isEqualTo(context.getEnvironment().getProperty("local.rpc.port", int.class));
			assertThat(rpc.server().advertisedEndpoint()).endsWith(":" + rpc.server().port());
			assertThat(rpc.server().location()).isNotEmpty();
			assertThat(rpc.server().services()).singleElement().satisfies((service) -> {
				assertThat(service.service()).isEqualTo(Greeter.class.getName());
				assertThat(service.methods()).containsExactly("greet(java.lang.String)");
				assertThat(service.calls()).isZero();
				assertThat(service.contractHash()).hasSize(32);
				assertThat(service.maxThreads()).isNull();
				assertThat(service.methodMaxThreads()).isEmpty();
			});
			assertThat(rpc.client()).isNull();
		});
	}

	@Test
	void endpointShowsLimitsOfServices() {
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.server.services.Greeter.max-threads=8",
					"rpc.server.services.Greeter.methods.greet.max-threads=2")
			.run((context) -> assertThat(context.getBean(RpcEndpoint.class).rpc().server().services()).singleElement()
				.satisfies((service) -> {
					assertThat(service.maxThreads()).isEqualTo(8);
					assertThat(service.methodMaxThreads()).isEqualTo(Map.of("greet", 2));
				}));
	}

	@Test
	void endpointShowsReferences() {
		this.runner.withBean(User.class).run((context) -> {
			RpcDescriptor rpc = context.getBean(RpcEndpoint.class).rpc();
			assertThat(rpc.server()).isNull();
			assertThat(rpc.client().references()).singleElement().satisfies((reference) -> {
				assertThat(reference.service()).isEqualTo(Greeter.class.getName());
				assertThat(reference.ready()).isFalse();
				assertThat(reference.instances()).isEmpty();
			});
		});
	}

	@Test
	void endpointIsOnlyThereWhenExposed() {
		this.runner
			.withPropertyValues("management.endpoints.web.exposure.include=health",
					"management.endpoints.jmx.exposure.include=health")
			.run((context) -> assertThat(context).doesNotHaveBean(RpcEndpoint.class));
	}

	@Test
	void healthIsUpWhenThereIsNothingToMiss() {
		this.runner.run((context) -> {
			Health health = health(context.getBean(RpcHealthIndicator.class));
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("references", 0)
				.containsEntry("referencesWithoutInstance", Map.of());
		});
	}

	@Test
	void aReferenceWithoutInstanceIsNamed() {
		this.runner.withBean(User.class).run((context) -> {
			Health health = health(context.getBean(RpcHealthIndicator.class));
			assertThat(health.getStatus()).isEqualTo(RpcHealthIndicator.DEGRADED);
			assertThat(health.getDetails().get("referencesWithoutInstance")).asString()
				.contains(Greeter.class.getName(), "no instance of it is known to");
		});
	}

	@Test
	void aLostRegistryIsDegradedNotDown() {
		this.runner.withBean(Registry.class, LostRegistry::new).run((context) -> {
			Health health = health(context.getBean(RpcHealthIndicator.class));
			assertThat(health.getStatus()).isEqualTo(RpcHealthIndicator.DEGRADED);
			assertThat(health.getDetails()).containsEntry("registry",
					Map.of("description", "lost", "state", "DISCONNECTED"));
		});
	}

	@Test
	void healthCanBeSwitchedOff() {
		this.runner.withPropertyValues("management.health.rpc.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RpcHealthIndicator.class));
	}

	private static Health health(RpcHealthIndicator indicator) {
		Health health = indicator.health(true);
		assertThat(health).isNotNull();
		return health;
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

	static class LostRegistry extends OtherRegistry {

		@Override
		public RegistryState state() {
			return RegistryState.DISCONNECTED;
		}

		@Override
		public String description() {
			return "lost";
		}

	}

}
