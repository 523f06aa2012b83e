package io.rpcboot.spring.autoconfigure.client;

import java.util.Map;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.spring.autoconfigure.fixture.StartFailure;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.assertj.core.api.AbstractListAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/** Names of references, services and methods in properties and environment variables. */
@ExtendWith(OutputCaptureExtension.class)
class NamesInPropertiesTests {

	private static final String ADDRESS = "127.0.0.1:1";

	private static final String LATER = " If a child context or a bean that is created later uses it, set "
			+ "rpc.client.allow-unknown-references to true.";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0", "rpc.client.warm-up=0")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class));

	private ApplicationContextRunner withVariable(String name, String value) {
		return this.runner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(name, value))));
	}

	@Test
	@PropertyEffect("rpc.client.references")
	void environmentVariables_setReferenceProperties() {
		withVariable("RPC_CLIENT_REFERENCES_STOCKSERVICE_ADDRESSES", ADDRESS).withBean(CamelCase.class)
			.run((context) -> assertAddresses(context).containsExactly(ADDRESS));
		withVariable("RPC_CLIENT_REFERENCES_STOCKSERVICE_ADDRESSES", ADDRESS).withBean(Kebab.class)
			.run((context) -> assertAddresses(context).containsExactly(ADDRESS));
	}

	@Test
	void environmentVariables_overrideFiles() {
		withVariable("RPC_CLIENT_REFERENCES_STOCKSERVICE_ADDRESSES", ADDRESS).withBean(CamelCase.class)
			.withPropertyValues("rpc.client.references.stockService.addresses=127.0.0.1:2",
					"rpc.client.references.stockService.version=2")
			.run((context) -> {
				assertAddresses(context).containsExactly(ADDRESS);
				assertThat(context.getBean(RpcClient.class).references())
					.allSatisfy((reference) -> assertThat(reference.service().version()).isEqualTo("2"));
			});
	}

	@Test
	@PropertyEffect({ "rpc.server.services", "rpc.server.services.<name>.methods.<method>.max-threads" })
	void environmentVariables_setServiceAndMethodProperties() {
		withVariable("RPC_SERVER_SERVICES_GREETER_METHODS_GREET_MAXTHREADS", "3").withBean(GreeterService.class)
			.run((context) -> assertThat(context.getBean(RpcServer.class).services())
				.allSatisfy((service) -> assertThat(service.methodMaxThreads()).containsEntry("greet", 3)));
	}

	@Test
	void exactName_isPreferredToRelaxedMatch() {
		this.runner.withBean(CamelCase.class)
			.withBean(Kebab.class)
			.withPropertyValues("rpc.client.references.stock-service.addresses=" + ADDRESS)
			.run((context) -> assertAddresses(context).containsExactly(ADDRESS));
	}

	@Test
	void ambiguousName_isRejected() {
		FailureAnalysis analysis = StartFailure
			.of(withVariable("RPC_CLIENT_REFERENCES_STOCKSERVICE_ADDRESSES", ADDRESS).withBean(CamelCase.class)
				.withBean(Kebab.class));
		assertThat(analysis.getDescription())
			.startsWith("rpc.client.references: 'stockservice' (expected: an entry for one name; "
					+ "environment variables and Spring Boot do not distinguish 'stock-service', 'stockService')")
			.contains("Set in: \"RPC_CLIENT_REFERENCES_STOCKSERVICE_ADDRESSES\"");
		assertThat(analysis.getAction())
			.isEqualTo("Rename one of them, so that they differ in more than capitals and punctuation.");
	}

	@Test
	void exactEntries_areRejected_whenSpringBootMergesThem() {
		assertThat(StartFailure
			.of(this.runner.withBean(CamelCase.class)
				.withBean(Kebab.class)
				.withPropertyValues("rpc.client.references.stock-service.addresses=" + ADDRESS,
						"rpc.client.references.stockService.version=2"))
			.getDescription()).contains("'stock-service', 'stockService' (expected: an entry for one");
	}

	@Test
	void entries_areRejected_whenTwoSpellingsNameOneReference() {
		FailureAnalysis analysis = StartFailure
			.of(withVariable("RPC_CLIENT_REFERENCES_STOCKSERVICE_ADDRESSES", ADDRESS).withBean(Dotted.class)
				.withPropertyValues("rpc.client.references[stock.service].version=1"));
		assertThat(analysis.getDescription()).startsWith(
				"rpc.client.references: 'stockservice', 'stock.service' (expected: one entry for 'stock.service')");
		assertThat(analysis.getAction()).isEqualTo("Write the name in the same way in all of these settings.");
	}

	@Test
	void referenceProperties_failStartup_withoutMatchingReference() {
		FailureAnalysis analysis = StartFailure.of(this.runner.withBean(CamelCase.class)
			.withBean(Users.class)
			.withPropertyValues("rpc.client.references.stokService.addresses=" + ADDRESS));
		assertThat(analysis.getDescription())
			.startsWith("rpc.client.references: 'stokService' (expected: the name of a reference: stockService, users)")
			.contains("Set in: \"rpc.client.references.stokService.addresses\" from property source \"test\"");
		assertThat(analysis.getAction()).isEqualTo("Correct or remove the setting." + LATER);
	}

	@Test
	void referenceProperties_failStartup_whenReferenceHasNoName() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withBean(Unnamed.class).withPropertyValues("rpc.client.references.g.addresses=" + ADDRESS));
		assertThat(analysis.getDescription())
			.startsWith("rpc.client.references: 'g' (expected: the name of a reference: none has one; without a name: "
					+ Greeter.class.getName() + ")");
		assertThat(analysis.getAction())
			.isEqualTo("Name the reference, @RpcReference(name = \"g\"), or correct or remove the setting." + LATER);
	}

	@Test
	void serviceProperties_failStartup_withoutMatchingReference() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withBean(CamelCase.class).withPropertyValues("rpc.client.services.Greetr.timeout=1s"));
		assertThat(analysis.getDescription())
			.startsWith("rpc.client.services: 'Greetr' (expected: the simple name of an interface with a reference: "
					+ "Greeter)")
			.contains("Set in: \"rpc.client.services.Greetr.timeout\" from property source \"test\"");
		assertThat(analysis.getAction()).isEqualTo("Set rpc.client.services.Greeter, or remove the setting." + LATER);
	}

	@Test
	void advice_distinguishesReferenceNamesFromServiceNames() {
		assertThat(StartFailure
			.of(this.runner.withBean(CamelCase.class).withPropertyValues("rpc.client.services.stockService.timeout=1s"))
			.getAction())
			.isEqualTo("Correct or remove the setting. Settings of the reference with this name are under "
					+ "rpc.client.references.stockService." + LATER);
		assertThat(StartFailure
			.of(this.runner.withBean(Unnamed.class).withPropertyValues("rpc.client.references.Greeter.timeout=1s"))
			.getAction())
			.isEqualTo("Name the reference, @RpcReference(name = \"Greeter\"), or correct or "
					+ "remove the setting. Settings of all references to a service are under "
					+ "rpc.client.services.Greeter." + LATER);
	}

	@Test
	@PropertyEffect("rpc.client.services")
	void serviceProperties_matchSimpleNameOrServiceId() {
		this.runner.withBean(Unnamed.class)
			.withBean(CamelCase.class)
			.withPropertyValues("rpc.client.services.greeter.addresses=" + ADDRESS,
					"rpc.client.references.stockService.version=2",
					"rpc.client.services[io.rpcboot.spring.Greeter].addresses=127.0.0.1:2")
			.run((context) -> assertAddresses(context).containsExactlyInAnyOrder(ADDRESS, "127.0.0.1:2"));
		withVariable("RPC_CLIENT_SERVICES_GREETER_ADDRESSES", ADDRESS).withBean(Unnamed.class)
			.run((context) -> assertAddresses(context).containsExactly(ADDRESS));
	}

	@Test
	@PropertyEffect("rpc.client.allow-unknown-references")
	void unknownReferences_areAccepted_whenAllowedByProperty(CapturedOutput output) {
		this.runner.withBean(CamelCase.class)
			.withPropertyValues("rpc.client.references.others.timeout=1s", "rpc.client.services.Others.timeout=1s",
					"rpc.client.allow-unknown-references=true")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("others");
	}

	@ParameterizedTest
	@ValueSource(classes = { LazyBean.class, PrototypeBean.class, BeanMethodParameter.class, HiddenSingleton.class,
			ProvidedSomewhere.class })
	void referencesOfLateBeans_areKnownAtStartup(Class<?> configuration, CapturedOutput output) {
		this.runner.withUserConfiguration(configuration)
			.withPropertyValues("rpc.client.references.users.addresses=" + ADDRESS)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("rpc.client.references");
	}

	@Test
	void unknownReferenceName_isWarning_whenBeanClassIsUnknown(CapturedOutput output) {
		this.runner.withUserConfiguration(HiddenPrototype.class)
			.withBean(CamelCase.class)
			.withPropertyValues("rpc.client.references.users.addresses=" + ADDRESS)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				((Users) context.getBean("hidden")).greeter.toString();
				assertThat(context.getBean(RpcClient.class).references()).hasSize(1);
			});
		assertThat(output).contains("rpc.client.references: 'users' (expected: the name of a reference: stockService)");
	}

	@Test
	void unknownReferenceName_failsStartup_withPrototypeOfSpring() {
		RootBeanDefinition definition = new RootBeanDefinition(DefaultConversionService.class);
		definition.setFactoryMethodName("getSharedInstance");
		definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);
		assertThat(StartFailure
			.of(this.runner.withBean(CamelCase.class)
				.withInitializer((context) -> ((BeanDefinitionRegistry) context.getBeanFactory())
					.registerBeanDefinition("conversions", definition))
				.withPropertyValues("rpc.client.references.users.addresses=" + ADDRESS))
			.getDescription()).contains("'users' (expected: the name of a reference: stockService)");
	}

	@Test
	void unknownReferenceName_isWarning_inTestContext(CapturedOutput output) {
		this.runner.withBean(CamelCase.class)
			.withPropertyValues("rpc.client.references.others.timeout=1s", "rpc.client.services.Others.timeout=1s",
					"org.springframework.boot.test.context.SpringBootTestContextBootstrapper=true")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("rpc.client.references: 'others' (expected:")
			.contains("rpc.client.services: 'Others' (expected:");
	}

	@Test
	void unknownReferenceName_isWarning_withoutReferences(CapturedOutput output) {
		this.runner.withPropertyValues("rpc.client.references.others.timeout=1s")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains("rpc.client.references: 'others' (expected: the name of a reference: none has one)");
	}

	@Test
	void childContext_knowsReferencesOfParent() {
		this.runner.withBean(CamelCase.class).run((parent) -> {
			try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
				child.setParent(parent);
				child.getEnvironment()
					.getPropertySources()
					.addFirst(new MapPropertySource("child", Map.of("rpc.client.references.stockService.timeout", "1s",
							"rpc.client.references.users.timeout", "1s")));
				child.register(Users.class, RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
						RpcSerializationAutoConfiguration.class);
				child.refresh();
				assertThat(child.getBean(Users.class).greeter)
					.hasToString("rpcReference:" + Greeter.class.getName() + "#users");
			}
		});
	}

	private static AbstractListAssert<?, ?, String, ?> assertAddresses(ApplicationContext context) {
		return assertThat(context.getBean(RpcClient.class)
			.references()
			.stream()
			.map(ReferenceInfo::instances)
			.flatMap((instances) -> instances.stream())
			.map((instance) -> instance.endpoint().toString())
			.toList());
	}

	static class CamelCase {

		@RpcReference(name = "stockService")
		private Greeter greeter;

	}

	static class Kebab {

		@RpcReference(name = "stock-service")
		private Greeter greeter;

	}

	static class Dotted {

		@RpcReference(name = "stock.service")
		private Greeter greeter;

	}

	static class Unnamed {

		@RpcReference
		private Greeter g;

	}

	static class Users {

		@RpcReference(name = "users")
		private Greeter greeter;

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyBean {

		@Bean
		@Lazy
		Users lazy() {
			return new Users();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrototypeBean {

		@Bean
		@Scope("prototype")
		Users prototype() {
			return new Users();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BeanMethodParameter {

		@Bean
		@Lazy
		Runnable greeting(@RpcReference(name = "users") Greeter greeter) {
			return () -> greeter.greet("Ann");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HiddenSingleton {

		@Bean
		Object hidden() {
			return new Users();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProvidedSomewhere {

		ProvidedSomewhere(@RpcReference(name = "users") ObjectProvider<Greeter> greeter) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HiddenPrototype {

		@Bean
		@Scope("prototype")
		Object hidden() {
			return new Users();
		}

	}

	@RpcService
	static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			return "Hello " + name;
		}

	}

}
