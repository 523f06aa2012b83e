package io.rpcboot.spring.autoconfigure.client;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.spring.autoconfigure.fixture.StartFailure;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Interceptors of single references and services, by class and by name. */
class InterceptorBeansTests {

	private static final String GREETER = Greeter.class.getName();

	private final ApplicationContextRunner runner = Applications.inProcess().withBean(Log.class);

	@Test
	void annotationInterceptor_isCreatedWithDependencies() {
		this.runner.withBean(GreeterService.class).withBean(Annotated.class).run((context) -> {
			Annotated user = context.getBean(Annotated.class);
			assertThat(user.noted.greet("Ann")).isEqualTo("Hello Ann");
			assertThat(context.getBean(Log.class).lines).containsExactly("noted greet");
			assertThat(user.plain.greet("Ann")).isEqualTo("Hello Ann");
			assertThat(context.getBean(Log.class).lines).hasSize(1);
		});
	}

	@Test
	void annotationInterceptor_usesExistingBeanOfClass() {
		this.runner.withBean(GreeterService.class).withBean(Annotated.class).withBean(Noting.class).run((context) -> {
			assertThat(context.getBeansOfType(Noting.class)).hasSize(1);
			Annotated user = context.getBean(Annotated.class);
			user.plain.greet("Ann");
			assertThat(context.getBean(Log.class).lines).as("it is one of all references").hasSize(1);
			user.noted.greet("Ann");
			assertThat(context.getBean(Log.class).lines).as("and runs once where it is named").hasSize(2);
		});
	}

	@Test
	@PropertyEffect("rpc.client.references.users.interceptors")
	void nonDefaultCandidate_appliesOnlyWhereNamed() {
		this.runner.withBean(GreeterService.class)
			.withUserConfiguration(Interceptors.class)
			.withBean(Named.class)
			.withPropertyValues("rpc.client.references.users.interceptors=second,first")
			.run((context) -> {
				Named user = context.getBean(Named.class);
				user.greeter.greet("Ann");
				assertThat(context.getBean(Log.class).lines).containsExactly("second", "first");
				user.plain.greet("Ann");
				assertThat(context.getBean(Log.class).lines).hasSize(2);
			});
	}

	@Test
	void referenceInterceptors_overrideServicePropertyAndAnnotation() {
		this.runner.withBean(GreeterService.class)
			.withUserConfiguration(Interceptors.class)
			.withBean(Annotated.class)
			.withBean(Named.class)
			.withPropertyValues("rpc.client.services.Greeter.interceptors=first",
					"rpc.client.references.users.interceptors=")
			.run((context) -> {
				context.getBean(Annotated.class).noted.greet("Ann");
				assertThat(context.getBean(Log.class).lines).containsExactly("first");
				context.getBean(Named.class).greeter.greet("Ann");
				assertThat(context.getBean(Log.class).lines).hasSize(1);
			});
	}

