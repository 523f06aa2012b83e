package io.rpcboot.spring.observation;

import java.util.List;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class RpcObservationAutoConfigurationTests {

	private final ApplicationContextRunner bare = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RpcObservationAutoConfiguration.class));

	private final ApplicationContextRunner actuator = this.bare.withBean(ObservationRegistry.class,
			ObservationRegistry::create);

	private final ApplicationContextRunner traced = this.actuator.withBean("tracer", Tracer.class,
			() -> mock(Tracer.class));

	private static void assertNone(AssertableApplicationContext context) {
		assertThat(context).hasNotFailed()
			.doesNotHaveBean(RpcClientInterceptor.class)
			.doesNotHaveBean(RpcServerInterceptor.class);
	}

	private static void assertBoth(AssertableApplicationContext context) {
		assertThat(context).hasSingleBean(RpcClientObservationInterceptor.class)
			.hasSingleBean(RpcServerObservationInterceptor.class);
	}

	@Test
	void interceptors_areAbsent_withoutTracer() {
		this.bare.run(RpcObservationAutoConfigurationTests::assertNone);
		this.actuator.run(RpcObservationAutoConfigurationTests::assertNone);
		this.actuator.withBean("noopTracer", Tracer.class, () -> Tracer.NOOP)
			.run(RpcObservationAutoConfigurationTests::assertNone);
		this.actuator.withClassLoader(new FilteredClassLoader(Tracer.class))
			.run(RpcObservationAutoConfigurationTests::assertNone);
	}

	@Test
	void interceptors_arePresent_withTracer() {
		this.traced.run(RpcObservationAutoConfigurationTests::assertBoth);
	}

	@Test
	@PropertyEffect("rpc.tracing.enabled")
	void tracingProperty_overridesTracerDetection() {
		this.traced.withPropertyValues("rpc.tracing.enabled=false")
			.run(RpcObservationAutoConfigurationTests::assertNone);
		this.bare.withPropertyValues("rpc.tracing.enabled=true").run(RpcObservationAutoConfigurationTests::assertNone);
		this.actuator.withPropertyValues("rpc.tracing.enabled=true")
			.run(RpcObservationAutoConfigurationTests::assertBoth);
		this.actuator.withPropertyValues("rpc.tracing.enabled=true")
			.withClassLoader(new FilteredClassLoader(Tracer.class))
			.run(RpcObservationAutoConfigurationTests::assertBoth);
	}

	@Test
	void invalidTracingProperty_failsStartup() {
		this.bare.withPropertyValues("rpc.tracing.enabled=maybe")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("rpc.tracing.enabled: maybe (expected: true or false)"));
		this.bare.withPropertyValues("rpc.tracing.enable=true").run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void interceptors_useRegistryOfSpringBoot() {
		this.bare.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
			.withPropertyValues("rpc.tracing.enabled=true")
			.run(RpcObservationAutoConfigurationTests::assertBoth);
	}

	@Test
	void observationInterceptor_runsOutsideApplicationInterceptors() {
		RpcServerInterceptor own = (call) -> call.proceed();
		this.traced.withBean("own", RpcServerInterceptor.class, () -> own)
			.run((context) -> assertThat(context.getBeanProvider(RpcServerInterceptor.class).orderedStream().toList())
				.isEqualTo(List.of(context.getBean(RpcServerObservationInterceptor.class), own)));
	}

}
