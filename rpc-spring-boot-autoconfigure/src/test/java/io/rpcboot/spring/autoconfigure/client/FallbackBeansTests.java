package io.rpcboot.spring.autoconfigure.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcContext;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.spring.autoconfigure.fixture.StartFailure;
import org.junit.jupiter.api.Test;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Fallbacks of references, by class and by name. */
class FallbackBeansTests {

	private static final String GREETER = Greeter.class.getName();

	private final ApplicationContextRunner runner = Applications.inProcess();

	@Test
	void annotationFallback_answersCall() {
		this.runner.withBean(Sparing.class).withBean(Spare.class).run((context) -> {
			assertThat(context.getBean(Sparing.class).greeter.greet("Ann")).isEqualTo("Bye Ann");
			assertThat(context.getBean(Sparing.class).greeter).isNotInstanceOf(Spare.class);
		});
	}

	@Test
	void fallback_mayInjectItsReference() {
		this.runner.withBean(SparingItself.class)
			.run((context) -> assertThat(context.getBean(SparingItself.class).greeter.greet("Ann"))
				.isEqualTo("myself Ann"));
	}

	@Test
	void fallback_seesContextOfSurroundingCall() {
		this.runner.withBean(OuterService.class)
			.withBean(SpareLater.class)
			.withBean(Named.class)
			.run((context) -> assertThat(context.getBean(Named.class).greeter.greet("Ann")).isEqualTo("for greet"));
	}

	@Test
	void lazyFallback_isCreated_atFirstUse() {
		this.runner.withBean("spare", Spare.class, Spare::new, (definition) -> definition.setLazyInit(true))
			.withBean(Sparing.class)
			.run((context) -> {
				assertThat(context.getBeanFactory().containsSingleton("spare")).isFalse();
				context.getBean(Sparing.class).greeter.greet("Ann");
				assertThat(context.getBeanFactory().containsSingleton("spare")).isTrue();
			});
	}

	@Test
	void serviceFallbackProperty_appliesUnlessReferenceClearsIt() {
		this.runner.withBean("spare", Spare.class)
			.withBean("other", Spare.class)
			.withBean(Named.class)
			.withPropertyValues("rpc.client.services.Greeter.fallback=spare", "rpc.client.references.users.fallback=")
			.run((context) -> {
				assertThat(context.getBean(Named.class).plain.greet("Ann")).isEqualTo("Bye Ann");
				assertThatExceptionOfType(RpcException.class)
					.isThrownBy(() -> context.getBean(Named.class).greeter.greet("Ann"))
					.matches((ex) -> ex.status() == RpcStatus.UNAVAILABLE);
			});
	}

	@Test
	void scopedFallback_isCreatedForEachCall() {
		AtomicInteger made = new AtomicInteger();
		this.runner.withUserConfiguration(ScopedSpare.class)
			.withBean(AtomicInteger.class, () -> made)
			.withBean(Sparing.class)
			.run((context) -> {
				Greeter greeter = context.getBean(Sparing.class).greeter;
				assertThat(greeter.greet("Ann")).isEqualTo("Bye Ann");
				assertThat(greeter.greet("Ann")).isEqualTo("Bye Ann");
				assertThat(made).hasValue(2);
			});
	}

	@Test
	@PropertyEffect("rpc.client.references.users.fallback")
	void fallbackType_isCheckedAtFirstUse_whenUnknownAtStartup() {
		this.runner.withUserConfiguration(Hidden.class)
			.withBean(Named.class)
			.withPropertyValues("rpc.client.references.users.fallback=good", "rpc.client.services.Greeter.fallback=bad")
			.run((context) -> {
				assertThat(context.getBean(Named.class).greeter.greet("Ann")).isEqualTo("Bye Ann");
				assertThatIllegalStateException().isThrownBy(() -> context.getBean(Named.class).plain.greet("Ann"))
					.withMessage("fallback: bean 'bad' of java.lang.String (expected: a bean that implements %s)"
						.formatted(GREETER));
			});
	}

	@Test
	void annotationFallback_isRejected_withoutOneMatchingBean() {
		assertThat(StartFailure.of(this.runner.withBean(Sparing.class)).getDescription())
			.isEqualTo("@RpcReference of %s has fallback = %s (expected: the class of one bean; there is none)"
				.formatted(GREETER, Spare.class.getName()));
		assertThat(StartFailure
			.of(this.runner.withBean("a", Spare.class).withBean("b", Spare.class).withBean(Sparing.class))
			.getDescription()).endsWith("(expected: the class of one bean; there are a, b)");
		FailureAnalysis noGreeter = StartFailure.of(this.runner.withBean(SparingWithText.class));
		assertThat(noGreeter.getDescription())
			.isEqualTo("@RpcReference of %s has fallback = java.lang.String (expected: a class that implements %s)"
				.formatted(GREETER, GREETER));
		assertThat(noGreeter.getAction()).isEqualTo("Let String implement Greeter, or name another class.");
	}

	@Test
	void fallbackProperty_isRejected_unlessItNamesMatchingBean() {
		ApplicationContextRunner spared = this.runner.withBean("spare", Spare.class).withBean(Named.class);
		for (String name : List.of("spire", "log", "rpcReference:" + GREETER)) {
			FailureAnalysis analysis = StartFailure.of(spared.withBean("log", ArrayList.class)
				.withPropertyValues("rpc.client.references.users.fallback=" + name));
			assertThat(analysis.getDescription())
				.startsWith("rpc.client.references.users.fallback: '%s' ".formatted(name)
						+ "(expected: the name of a bean that implements %s: spare)".formatted(GREETER))
				.contains("Set in: \"rpc.client.references.users.fallback\" from property source \"test\"");
			assertThat(analysis.getAction()).startsWith("Set rpc.client.references.users.fallback to the name of a");
		}
	}

	static class Named {

		@RpcReference(name = "users")
		private Greeter greeter;

		@RpcReference
		private Greeter plain;

	}

	@Configuration(proxyBeanMethods = false)
	static class ScopedSpare {

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Spare spare(AtomicInteger made) {
			made.incrementAndGet();
			return new Spare();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Hidden {

		@Bean
		@Lazy
		Object good() {
			return new Spare();
		}

		@Bean
		@Lazy
		Object bad() {
			return "bad";
		}

	}

	static class Sparing {

		@RpcReference(fallback = Spare.class)
		private Greeter greeter;

	}

	static class SparingWithText {

		@RpcReference(fallback = String.class)
		private Greeter greeter;

	}

	static class SparingItself implements Greeter {

		private final Greeter greeter;

		SparingItself(@RpcReference(fallback = SparingItself.class) Greeter greeter) {
			this.greeter = greeter;
		}

		@Override
		public String greet(String name) {
			return "myself " + name;
		}

	}

	/** A service that nobody offers. */
	public interface Later {

		CompletableFuture<String> find();

	}

	static class SpareLater implements Later {

		@Override
		public CompletableFuture<String> find() {
			return CompletableFuture.completedFuture("for " + RpcContext.current().method().name());
		}

	}

	@RpcService
	static class OuterService implements Greeter {

		@RpcReference(fallback = SpareLater.class)
		private Later later;

		@Override
		public String greet(String name) {
			return this.later.find().join();
		}

	}

	static class Spare implements Greeter {

		@Override
		public String greet(String name) {
			return "Bye " + name;
		}

	}

}
