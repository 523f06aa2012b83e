package io.rpcboot.spring.autoconfigure.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests which recorders receive the events of the engine. */
class RpcHistoryTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcMetricsAutoConfiguration.class,
				RpcRegistryAutoConfiguration.class, RpcSerializationAutoConfiguration.class,
				RpcServerAutoConfiguration.class));

	private final ApplicationContextRunner calling = this.runner.withBean(Applications.GreeterService.class)
		.withBean(User.class);

	@Test
	void historyAndMicrometer_bothRecordCall() {
		this.calling.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			context.getBean(User.class).greeter.greet("Ann");
			RpcHistory history = context.getBean(RpcHistory.class);
			history.tick();
			assertThat(history.methods()).extracting(MethodStats::method)
				.isNotEmpty()
				.containsOnly("greet(java.lang.String)");
			assertThat(context.getBean(MeterRegistry.class).find("rpc.client.calls").meters()).isNotEmpty();
		});
	}

	@Test
	void history_recordsCall_withoutMicrometer() {
		this.calling.withClassLoader(new FilteredClassLoader(MeterRegistry.class)).run((context) -> {
			context.getBean(User.class).greeter.greet("Ann");
			RpcHistory history = context.getBean(RpcHistory.class);
			history.tick();
			assertThat(history.methods()).isNotEmpty();
			assertThat(context).doesNotHaveBean("rpcMetrics");
		});
	}

	@Test
	void history_isAbsent_whenDisabled() {
		this.calling.withPropertyValues("rpc.history.enabled=false")
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				assertThat(context).doesNotHaveBean(RpcHistory.class).hasSingleBean(MicrometerRpcMetrics.class);
				assertThat(context.getBean(User.class).greeter.greet("Ann")).isEqualTo("Hello Ann");
				assertThat(context.getBean(MeterRegistry.class).find("rpc.client.calls").meters()).isNotEmpty();
			});
		this.calling.withPropertyValues("rpc.history.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RpcMetrics.class));
	}

	@Test
	void metricsBean_replacesMicrometerButNotHistory() {
		this.calling.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("own", RpcMetrics.class, RpcMetrics::none)
			.run((context) -> assertThat(context).hasBean("own")
				.hasSingleBean(RpcHistory.class)
				.doesNotHaveBean(MicrometerRpcMetrics.class));
	}

	@Test
	void history_isNotCreated_withoutServerAndClient() {
		this.runner.withPropertyValues("rpc.registry.type=none").run((context) -> {
			ConfigurableApplicationContext own = (ConfigurableApplicationContext) context;
			assertThat(own.getBeanFactory().containsSingleton("rpcHistory")).isFalse();
		});
	}

	static class User {

		@RpcReference
		private Greeter greeter;

	}

}
