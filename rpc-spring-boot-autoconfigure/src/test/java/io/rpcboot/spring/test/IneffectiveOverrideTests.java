package io.rpcboot.spring.test;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Set;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests the annotations that look like overrides of a reference and have no effect.
 */
@ExtendWith(OutputCaptureExtension.class)
class IneffectiveOverrideTests {

	private static final String GREETER = Greeter.class.getName();

	private static final String REFERENCE = "rpcReference:" + GREETER;

	private static final String NO_REFERENCE = " replaces no reference to " + GREETER + " (expected: ";

	@Test
	void primaryBean_causesWarning_inListedClass(CapturedOutput output) throws Exception {
		run(ListedPrimary.class);
		assertThat(output).containsOnlyOnce(" replaces no reference ")
			.contains("Primary bean fake" + NO_REFERENCE
					+ "declared in a @TestConfiguration, in a class nested in the test class, or by @Import on the"
					+ " test class). To replace it, declare the bean there, or use @MockitoBean or @TestBean.");
	}

	@Test
	void primaryBean_causesWarning_inFolderOfTest(CapturedOutput output) throws Exception {
		run(FoundPrimary.class);
		assertThat(output).containsOnlyOnce("Primary bean fake" + NO_REFERENCE);
	}

	@Test
	void suspectedOverride_isRecognizedByLocation() {
		assertThat(resembles(User.class)).isTrue();
		assertThat(resembles(SyncTaskExecutor.class, Booted.class)).isFalse();
		assertThat(resembles(SyncTaskExecutor.class, SyncTaskExecutor.class)).isFalse();
		assertThat(resembles(SyncTaskExecutor.class, SyncTaskExecutor.class, Application.class)).isFalse();
		assertThat(resembles(SyncTaskExecutor.class, SyncTaskExecutor.class, Booted.class)).isTrue();
	}

	private static boolean resembles(Class<?> bean, Class<?>... listed) {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.registerBean("bean", bean);
			return new TestBeans(ListedPrimary.class, Set.of(listed)).resemble(context.getBeanFactory(), "bean");
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { ImportedPrimary.class, ListedPrimaryBesideAMock.class, ListedPrimaryService.class,
			LocalByName.class, OtherByName.class, ReferenceByName.class })
	void effectiveOrUnrelatedBean_causesNoWarning(Class<?> test, CapturedOutput output) throws Exception {
		run(test);
		assertThat(output).doesNotContain(" replaces no reference ");
	}

	@Test
	void primaryBean_causesNoWarning_inApplication(CapturedOutput output) {
		try (ConfigurableApplicationContext context = SpringApplication.run(
				new Class<?>[] { Application.class, Fakes.class },
				new String[] { "--spring.main.web-application-type=none" })) {
			assertThat(context.getBean(User.class).plain).hasToString(REFERENCE);
		}
		assertThat(output).doesNotContain(" replaces no reference ");
	}

	@ParameterizedTest
	@ValueSource(classes = { UnrelatedName.class, UnrelatedNameOfATestBean.class, UnrelatedNameAndLateReference.class })
	void overrideName_causesWarning_withoutBean(Class<?> test, CapturedOutput output) throws Exception {
		run(test);
		assertThat(output).containsOnlyOnce(" replaces no reference ")
			.contains("The test's bean greetings" + NO_REFERENCE
					+ "the name of a reference or of another bean, or no name). Leave the name out to replace every"
					+ " reference, or annotate the field with @RpcReference and the attributes of one.");
	}

	@Test
	void overrideName_isRejected_whenReferenceIsUnused() {
		assertThatException().isThrownBy(() -> run(UnknownReference.class))
			.havingRootCause()
			.isInstanceOfSatisfying(RpcConfigurationException.class,
					(ex) -> assertThat(ex.action()).isEqualTo("Leave the name out to replace every reference of "
							+ GREETER + ", or give the name of the reference."))
			.withMessage("The test replaces " + REFERENCE + ":3, which the application does not use (expected: "
					+ REFERENCE + " or " + REFERENCE + ":2)");
	}

	/** As the extension of Spring does before a test method. */
	private static void run(Class<?> test) throws Exception {
		TestContextManager manager = new TestContextManager(test);
		manager.beforeTestClass();
		manager.prepareTestInstance(test.getDeclaredConstructor().newInstance());
	}

	@OverrideTest({ Application.class, Fakes.class })
	static class ListedPrimary {

	}

	@OverrideTest(ApplicationWithFakes.class)
	static class FoundPrimary {

	}

	@OverrideTest(Application.class)
	@Import(Fakes.class)
	static class ImportedPrimary {

	}

	@OverrideTest({ Application.class, Fakes.class })
	static class ListedPrimaryBesideAMock {

		@MockitoBean
		private Greeter mock;

	}

	@OverrideTest({ Application.class, GreeterService.class })
	static class ListedPrimaryService {

	}

	@OverrideTest({ Application.class, Local.class })
	static class LocalByName {

		@MockitoBean("local")
		private Greeter mock;

	}

	@OverrideTest(Application.class)
	static class OtherByName {

		@MockitoBean("greetings")
		private Runnable mock;

	}

	@OverrideTest(Application.class)
	static class ReferenceByName {

		@MockitoBean("rpcReference:io.rpcboot.spring.Greeter")
		private Greeter mock;

	}

	@OverrideTest(Application.class)
	static class UnrelatedName {

		@MockitoBean("greetings")
		private Greeter mock;

	}

	@OverrideTest(Application.class)
	static class UnrelatedNameOfATestBean {

		@TestBean(name = "greetings")
		private Greeter fake;

		static Greeter fake() {
			return (name) -> name;
		}

	}

	@OverrideTest(LateApplication.class)
	static class UnrelatedNameAndLateReference {

		@MockitoBean("greetings")
		private Greeter mock;

	}

	@OverrideTest(Application.class)
	static class UnknownReference {

		@MockitoBean("rpcReference:io.rpcboot.spring.Greeter:3")
		private Greeter mock;

	}

	/** The least that references need. */
	@Retention(RetentionPolicy.RUNTIME)
	@ImportAutoConfiguration({ RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
			RpcSerializationAutoConfiguration.class })
	@interface Client {

	}

	@Configuration(proxyBeanMethods = false)
	@Client
	@Import(User.class)
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@Client
	@Import({ User.class, Fakes.class })
	static class ApplicationWithFakes {

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	static class Booted {

	}

	/** Nothing says what the bean is until it is made. */
	@Configuration(proxyBeanMethods = false)
	@Client
	static class LateApplication {

		@Bean
		Object user() {
			return new User();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Fakes {

		@Bean
		@Primary
		Greeter fake() {
			return (name) -> name;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Local {

		@Bean
		Greeter local() {
			return (name) -> name;
		}

	}

	@RpcService
	@Primary
	static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			return name;
		}

	}

	static class User {

		@RpcReference
		private Greeter plain;

		@RpcReference(version = "2")
		private Greeter second;

	}

}
