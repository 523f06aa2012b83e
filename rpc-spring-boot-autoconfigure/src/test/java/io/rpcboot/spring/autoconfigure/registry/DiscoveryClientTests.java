package io.rpcboot.spring.autoconfigure.registry;

import java.time.Duration;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.mockito.Mockito;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.client.ReferenceInfo.Instance;
import io.rpcboot.Endpoint;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.List;

import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import io.rpcboot.spring.discovery.DiscoveryClientRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.composite.CompositeDiscoveryClientAutoConfiguration;
import org.springframework.cloud.client.discovery.simple.SimpleDiscoveryClientAutoConfiguration;
import org.springframework.cloud.commons.util.UtilAutoConfiguration;

import static io.rpcboot.spring.autoconfigure.fixture.FailureAnalyses.analyze;
import static org.assertj.core.api.Assertions.assertThat;

/** {@code rpc.registry.type=discovery-client}, with Spring Cloud's simplest client. */
class DiscoveryClientTests {

	private final ApplicationContextRunner withoutClient = new ApplicationContextRunner()
		.withPropertyValues("rpc.registry.type=discovery-client", "spring.application.name=test",
				"rpc.server.shutdown.grace-period=0")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class));

	private final ApplicationContextRunner runner = this.withoutClient
		.withConfiguration(AutoConfigurations.of(SimpleDiscoveryClientAutoConfiguration.class,
				CompositeDiscoveryClientAutoConfiguration.class, UtilAutoConfiguration.class));

	@Test
	@PropertyEffect("rpc.registry.discovery-client.applications")
	void call_reachesInstanceFromDiscoveryClient() {
		this.withoutClient.withBean(GreeterService.class)
			.withPropertyValues("rpc.server.port=0", "rpc.registry.type=in-memory")
			.run((provider) -> this.runner.withBean(Caller.class)
				.withPropertyValues("rpc.registry.discovery-client.applications.Greeter=greeters",
						"spring.cloud.discovery.client.simple.instances.greeters[0].uri=http://127.0.0.1:1",
						"spring.cloud.discovery.client.simple.instances.greeters[0].metadata.rpc-port="
								+ provider.getBean(RpcServer.class).port())
				.run((consumer) -> {
					RpcClient client = consumer.getBean(RpcClient.class);
					assertThat(client.awaitConnected(Duration.ofSeconds(20))).isEmpty();
					assertThat(consumer.getBean(Caller.class).greeter.greet("you")).contains("you");
					assertThat(client.references()).singleElement().satisfies((reference) -> {
						assertThat(reference.source()).startsWith("the DiscoveryClient (Composite Discovery Client");
						assertThat(reference.instances()).singleElement()
							.satisfies((instance) -> assertThat(instance.application()).isEqualTo("greeters"));
					});
				}));
	}

	/** The second instance has the port that the default would look for. */
	@Test
	@PropertyEffect("rpc.registry.discovery-client.port-metadata")
	void port_isThatOfNamedMetadata() {
		String instance = "spring.cloud.discovery.client.simple.instances.greeters[0].";
		this.runner.withBean(Caller.class)
			.withPropertyValues("rpc.registry.discovery-client.applications.Greeter=greeters",
					"rpc.registry.discovery-client.port-metadata=my-port", instance + "uri=http://127.0.0.1:1",
					instance + "metadata.rpc-port=2", instance + "metadata.my-port=3")
			.run((context) -> {
				RpcClient client = context.getBean(RpcClient.class);
				Applications.eventually(() -> !client.references().get(0).instances().isEmpty());
				assertThat(client.references().get(0).instances()).extracting(Instance::endpoint)
					.containsExactly(new Endpoint("127.0.0.1", 3));
			});
	}

	/** The default would take 40 s. */
	@Test
	@PropertyEffect("rpc.registry.discovery-client.interval")
	void application_isLookedUpAtIntervals() {
		DiscoveryClient discovery = Mockito.mock(DiscoveryClient.class);
		AtomicInteger lookups = new AtomicInteger();
		Mockito.when(discovery.getInstances("greeters")).then((call) -> {
			lookups.incrementAndGet();
			return List.of(new DefaultServiceInstance("1", "greeters", "127.0.0.1", 1, false));
		});
		this.withoutClient.withBean(DiscoveryClient.class, () -> discovery)
			.withBean(Caller.class)
			.withPropertyValues("rpc.registry.discovery-client.applications.Greeter=greeters",
					"rpc.registry.discovery-client.interval=1s")
			.run((context) -> Applications.eventually(() -> lookups.get() >= 5));
	}

	@Test
	void server_isNotRegistered_withDiscoveryClient() {
		this.runner.withBean(GreeterService.class).withPropertyValues("rpc.server.port=0").run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(DiscoveryClientRegistry.class);
			assertThat(context.getBean(RpcServer.class).registeredLocation()).isEmpty();
		});
	}

	@Test
	void reference_failsStartup_withoutApplicationMapping() {
		this.runner.withBean(Caller.class).run((context) -> {
			FailureAnalysis analysis = analyze(context);
			assertThat(analysis.getDescription())
				.contains("rpc.registry.discovery-client.applications: nothing is set for " + Greeter.class.getName());
			assertThat(analysis.getAction()).startsWith("Set rpc.registry.discovery-client.applications.Greeter to ")
				.contains("rpc.registry.discovery-client.applications." + Greeter.class.getPackageName() + " for all");
		});
	}

	@Test
	void reference_needsNoApplicationMapping_withAddresses() {
		this.runner.withBean(Caller.class)
			.withPropertyValues("rpc.client.services.Greeter.addresses=127.0.0.1:1")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void registryType_isRejected_withoutDiscoveryClient() {
		this.withoutClient.run((context) -> {
			FailureAnalysis analysis = analyze(context);
			assertThat(analysis.getDescription())
				.contains("rpc.registry.type: discovery-client, but there is no bean of type DiscoveryClient");
			assertThat(analysis.getAction()).contains("spring-cloud-starter-netflix-eureka-client");
		});
		this.withoutClient.withClassLoader(new FilteredClassLoader(DiscoveryClient.class))
			.run((context) -> assertThat(analyze(context).getDescription())
				.contains("rpc.registry.type: discovery-client, but Spring Cloud is not on the class path"));
	}

	@Test
	void shortInterval_isRejected() {
		this.runner.withPropertyValues("rpc.registry.discovery-client.interval=500ms")
			.run((context) -> assertThat(
					analyze(context, "rpc.registry.discovery-client.interval", "PT0.5S").getDescription())
				.contains("1s or more"));
	}

	@Test
	void registry_staysInMemory_whenOnlyDiscoveryClientIsPresent() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RpcRegistryAutoConfiguration.class,
					SimpleDiscoveryClientAutoConfiguration.class, UtilAutoConfiguration.class))
			.run((context) -> assertThat(context).hasSingleBean(DiscoveryClient.class)
				.hasSingleBean(InMemoryRegistry.class)
				.doesNotHaveBean(DiscoveryClientRegistry.class));
	}

	static class Caller {

		@RpcReference
		private Greeter greeter;

	}

}
