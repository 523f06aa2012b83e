package io.rpcboot.spring.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.rpcboot.RpcCallback;
import io.rpcboot.client.RpcClient;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.reference.RpcReferenceInjectionTests.BeanMethods;
import io.rpcboot.spring.reference.RpcReferenceInjectionTests.ClientConfiguration;
import io.rpcboot.spring.reference.RpcReferenceInjectionTests.FieldUser;
import io.rpcboot.spring.reference.RpcReferenceInjectionTests.LombokStyleUser;
import io.rpcboot.spring.reference.RpcReferenceInjectionTests.Made;
import io.rpcboot.spring.reference.RpcReferenceInjectionTests.RecordUser;
import io.rpcboot.spring.reference.RpcReferenceInjectionTests.SetterUser;
import io.rpcboot.spring.service.ServiceInterceptorsPostProcessor;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

@CompileWithForkedClassLoader
class RpcReferenceAotTests {

	private final TestGenerationContext generation = new TestGenerationContext();

	@Test
	void references_areInjected_inGeneratedContext() {
		ClassName initializer = process(FieldUser.class, SetterUser.class, RecordUser.class, LombokStyleUser.class,
				BeanMethods.class, NamedUser.class);
		run(initializer, (context) -> {
			assertThat(((FieldUser) context.getBean("hidden")).plain)
				.hasToString("rpcReference:" + Greeter.class.getName());
			assertThat(context.getBean(RecordUser.class).greeter()).asString().endsWith(":5");
			assertThat(context.getBean(Made.class).greeter()).asString().endsWith(":10");
			assertThat(context.getBean(RpcClient.class).references()).hasSize(7);
			assertThat(new RpcReferences(context.getBeanFactory()).declared())
				.contains(new RpcReferences.Declared(Greeter.class, "users", "", ""));
		});
	}

	@Test
	void placeholders_areResolved_inGeneratedContext() {
		ClassName initializer = process(PlaceholderUser.class, PropertySourcesPlaceholderConfigurer.class);
		run(initializer,
				(context) -> context.getEnvironment()
					.getPropertySources()
					.addFirst(new MapPropertySource("at run time", Map.of("api.version", "4"))),
				(context) -> assertThat(context.getBean(RpcClient.class).references()).singleElement()
					.extracting((each) -> each.service().version())
					.isEqualTo("4"));
	}

	@Test
	void fallbacksAndInterceptors_run_inGeneratedContext() {
		ClassName initializer = process(PolicyUser.class, Log.class, Spare.class, WatchedService.class,
				ServiceInterceptorsPostProcessor.class);
		run(initializer, (context) -> {
			assertThat(context.getBean(PolicyUser.class).greeter.greet("Ann")).isEqualTo("Bye Ann");
			assertThat(context.getBean(Log.class).lines).containsExactly("noted");
			assertThat(context.getBeanNamesForType(Noting.class)).singleElement()
				.satisfies((name) -> assertThat(context.getBeanFactory().getBeanDefinition(name))
					.asInstanceOf(type(RootBeanDefinition.class))
					.matches((definition) -> !definition.isDefaultCandidate() && definition.isLazyInit()));
			assertThat(context.getBeanNamesForType(Watching.class)).hasSize(1);
		});
	}

	@Test
	void nativeHints_areRegistered() {
		process(FieldUser.class, SetterUser.class);
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Greeter.class))
			.accepts(this.generation.getRuntimeHints());
		assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(FieldUser.class, "plain"))
			.accepts(this.generation.getRuntimeHints());
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(SetterUser.class, "setGreeter"))
			.accepts(this.generation.getRuntimeHints());
	}

	@Test
	void nativeHints_ofCallbacks_areRegistered() {
		process(CallbackUser.class, CallbackService.class);
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Told.class))
			.accepts(this.generation.getRuntimeHints());
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Told.class, "tell"))
			.accepts(this.generation.getRuntimeHints());
	}

	private ClassName process(Class<?>... beans) {
		GenericApplicationContext context = new GenericApplicationContext();
		AnnotatedBeanDefinitionReader reader = new AnnotatedBeanDefinitionReader(context);
		reader.register(ClientConfiguration.class);
		reader.register(beans);
		ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, this.generation);
		this.generation.writeGeneratedContent();
		return initializer;
	}

	private void run(ClassName initializer, Consumer<GenericApplicationContext> check) {
		run(initializer, (context) -> {
		}, check);
	}

	@SuppressWarnings("unchecked")
	private void run(ClassName initializer, Consumer<GenericApplicationContext> prepare,
			Consumer<GenericApplicationContext> check) {
		TestCompiler.forSystem().with(this.generation).compile((compiled) -> {
			try (GenericApplicationContext context = new GenericApplicationContext()) {
				compiled.getInstance(ApplicationContextInitializer.class, initializer.canonicalName())
					.initialize(context);
				prepare.accept(context);
				context.refresh();
				check.accept(context);
			}
		});
	}

	static class PolicyUser {

		@RpcReference(fallback = Spare.class, interceptors = Noting.class)
		private Greeter greeter;

	}

	static class Spare implements Greeter {

		@Override
		public String greet(String name) {
			return "Bye " + name;
		}

	}

	static class Log {

		final List<String> lines = new ArrayList<>();

	}

	static class Noting implements RpcClientInterceptor {

		@Autowired
		private Log log;

		@Override
		public Object intercept(ClientInvocation call) throws Throwable {
			this.log.lines.add("noted");
			return call.proceed();
		}

	}

	static class Watching implements RpcServerInterceptor {

		@Override
		public Object intercept(ServerInvocation call) throws Throwable {
			return call.proceed();
		}

	}

	@RpcService(interceptors = Watching.class)
	static class WatchedService implements Greeter {

		@Override
		public String greet(String name) {
			return "watched";
		}

	}

	static class PlaceholderUser {

		@RpcReference(version = "${api.version}")
		private Greeter greeter;

	}

	static class NamedUser {

		@RpcReference(name = "users")
		private Greeter greeter;

	}

	/** Callback. */
	public interface Told {

		void tell(String text);

	}

	/** Service with a callback. */
	public interface Telling {

		void ask(@RpcCallback Told told);

	}

	@RpcService
	static class CallbackService implements Telling {

		@Override
		public void ask(Told told) {
			told.tell("text");
		}

	}

	static class CallbackUser {

		@RpcReference
		Telling telling;

	}

}
