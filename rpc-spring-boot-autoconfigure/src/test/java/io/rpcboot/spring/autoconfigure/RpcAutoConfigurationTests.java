package io.rpcboot.spring.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.client.RpcClient;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.dns.DnsOptions;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistry;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcClientBuilderCustomizer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcServerBuilderCustomizer;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.spring.autoconfigure.fixture.StartFailure;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryConnectionDetails;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import io.rpcboot.spring.lifecycle.RpcServerLifecycle;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.Mockito;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

public class RpcAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcMetricsAutoConfiguration.class,
				RpcRegistryAutoConfiguration.class, RpcSerializationAutoConfiguration.class,
				RpcServerAutoConfiguration.class));

	@Test
	void server_isAbsent_withoutServices() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(RpcClient.class)
			.hasSingleBean(InMemoryRegistry.class)
			.doesNotHaveBean(RpcServer.class)
			.doesNotHaveBean(RpcServerLifecycle.class)
			.doesNotHaveBean(MicrometerRpcMetrics.class));
	}

	@Test
	void client_isNotCreated_withoutReferences() {
		this.runner.withBean(GreeterService.class)
			.run((context) -> assertThat(context.getBeanFactory().containsSingleton("rpcClient")).isFalse());
		this.runner.withBean(NamedUser.class)
			.run((context) -> assertThat(context.getBeanFactory().containsSingleton("rpcClient")).isTrue());
	}

	@Test
	void context_starts_whenClientIsDisabled() {
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.client.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RpcServer.class));
	}

	@Test
	void context_starts_whenValidationIsDisabled() {
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.server.validation.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RpcServer.class));
	}

	@Test
	void meters_existOnlyForActiveSide() {
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(GreeterService.class)
			.run((context) -> assertThat(meters(context)).contains("rpc.server.pool.busy", "rpc.server.connections")
				.noneMatch((name) -> name.startsWith("rpc.client.")));
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(NamedUser.class)
			.run((context) -> assertThat(meters(context)).contains("rpc.client.calls.held", "rpc.client.connections")
				.noneMatch((name) -> name.startsWith("rpc.server.")));
	}

	private static List<String> meters(ApplicationContext context) {
		return context.getBean(MeterRegistry.class)
			.getMeters()
			.stream()
			.map((meter) -> meter.getId().getName())
			.filter((name) -> name.startsWith("rpc."))
			.toList();
	}

	@Test
	void applicationName_keepsSpace_inLocation() {
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("spring.application.name=Order Service")
			.run((context) -> assertThat(context.getBean(RpcServer.class).registeredLocation())
				.startsWith("memory:/Order Service/"));
	}

	@Test
	void server_startsAndRegisters_withService() {
		this.runner.withBean(GreeterService.class).run((context) -> {
			RpcServer server = context.getBean(RpcServer.class);
			assertThat(server.services()).extracting((service) -> service.service().name())
				.containsExactly(Greeter.class.getName());
			assertThat(context.getEnvironment().getProperty("local.rpc.port", int.class)).isEqualTo(server.port())
				.isPositive();
			assertThat(server.registeredLocation()).isNotEmpty();
		});
	}

	@Test
	void childContext_hasItsOwnServer_withServices() {
		this.runner.withBean(GreeterService.class)
			.run((parent) -> this.runner.withParent(parent).withBean(CounterService.class).run((child) -> {
				RpcServer server = child.getBean(RpcServer.class);
				assertThat(server).isNotSameAs(parent.getBean(RpcServer.class));
				assertThat(server.services()).extracting((service) -> service.service().name())
					.containsExactly(Counter.class.getName());
				assertThat(server.port()).isPositive();
				assertThat(server.registeredLocation()).isNotEmpty();
				assertThat(child.getBean(RpcServerLifecycle.class))
					.isNotSameAs(parent.getBean(RpcServerLifecycle.class));
			}));
	}

	@Test
	void childContext_hasNoServer_withoutServices() {
		this.runner.withBean(GreeterService.class)
			.run((parent) -> this.runner.withParent(parent)
				.run((child) -> assertThat(child.containsLocalBean("rpcServer")).isFalse()));
	}

	@Test
	void childReferences_useClientOfParent() {
		this.runner.run((parent) -> this.runner.withParent(parent).withBean(NamedUser.class).run((child) -> {
			assertThat(child.containsLocalBean("rpcClient")).isFalse();
			assertThat(parent.getBeanFactory().containsSingleton("rpcClient")).isTrue();
			assertThat(parent.getBean(RpcClient.class).references()).hasSize(1);
		}));
	}

	@Test
	void server_isAbsent_whenDisabled() {
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.server.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RpcServer.class));
	}

	@Test
	void client_isReplacedByBeanOfApplication() {
		RpcClient client = RpcClient.builder().build();
		this.runner.withBean(RpcClient.class, () -> client)
			.run((context) -> assertThat(context.getBean(RpcClient.class)).isSameAs(client));
	}

	@Test
	void server_isReplacedByBeanOfApplication() {
		this.runner
			.withBean(RpcServer.class,
					() -> RpcServer.builder().port(0).service(Greeter.class, new GreeterService()).build())
			.run((context) -> {
				assertThat(context).hasSingleBean(RpcServer.class).hasSingleBean(RpcServerLifecycle.class);
				assertThat(context.getBean(RpcServer.class).port()).isPositive();
			});
	}

	@Test
	void registry_isReplacedByBeanOfApplication() {
		InMemoryRegistry registry = new InMemoryRegistry();
		this.runner.withBean("mine", Registry.class, () -> registry)
			.withPropertyValues("rpc.registry.zookeeper.connect-string=localhost:1")
			.run((context) -> assertThat(context.getBean(Registry.class)).isSameAs(registry));
	}

	@Test
	void metrics_areReplacedByBeanOfApplication() {
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("mine", RpcMetrics.class, RpcMetrics::none)
			.run((context) -> assertThat(context).hasBean("mine").doesNotHaveBean(MicrometerRpcMetrics.class));
	}

	@Test
	void micrometerMetrics_arePresent_withMeterRegistry() {
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasSingleBean(MicrometerRpcMetrics.class));
	}

	@Test
	void context_starts_withoutMicrometer() {
		this.runner.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("rpcMetrics"));
	}

	@Test
	void serverCustomizer_overridesProperties() {
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.server.advertised-address=127.0.0.2")
			.withBean(RpcServerBuilderCustomizer.class, () -> (builder) -> builder.advertisedAddress("127.0.0.3"))
			.run((context) -> assertThat(context.getBean(RpcServer.class).advertisedEndpoint().host())
				.isEqualTo("127.0.0.3"));
	}

	@Test
	void clientCustomizer_isApplied() {
		this.runner.withBean(NamedUser.class)
			.withBean(RpcClientBuilderCustomizer.class, () -> (builder) -> builder.timeout(Duration.ZERO))
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageStartingWith("timeout: PT0S"));
	}

	@Test
	void connectString_selectsZooKeeper() {
		this.runner.withPropertyValues("rpc.registry.zookeeper.connect-string=localhost:1")
			.run((context) -> assertThat(context.getBean(Registry.class)).isInstanceOf(ZooKeeperRegistry.class)
				.extracting(Registry::description)
				.asString()
				.contains("localhost:1"));
	}

	@Test
	void connectionDetails_selectZooKeeperAndOverrideProperties() {
		this.runner.withPropertyValues("rpc.registry.zookeeper.connect-string=localhost:1")
			.withBean(RpcRegistryConnectionDetails.class, () -> () -> "localhost:2")
			.run((context) -> assertThat(context.getBean(Registry.class).description()).contains("localhost:2"));
		this.runner.withBean(RpcRegistryConnectionDetails.class, () -> () -> "localhost:3")
			.run((context) -> assertThat(context.getBean(Registry.class).description()).contains("localhost:3"));
	}

	@Test
	@PropertyEffect("rpc.registry.type")
	void registryType_overridesConnectString() {
		this.runner
			.withPropertyValues("rpc.registry.zookeeper.connect-string=localhost:1", "rpc.registry.type=in-memory")
			.run((context) -> assertThat(context).hasSingleBean(InMemoryRegistry.class)
				.doesNotHaveBean(ZooKeeperRegistry.class));
	}

	@ParameterizedTest
	@CsvSource({ "IN_MEMORY, InMemoryRegistry", "in_memory, InMemoryRegistry", "inMemory, InMemoryRegistry",
			"In-Memory, InMemoryRegistry", "DISCOVERY_CLIENT, DiscoveryClientRegistry",
			"discovery_client, DiscoveryClientRegistry", "ZOOKEEPER, ZooKeeperRegistry" })
	void registryType_isBoundInRelaxedForm(String type, String registry) {
		this.runner.withBean(DiscoveryClient.class, () -> Mockito.mock(DiscoveryClient.class))
			.withPropertyValues("rpc.registry.zookeeper.connect-string=localhost:1")
			.withInitializer(
					(context) -> context.getEnvironment()
						.getPropertySources()
						.addFirst(new SystemEnvironmentPropertySource(
								StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
								Map.of("RPC_REGISTRY_TYPE", type))))
			.run((context) -> assertThat(context.getBean(Registry.class).getClass().getSimpleName())
				.isEqualTo(registry));
	}

	@Test
	void connectString_isRejected_withEmbeddedServer() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withPropertyValues("rpc.registry.zookeeper.connect-string=zk1:2181",
					"rpc.registry.zookeeper.embedded.enabled=true", "rpc.registry.zookeeper.embedded.port=0"));
		assertThat(analysis.getDescription())
			.startsWith("rpc.registry.zookeeper.connect-string: zk1:2181 (expected: not set with "
					+ "rpc.registry.zookeeper.embedded.enabled, which");
		assertThat(analysis.getAction()).isEqualTo("Remove rpc.registry.zookeeper.connect-string, "
				+ "or set rpc.registry.zookeeper.embedded.enabled to false.");
	}

	@Test
	void embeddedServerFailure_namesPortProperty_whenPortIsTaken() throws IOException {
		try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			FailureAnalysis analysis = StartFailure
				.of(this.runner.withPropertyValues("rpc.registry.zookeeper.embedded.enabled=true",
						"rpc.registry.zookeeper.embedded.port=" + taken.getLocalPort()));
			assertThat(analysis.getDescription())
				.startsWith("rpc.registry.zookeeper.embedded.port: " + taken.getLocalPort());
			assertThat(analysis.getAction()).startsWith("Set rpc.registry.zookeeper.embedded.port to another port");
		}
	}

	@Test
	void registry_isAbsent_whenTypeIsNone() {
		this.runner.withPropertyValues("rpc.registry.type=none")
			.run((context) -> assertThat(context).doesNotHaveBean(Registry.class).hasNotFailed());
	}

	@Test
	void referenceFailure_namesRegistryType_withoutRegistry() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withBean(NamedUser.class).withPropertyValues("rpc.registry.type=none"));
		assertThat(analysis.getDescription()).contains("has no addresses and the client has no registry");
		assertThat(analysis.getAction()).isEqualTo("Set rpc.registry.type to in-memory, zookeeper or discovery-client "
				+ "instead of none, or rpc.client.services.Greeter.addresses to the addresses of its servers.");
	}

	@Test
	@PropertyEffect({ "rpc.client.references.users.addresses", "rpc.client.references.users.version",
			"rpc.client.references.users.group" })
	void referenceProperties_overrideAnnotation() {
		this.runner.withBean(NamedUser.class)
			.withPropertyValues("rpc.client.references.greeting.addresses=127.0.0.1:1,[::1]:2",
					"rpc.client.references.greeting.version=3", "rpc.client.references.greeting.group=eu")
			.run((context) -> assertThat(context.getBean(RpcClient.class).references()).singleElement()
				.satisfies((reference) -> {
					assertThat(reference.service()).hasToString(Greeter.class.getName() + ":3@eu");
					assertThat(reference.source()).startsWith("static");
					assertThat(reference.instances()).extracting((instance) -> instance.endpoint().toString())
						.containsExactlyInAnyOrder("127.0.0.1:1", "[::1]:2");
				}));
	}

	@Test
	void dnsAddress_becomesInstancePerResolvedAddress() {
		this.runner.withBean(NamedUser.class)
			.withPropertyValues("rpc.client.references.greeting.addresses=127.0.0.1:1,dns:greeters:2",
					"rpc.client.dns.interval=1m")
			.withBean(RpcClientBuilderCustomizer.class, () -> (builder) -> builder.dns(DnsOptions.defaults()
				.withResolver((host) -> host.equals("greeters")
						? List.of(InetAddress.getByName("127.0.0.3"), InetAddress.getByName("127.0.0.2")) : List.of())))
			.run((context) -> {
				RpcClient client = context.getBean(RpcClient.class);
				client.awaitConnected(Duration.ofSeconds(20));
				assertThat(client.references()).singleElement().satisfies((reference) -> {
					assertThat(reference.source()).isEqualTo("127.0.0.1:1, dns:greeters:2");
					assertThat(reference.instances()).extracting((instance) -> instance.endpoint().toString())
						.startsWith("127.0.0.1:1");
				});
				Awaitility.await().until(() -> client.references().get(0).instances().size() == 3);
			});
	}

	/** With dashes of the name as underscores, too, as Spring Boot takes them. */
	@ParameterizedTest
	@CsvSource({ "RPC_SERVER_ADVERTISED_ADDRESS, RPC_SERVER_ADVERTISED_PORT",
			"RPC_SERVER_ADVERTISEDADDRESS, RPC_SERVER_ADVERTISEDPORT" })
	void environmentVariables_setAdvertisedEndpoint(String address, String port) {
		this.runner.withBean(GreeterService.class)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
						new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
								Map.of(address, "127.0.0.5", port, "31090"))))
			.run((context) -> {
				RpcServer server = context.getBean(RpcServer.class);
				assertThat(server.advertisedEndpoint()).hasToString("127.0.0.5:31090");
				assertThat(context.getEnvironment().getProperty("local.rpc.port"))
					.isEqualTo(String.valueOf(server.port()))
					.isNotEqualTo("31090");
			});
	}

	@RpcService
	static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			return "Hello " + name;
		}

	}

	public interface Counter {

		int count();

	}

	@RpcService
	public static class CounterService implements Counter {

		@Override
		public int count() {
			return 1;
		}

	}

	static class NamedUser {

		@RpcReference(name = "greeting", version = "1")
		private Greeter greeter;

	}

}