	@Test
	void annotationInterceptor_isRejected_withSeveralBeans() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withBean("one", Noting.class).withBean("other", Noting.class).withBean(Annotated.class));
		assertThat(analysis.getDescription())
			.isEqualTo("@RpcReference of %s has interceptors = %s ".formatted(GREETER, Noting.class.getName())
					+ "(expected: the class of one bean; there are one, other)");
		assertThat(analysis.getAction())
			.isEqualTo("Name the bean by a property, or name a class that has only one bean.");
	}

	@Test
	void annotationInterceptor_isRejected_whenNotInstantiable() {
		assertThat(StartFailure.of(this.runner.withBean(OfAnInterface.class)).getDescription())
			.isEqualTo("@RpcReference of %s has interceptors = %s (expected: the class of one bean; there is none)"
				.formatted(GREETER, RpcClientInterceptor.class.getName()));
	}

	@Test
	@PropertyEffect("rpc.server.services.<name>.interceptors")
	void serviceInterceptors_comeFromAnnotationOrProperty() {
		this.runner.withBean(WatchedService.class)
			.withUserConfiguration(Interceptors.class)
			.withBean(Named.class)
			.run((context) -> {
				context.getBean(Named.class).plain.greet("Ann");
				assertThat(context.getBean(Log.class).lines).containsExactly("watched greet");
			});
		this.runner.withBean(WatchedService.class)
			.withUserConfiguration(Interceptors.class)
			.withBean(Named.class)
			.withPropertyValues("rpc.server.services.Greeter.interceptors=atServer")
			.run((context) -> {
				context.getBean(Named.class).plain.greet("Ann");
				assertThat(context.getBean(Log.class).lines).containsExactly("at server");
			});
	}

	@Test
	void globalInterceptor_runsOnce_whenServiceNamesIt() {
		this.runner.withBean(WatchedService.class).withBean(Watching.class).withBean(Named.class).run((context) -> {
			context.getBean(Named.class).plain.greet("Ann");
			assertThat(context.getBean(Log.class).lines).hasSize(1);
		});
	}

	@Test
	@PropertyEffect("rpc.server.services.<name>.methods.<method>.idempotent")
	void serverInterceptor_repeatsCall_whenPropertySetsIdempotent() {
		this.runner.withBean(GreeterService.class)
			.withBean(Twice.class)
			.withBean(Named.class)
			.withPropertyValues("rpc.server.expose-exceptions=message")
			.run((context) -> assertThatExceptionOfType(RpcException.class)
				.isThrownBy(() -> context.getBean(Named.class).plain.greet("Ann"))
				.matches((ex) -> ex.status() == RpcStatus.APPLICATION)
				.withMessageContaining("IllegalStateException"));
		this.runner.withBean(GreeterService.class)
			.withBean(Twice.class)
			.withBean(Named.class)
			.withPropertyValues("rpc.server.services.Greeter.methods.greet.idempotent=true")
			.run((context) -> assertThat(context.getBean(Named.class).plain.greet("Ann")).isEqualTo("Hello Ann"));
	}

	@Test
	void interceptorsProperty_isRejected_unlessItNamesMatchingBeans() {
		FailureAnalysis analysis = StartFailure.of(this.runner.withUserConfiguration(Interceptors.class)
			.withBean(Named.class)
			.withPropertyValues("rpc.client.services.Greeter.interceptors=first,atServer"));
		assertThat(analysis.getDescription()).startsWith("rpc.client.services.Greeter.interceptors: 'atServer' "
				+ "(expected: names of beans of type RpcClientInterceptor: first, second)");
	}

	static class Named {

		@RpcReference(name = "users")
		private Greeter greeter;

		@RpcReference
		private Greeter plain;

	}

	static class Log {

		final List<String> lines = new CopyOnWriteArrayList<>();

	}

	static class Noting implements RpcClientInterceptor {

		private final Log log;

		Noting(Log log) {
			this.log = log;
		}

		@Override
		public @Nullable Object intercept(ClientInvocation call) throws Throwable {
			this.log.lines.add("noted " + call.method().name());
			return call.proceed();
		}

	}

	static class Watching implements RpcServerInterceptor {

		private final Log log;

		Watching(Log log) {
			this.log = log;
		}

		@Override
		public @Nullable Object intercept(ServerInvocation call) throws Throwable {
			this.log.lines.add("watched " + call.method().name());
			return call.proceed();
		}

	}

	static class Twice implements RpcServerInterceptor {

		@Override
		public @Nullable Object intercept(ServerInvocation call) throws Throwable {
			call.proceed();
			return call.proceed();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Interceptors {

		@Bean(defaultCandidate = false)
		RpcClientInterceptor first(Log log) {
			return (call) -> {
				log.lines.add("first");
				return call.proceed();
			};
		}

		@Bean(defaultCandidate = false)
		RpcClientInterceptor second(Log log) {
			return (call) -> {
				log.lines.add("second");
				return call.proceed();
			};
		}

		@Bean(defaultCandidate = false)
		RpcServerInterceptor atServer(Log log) {
			return (call) -> {
				log.lines.add("at server");
				return call.proceed();
			};
		}

	}

	static class Annotated {

		@RpcReference(interceptors = Noting.class)
		private Greeter noted;

		@RpcReference
		private Greeter plain;

	}

	static class OfAnInterface {

		@RpcReference(interceptors = RpcClientInterceptor.class)
		private Greeter greeter;

	}

	@RpcService(interceptors = Watching.class)
	static class WatchedService extends GreeterService {

	}

}
