package io.rpcboot.spring.actuate.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.server.Dispatch;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.OtherRegistry;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.OfferedServiceDescriptor;
import io.rpcboot.spring.actuate.descriptor.ReferenceDescriptor;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor.ServerState;
import io.rpcboot.spring.actuate.health.RpcHealthAutoConfiguration;
import io.rpcboot.spring.actuate.health.RpcHealthIndicator;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

public class RpcActuatorTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0",
				"management.endpoints.web.exposure.include=*", "management.endpoints.jmx.exposure.include=*")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class,
				RpcEndpointAutoConfiguration.class, RpcHealthAutoConfiguration.class));

	@Test
	void summary_showsServer_withService() {
		this.runner.withBean(GreeterService.class).run((context) -> {
			SummaryDescriptor rpc = context.getBean(RpcEndpoint.class).rpc();
			assertThat(rpc.registry().state()).isEqualTo(RegistryState.CONNECTED);
			assertThat(rpc.server().state()).isEqualTo(ServerState.ACCEPTING);
			assertThat(rpc.server().port())
				.isEqualTo(context.getEnvironment().getProperty("local.rpc.port", int.class));
			assertThat(rpc.server().advertisedEndpoint()).endsWith(":" + rpc.server().port());
			assertThat(rpc.server().location()).isNotEmpty();
			assertThat(rpc.server().services()).isOne();
			assertThat(rpc.server().pool().maxThreads()).isEqualTo(200);
			assertThat(rpc.client()).isNull();
			assertThat(rpc.references()).isEmpty();
			assertThat(rpc.startedAt()).isEqualTo(context.getStartupDate()).isLessThanOrEqualTo(rpc.at());
			assertThat(rpc.java()).isEqualTo(System.getProperty("java.version"));
		});
	}

	@Test
	void serviceReport_showsThreadLimits() {
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.server.services.Greeter.max-threads=8",
					"rpc.server.services.Greeter.methods.greet.max-threads=2")
			.run((context) -> {
				OfferedServiceDescriptor service = (OfferedServiceDescriptor) part(context, "services",
						Greeter.class.getName());
				assertThat(service.service()).isEqualTo(Greeter.class.getName());
				assertThat(service.signatures()).containsExactly("greet(java.lang.String)");
				assertThat(service.dispatch()).containsExactly(Dispatch.POOL);
				assertThat(service.calls()).isZero();
				assertThat(service.contractHash()).hasSize(32);
				assertThat(service.maxThreads()).isEqualTo(8);
				assertThat(service.methodMaxThreads()).isEqualTo(Map.of("greet", 2));
				OfferedServiceDescriptor.Lines all = (OfferedServiceDescriptor.Lines) part(context, "services");
				assertThat(all.services()).singleElement().satisfies((line) -> {
					assertThat(line.service()).isEqualTo(Greeter.class.getName());
					assertThat(line.methods()).isOne();
				});
			});
	}

	@Test
	void reference_isShownAndReportedAsFinding_withoutInstance() {
		this.runner.withBean(User.class).run((context) -> {
			SummaryDescriptor rpc = context.getBean(RpcEndpoint.class).rpc();
			assertThat(rpc.server()).isNull();
			assertThat(rpc.client().references()).isOne();
			assertThat(rpc.client().maxPendingCalls()).isEqualTo(65536);
			assertThat(rpc.client().batching()).isEqualTo("AUTO");
			assertThat(rpc.references()).singleElement().satisfies((reference) -> {
				assertThat(reference.service()).isEqualTo(Greeter.class.getName());
				assertThat(reference.ready()).isFalse();
				assertThat(reference.instances()).isZero();
			});
			assertThat(rpc.findings()).extracting(Finding::link).contains("#/references/" + Greeter.class.getName());
			ReferenceDescriptor one = (ReferenceDescriptor) part(context, "references", Greeter.class.getName());
			assertThat(one.ready()).isFalse();
			assertThat(one.instances()).isEmpty();
		});
	}

	@Test
	void unknownPath_returnsNull() {
		this.runner.withBean(GreeterService.class).withBean(User.class).run((context) -> {
			for (String path : List.of("x", "services/x", "services/x/y", "references/x", "instances/x", "methods/x",
					"methods/server/x/y", "methods/x/" + Greeter.class.getName() + "/greet(java.lang.String)",
					"connections/server", "connections/client/x", "connections/x/y", "calls/x", "settings/x",
					"history/x", "proto/x", "proto/x/y", "openapi/x")) {
				assertThat(part(context, path.split("/"))).as(path).isNull();
			}
		});
	}

	@Test
	void openApi_isDocumentOfServices() {
		this.runner.withBean(GreeterService.class)
			.run((context) -> assertThat((String) part(context, "openapi")).startsWith("{")
				.contains("/" + Greeter.class.getName() + "/Greet"));
	}

	@Test
	void openApi_isNullWithReason_withoutJson() {
		this.runner.run((context) -> {
			assertThat(part(context, "openapi")).isNull();
			assertThat(problem(context, "openapi")).isEqualTo("no OpenAPI, because this process has no server");
		});
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.server.protocols=native,grpc")
			.run((context) -> {
				assertThat(part(context, "openapi")).isNull();
				assertThat(problem(context, "openapi")).isEqualTo(
						"no OpenAPI, because protocols is grpc,native (expected: with connect, whose calls may be JSON)");
			});
	}

	private static String problem(ApplicationContext context, String... path) {
		return context.getBean(RpcEndpoint.class).problem(path);
	}

	@Test
	void emptyPath_returnsSummary() {
		this.runner.run((context) -> {
			assertThat(part(context)).isInstanceOf(SummaryDescriptor.class);
			assertThat(part(context, "")).isInstanceOf(SummaryDescriptor.class);
		});
	}

	@Test
	void reports_areEmpty_withoutServerAndClient() {
		this.runner.run((context) -> {
			SummaryDescriptor rpc = context.getBean(RpcEndpoint.class).rpc();
			assertThat(rpc.server()).isNull();
			assertThat(rpc.client()).isNull();
			for (String path : List.of("services", "references", "instances", "methods", "connections", "streams",
					"limits", "calls", "settings", "history", "proto")) {
				assertThat(part(context, path)).as(path).isNotNull();
			}
			assertThat(part(context, "connections")).isEqualTo(new ConnectionsReport.All(List.of(), List.of(), 0));
		});
	}

	@Test
	void endpoint_showsOnlyItsOwnContext() {
		this.runner.withBean(GreeterService.class).run((one) -> this.runner.withBean(User.class).run((other) -> {
			assertThat(one.getBean(RpcEndpoint.class).rpc().client()).isNull();
			assertThat(other.getBean(RpcEndpoint.class).rpc().server()).isNull();
			assertThat(other.getBean(RpcEndpoint.class).rpc().client()).isNotNull();
		}));
	}

	private static Object part(ApplicationContext context, String... path) {
		return context.getBean(RpcEndpoint.class).part(path, null);
	}

	@Test
	void endpoint_isAbsent_unlessExposed() {
		this.runner
			.withPropertyValues("management.endpoints.web.exposure.include=health",
					"management.endpoints.jmx.exposure.include=health")
			.run((context) -> assertThat(context).doesNotHaveBean(RpcEndpoint.class));
	}

	@Test
	void health_isUp_withoutServerAndReferences() {
		this.runner.run((context) -> {
			Health health = health(context.getBean(RpcHealthIndicator.class));
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("references", 0)
				.containsEntry("referencesWithoutInstance", Map.of());
		});
	}

	@Test
	void health_isDegradedAndNamesReference_withoutInstance() {
		this.runner.withBean(User.class).run((context) -> {
			Health health = health(context.getBean(RpcHealthIndicator.class));
			assertThat(health.getStatus()).isEqualTo(RpcHealthIndicator.DEGRADED);
			assertThat(health.getDetails().get("referencesWithoutInstance")).asString()
				.contains(Greeter.class.getName(), "no instance of it is known to");
		});
	}

	@Test
	void health_isDegraded_whenRegistryIsDisconnected() {
		this.runner.withBean(Registry.class, LostRegistry::new).run((context) -> {
			Health health = health(context.getBean(RpcHealthIndicator.class));
			assertThat(health.getStatus()).isEqualTo(RpcHealthIndicator.DEGRADED);
			assertThat(health.getDetails()).containsEntry("registry",
					Map.of("description", "lost", "state", "DISCONNECTED", "since", "2026-01-01T12:00:00Z"));
		});
	}

	@Test
	void healthDetails_showServerAndThreads() {
		this.runner.withBean(GreeterService.class).run((context) -> {
			Health health = health(context.getBean(RpcHealthIndicator.class));
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails())
				.containsEntry("server", Map.of("state", "ACCEPTING", "inFlightCalls", 0, "connections", 0))
				.containsEntry("threads", Map.of("max", 200, "busy", 0, "waitingCalls", 0));
		});
	}

	@Test
	void healthIndicator_isAbsent_whenDisabled() {
		this.runner.withPropertyValues("management.health.rpc.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RpcHealthIndicator.class));
	}

	private static Health health(RpcHealthIndicator indicator) {
		Health health = indicator.health(true);
		assertThat(health).isNotNull();
		return health;
	}

	@RpcService
	public static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			return "Hello " + name;
		}

	}

	public static class User {

		@RpcReference
		private Greeter greeter;

	}

	public static class LostRegistry extends OtherRegistry {

		@Override
		public Instant stateSince() {
			return Instant.parse("2026-01-01T12:00:00Z");
		}

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
