package io.rpcboot.spring.test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import jakarta.inject.Provider;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import org.springframework.aot.AotDetector;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.SpringProperties;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.SourceFile;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.annotation.DirtiesContext.MethodMode;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.aot.TestContextAotGenerator;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** Test classes that are processed, compiled and run ahead of time. */
@CompileWithForkedClassLoader
@Tag("jdk25")
class AotTestsIntegrationTests {

	@Test
	void references_areInjected_intoTestsProcessedAheadOfTime() {
		List<Class<?>> tests = List.of(Members.class, OfSuperclass.class, WithNested.class, WithConstructor.class,
				Dirty.class, Slice.class);
		InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
		TestContextAotGenerator generator = new TestContextAotGenerator(files);
		generator.processAheadOfTime(tests.stream().flatMap(AotTestsIntegrationTests::withNested));
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Greeter.class)).accepts(generator.getRuntimeHints());
		TestCompiler compiler = TestCompiler.forSystem();
		for (var source : files.getGeneratedFiles(Kind.SOURCE).entrySet()) {
			compiler = compiler.withSources(SourceFile.of(source.getKey(), source.getValue()));
		}
		compiler.compile((compiled) -> {
			TestExecutionSummary summary = runAheadOfTime(tests);
			assertThat(summary.getFailures())
				.extracting((each) -> each.getTestIdentifier().getDisplayName() + ": " + each.getException())
				.isEmpty();
			assertThat(summary.getTestsSucceededCount()).isEqualTo(17);
		});
	}

	private static Stream<Class<?>> withNested(Class<?> type) {
		return Stream.concat(Stream.of(type),
				Stream.of(type.getDeclaredClasses()).filter((each) -> each.isAnnotationPresent(Nested.class)));
	}

	private static TestExecutionSummary runAheadOfTime(List<Class<?>> tests) {
		SpringProperties.setFlag(AotDetector.AOT_ENABLED);
		forgetBuild();
		try {
			LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
				.selectors(tests.stream().map(DiscoverySelectors::selectClass).toList())
				.build();
			SummaryGeneratingListener listener = new SummaryGeneratingListener();
			LauncherFactory.create().execute(request, listener);
			return listener.getSummary();
		}
		finally {
			SpringProperties.setProperty(AotDetector.AOT_ENABLED, null);
			forgetBuild();
		}
	}

	/**
	 * Spring reads the generated code once in a process, which is another one usually.
	 */
	private static void forgetBuild() {
		for (String name : List.of("AotTestContextInitializersFactory", "AotTestAttributesFactory")) {
			ReflectionTestUtils.invokeMethod(ClassUtils.resolveClassName("org.springframework.test.context.aot." + name,
					AotTestsIntegrationTests.class.getClassLoader()), "reset");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		GreeterService greeter() {
			return new GreeterService("Hi ");
		}

		@Bean
		SecondVersion second() {
			return new SecondVersion();
		}

	}

	@RpcService
	static class GreeterService implements Greeter {

		private final String greeting;

		GreeterService(String greeting) {
			this.greeting = greeting;
		}

		@Override
		public String greet(String name) {
			return this.greeting + name;
		}

	}

	@RpcService(version = "2")
	static class SecondVersion extends GreeterService {

		SecondVersion() {
			super("Hello ");
		}

	}

	@Target(ElementType.TYPE)
	@Retention(RetentionPolicy.RUNTIME)
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
	@interface ApplicationTest {

	}

	@Target(ElementType.FIELD)
	@Retention(RetentionPolicy.RUNTIME)
	@RpcReference(version = "2")
	@interface SecondGreeter {

	}

	@ApplicationTest
	static class Members implements InitializingBean {

		@RpcReference
		private Greeter plain;

		@RpcReference(version = "2", timeout = "20s", name = "second")
		Greeter withAttributes;

		@RpcReference
		private ObjectProvider<Greeter> provider;

		@RpcReference
		private Provider<Greeter> jakarta;

		@RpcReference(version = "2")
		private Optional<Greeter> optional;

		@RpcReference
		@Lazy
		private Greeter lazy;

		@SecondGreeter
		private Greeter composed;

		@Autowired
		@RpcReference
		private Greeter autowired;

		private Greeter bySetter;

		private Greeter byMethod;

		private String atInitialization;

		@RpcReference
		void setBySetter(Greeter greeter) {
			assertThat(this.bySetter).isNull();
			this.bySetter = greeter;
		}

		@Autowired
		void take(@RpcReference(version = "2") Greeter greeter) {
			this.byMethod = greeter;
		}

		@Override
		public void afterPropertiesSet() {
			this.atInitialization = this.plain.greet("Zoe");
		}

		@Test
		void plainField_isInjected() {
			assertThat(this.plain.greet("Ann")).isEqualTo("Hi Ann");
		}

		@Test
		void fieldWithAttributes_isInjected() {
			assertThat(this.withAttributes.greet("Ann")).isEqualTo("Hello Ann");
		}

		@Test
		void provider_isInjected() {
			assertThat(this.provider.getObject().greet("Ann")).isEqualTo("Hi Ann");
		}

		@Test
		void jakartaProvider_isInjected() {
			assertThat(this.jakarta.get().greet("Ann")).isEqualTo("Hi Ann");
		}

		@Test
		void optional_isInjected() {
			assertThat(this.optional.orElseThrow().greet("Ann")).isEqualTo("Hello Ann");
		}

		@Test
		void lazyField_isInjected() {
			assertThat(this.lazy.greet("Ann")).isEqualTo("Hi Ann");
		}

		@Test
		void composedAnnotation_isInjected() {
			assertThat(this.composed.greet("Ann")).isEqualTo("Hello Ann");
		}

		@Test
		void autowiredField_isInjected() {
			assertThat(this.autowired.greet("Ann")).isEqualTo("Hi Ann");
		}

		@Test
		void setter_isInjected() {
			assertThat(this.bySetter.greet("Ann")).isEqualTo("Hi Ann");
		}

		@Test
		void autowiredMethod_isInjected() {
			assertThat(this.byMethod.greet("Ann")).isEqualTo("Hello Ann");
		}

		@Test
		void parameterOfTest_isInjected(@RpcReference(version = "2") Greeter greeter) {
			assertThat(greeter.greet("Ann")).isEqualTo("Hello Ann");
		}

		@Test
		void fields_areInjected_beforeInitialization() {
			assertThat(this.atInitialization).isEqualTo("Hi Zoe");
		}

	}

	static class Base<S extends Greeter> {

		@RpcReference
		private S inherited;

		String greet() {
			return this.inherited.greet("Ann");
		}

	}

	@ApplicationTest
	static class OfSuperclass extends Base<Greeter> {

		@Test
		void fieldOfSuperclass_isInjected() {
			assertThat(greet()).isEqualTo("Hi Ann");
		}

	}

	@ApplicationTest
	static class WithNested {

		@RpcReference
		private Greeter outer;

		@Nested
		class Inner {

			@RpcReference(version = "2")
			private Greeter inner;

			@Test
			void fieldsOfNestedTest_areInjected() {
				assertThat(WithNested.this.outer.greet("Ann")).isEqualTo("Hi Ann");
				assertThat(this.inner.greet("Ann")).isEqualTo("Hello Ann");
			}

		}

	}

	@ApplicationTest
	static class WithConstructor {

		private final Greeter greeter;

		@Autowired
		WithConstructor(@RpcReference Greeter greeter) {
			this.greeter = greeter;
		}

		@Test
		void constructorParameter_isInjected() {
			assertThat(this.greeter.greet("Ann")).isEqualTo("Hi Ann");
		}

	}

	@ApplicationTest
	static class Dirty {

		@RpcReference
		private Greeter greeter;

		@Test
		@DirtiesContext(methodMode = MethodMode.BEFORE_METHOD)
		void field_isInjected_afterNewContext() {
			assertThat(this.greeter.greet("Ann")).isEqualTo("Hi Ann");
		}

	}

	@WebMvcTest
	@ContextConfiguration(classes = SliceConfiguration.class)
	static class Slice {

		@RpcReference
		private Greeter greeter;

		@Test
		void field_isInjected_inSlice() {
			assertThat(this.greeter).hasToString("rpcReference:" + Greeter.class.getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SliceConfiguration {

	}

}
