package io.rpcboot.spring.test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.OtherRegistry;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryConnectionDetails;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;

/** Registries of tests, by where their properties are. A profile is an application's. */
@ExtendWith(OutputCaptureExtension.class)
class OwnRegistryTests {

	private static final String LINE = "This test does not use the registry of the application (";

	/** For the test without Spring Boot, whose properties set no levels. */
	private final Logger logger = (Logger) LoggerFactory.getLogger("rpc.spring");

	private final Level level = this.logger.getLevel();

	@BeforeEach
	void logInformation() {
		this.logger.setLevel(Level.INFO);
	}

	@AfterEach
	void resetLevel() {
		this.logger.setLevel(this.level);
	}

	@ParameterizedTest
	@ValueSource(classes = { OfApplication.class, OfApplication.Inner.class, TypeOfApplication.class, Embedded.class,
			Discovery.class, WithoutBoot.class, WithPort.class, OtherProperty.class })
	void registryOfApplication_isNotUsed(Class<?> test, CapturedOutput output) {
		try (Started context = start(test)) {
			assertThat(context.get().getBean(Registry.class)).isExactlyInstanceOf(InMemoryRegistry.class);
			assertThat(context.get().getBean(RpcServer.class).registeredLocation()).doesNotContain("zookeeper");
			assertThat(context.get().getBean(User.class).greeter.greet("Ann")).isEqualTo("Hi Ann");
		}
		assertThat(output).containsOnlyOnce(LINE).contains("rpc.registry.use-in-tests to true");
	}

	@Test
	void unusedProperties_areNamed(CapturedOutput output) {
		start(TypeOfApplication.class).close();
		assertThat(output).contains(LINE + "rpc.registry.type, rpc.registry.zookeeper.connect-string)");
	}

	@Test
	void referencesOfOthers_areNoWarning(CapturedOutput output) {
		try (Started context = start(Consumer.class)) {
			assertThat(context.get().getBean(Registry.class)).isExactlyInstanceOf(InMemoryRegistry.class);
		}
		assertThat(output).contains(LINE).doesNotContain("No bean of this process offers");
	}

	@Test
	void systemProperty_isOfApplication() {
		System.setProperty("rpc.registry.zookeeper.connect-string", "127.0.0.1:1");
		try (Started context = start(Plain.class)) {
			assertThat(context.get().getBean(Registry.class)).isExactlyInstanceOf(InMemoryRegistry.class);
		}
		finally {
			System.clearProperty("rpc.registry.zookeeper.connect-string");
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { InProperties.class, InPropertySource.class, InDynamicProperties.class, InArguments.class,
			DefinedPort.class, Details.class, UsedInTest.class, UsedInTests.class, TypeWithDetails.class })
	@PropertyEffect("rpc.registry.use-in-tests")
	void registryOfTest_isUsed(Class<?> test, CapturedOutput output) {
		try (Started context = start(test)) {
			assertThat(context.get().getBean(Registry.class).description()).startsWith("zookeeper at 127.0.0.1:1");
		}
		assertThat(output).doesNotContain(LINE);
	}

	@Test
	void embeddedServerOfTest_replacesAddressOfApplication(CapturedOutput output) {
		try (Started context = start(EmbeddedOfTest.class)) {
			assertThat(context.get().getBean(Registry.class).description()).startsWith("zookeeper at 127.0.0.1:")
				.doesNotContain("127.0.0.1:1/");
		}
		assertThat(output).doesNotContain(LINE);
	}

	@Test
	void registryBean_isUsed(CapturedOutput output) {
		try (Started context = start(OwnBean.class)) {
			assertThat(context.get().getBean(Registry.class)).isInstanceOf(OtherRegistry.class);
		}
		assertThat(output).doesNotContain(LINE);
	}

	@Test
	void absentRegistry_staysAbsent(CapturedOutput output) {
		try (Started context = start(NoRegistry.class)) {
			assertThat(context.get().getBeanProvider(Registry.class).getIfAvailable()).isNull();
		}
		assertThat(output).doesNotContain(LINE);
	}

	@Test
	void applicationWithoutRegistry_hasNoLine(CapturedOutput output) {
		start(Plain.class).close();
		assertThat(output).doesNotContain(LINE);
	}

	private static Started start(Class<?> test) {
		TestContext context = new TestContextManager(test).getTestContext();
		context.getApplicationContext();
		return new Started(context);
	}

	/** A context that leaves the cache when it is closed. */
	private record Started(TestContext test) implements AutoCloseable {

		ApplicationContext get() {
			return this.test.getApplicationContext();
		}

		@Override
		public void close() {
			this.test.markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ GreeterService.class, User.class })
	static class Application {

	}

	@RpcService
	static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			return "Hi " + name;
		}

	}

	static class User {

		@RpcReference(timeout = "30s", waitForInstance = "30s")
		private Greeter greeter;

	}

	@Target(ElementType.TYPE)
	@Retention(RetentionPolicy.RUNTIME)
	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE)
	@interface ApplicationTest {

	}

	@ApplicationTest
	static class Plain {

	}

	@ApplicationTest
	@ActiveProfiles("of-registry")
	static class OfApplication {

		class Inner {

		}

	}

	@ApplicationTest
	@ActiveProfiles("of-registry-type")
	static class TypeOfApplication {

	}

	@ApplicationTest
	@ActiveProfiles("of-embedded")
	static class Embedded {

	}

	@ApplicationTest
	@ActiveProfiles("of-discovery")
	static class Discovery {

	}

	@ApplicationTest
	@ActiveProfiles("of-registry")
	@TestPropertySource(properties = "rpc.server.port=0")
	static class WithPort {

	}

	@ApplicationTest
	@ActiveProfiles("of-registry")
	@TestPropertySource(properties = "rpc.registry.zookeeper.session-timeout=20s")
	static class OtherProperty {

	}

	@SpringJUnitConfig(classes = Application.class, initializers = ConfigDataApplicationContextInitializer.class)
	@ActiveProfiles("of-registry")
	static class WithoutBoot {

	}

	@SpringBootTest(classes = ConsumerApplication.class, webEnvironment = WebEnvironment.NONE)
	@ActiveProfiles("of-registry")
	static class Consumer {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(User.class)
	static class ConsumerApplication {

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE,
			properties = "rpc.registry.zookeeper.connect-string=127.0.0.1:1/test")
	@ActiveProfiles("of-registry")
	static class InProperties {

	}

	@ApplicationTest
	@TestPropertySource(properties = "rpc.registry.zookeeper.connectString=127.0.0.1:1/test")
	@ActiveProfiles("of-registry-type")
	static class InPropertySource {

	}

	@ApplicationTest
	@ActiveProfiles("of-registry")
	static class InDynamicProperties {

		@DynamicPropertySource
		static void registry(DynamicPropertyRegistry registry) {
			registry.add("rpc.registry.zookeeper.connect-string", () -> "127.0.0.1:1/test");
		}

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE,
			args = "--rpc.registry.zookeeper.connect-string=127.0.0.1:1/test")
	@ActiveProfiles("of-registry")
	static class InArguments {

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.DEFINED_PORT,
			properties = { "server.port=0", "rpc.server.port=0" })
	@ActiveProfiles("of-registry")
	static class DefinedPort {

	}

	@ApplicationTest
	@ActiveProfiles("of-registry")
	@Import(DetailsConfiguration.class)
	static class Details {

	}

	@ApplicationTest
	@ActiveProfiles("of-registry-type")
	@Import(DetailsConfiguration.class)
	static class TypeWithDetails {

	}

	@TestConfiguration(proxyBeanMethods = false)
	static class DetailsConfiguration {

		@Bean
		RpcRegistryConnectionDetails zooKeeper() {
			return () -> "127.0.0.1:1/container";
		}

	}

	@ApplicationTest
	@ActiveProfiles("of-registry")
	@TestPropertySource(properties = "rpc.registry.use-in-tests=true")
	static class UsedInTest {

	}

	@ApplicationTest
	@ActiveProfiles("of-registry-in-tests")
	static class UsedInTests {

	}

	@ApplicationTest
	@ActiveProfiles("of-registry-type")
	@TestPropertySource(
			properties = { "rpc.registry.zookeeper.embedded.enabled=true", "rpc.registry.zookeeper.embedded.port=0" })
	static class EmbeddedOfTest {

	}

	@ApplicationTest
	@ActiveProfiles("of-registry")
	@Import(OwnBean.Registries.class)
	static class OwnBean {

		@TestConfiguration(proxyBeanMethods = false)
		static class Registries {

			@Bean
			OtherRegistry otherRegistry() {
				return new OtherRegistry();
			}

		}

	}

	@SpringBootTest(classes = NothingToCall.class, webEnvironment = WebEnvironment.NONE)
	@ActiveProfiles("of-no-registry")
	static class NoRegistry {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class NothingToCall {

		NothingToCall(ObjectProvider<Registry> registries) {
			assertThat(registries.getIfAvailable()).isNull();
		}

	}

}
