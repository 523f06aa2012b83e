package io.rpcboot.spring.autoconfigure.environment;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcServerBuilderCustomizer;
import io.rpcboot.spring.autoconfigure.RpcAutoConfigurationTests.CounterService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/** Properties of a server that change while the application runs. */
@ExtendWith(OutputCaptureExtension.class)
class EnvironmentChangeListenerTests {

	private final ApplicationContextRunner runner = Applications.inProcess()
		.withConfiguration(AutoConfigurations.of(RpcEnvironmentAutoConfiguration.class))
		.withBean(CounterService.class);

	private static void change(ConfigurableApplicationContext context, String... values) {
		Map<String, Object> all = new HashMap<>();
		for (int i = 0; i < values.length; i += 2) {
			all.put(values[i], values[i + 1]);
		}
		context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("changed", all));
		context.publishEvent(new EnvironmentChangeEvent(context, all.keySet()));
	}

	private void run(Consumer<ConfigurableApplicationContext> test) {
		this.runner.run((context) -> test.accept(context.getSourceApplicationContext()));
	}

	@Test
	void listener_hearsEventOfSpringCloud_andNoOther() {
		run((context) -> {
			EnvironmentChangeListener listener = context.getBean(EnvironmentChangeListener.class);
			assertThat(listener.supportsEventType(EnvironmentChangeEvent.class)).isTrue();
			assertThat(listener.supportsEventType(ContextRefreshedEvent.class)).isFalse();
		});
	}

	@ParameterizedTest
	@CsvSource({ "7, 7", "10000, 10000", "${rpc.other:9}, 9" })
	void weight_isApplied(String weight, int expected) {
		run((context) -> {
			change(context, "rpc.server.weight", weight);
			assertThat(context.getBean(RpcServer.class).presence().weight()).isEqualTo(expected);
		});
	}

	@Test
	void weight_isThatOfTheEnvironment_afterAnOperation() {
		run((context) -> {
			RpcServer server = context.getBean(RpcServer.class);
			server.weight(40, "test");
			context.publishEvent(new EnvironmentChangeEvent(context, Set.of("rpc.server.weight")));
			assertThat(server.presence().weight()).isEqualTo(100);
		});
	}

	@ParameterizedTest
	@CsvSource({ "rpc.server.pool.max-threads", "rpc.server.pool.maxThreads", "rpc.server.pool.max_threads" })
	void maxThreads_areApplied_inEachNotation(String name) {
		run((context) -> {
			change(context, name, "7");
			assertThat(context.getBean(RpcServer.class).pool().maxThreads()).isEqualTo(7);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"rpc.server.weight | 0 | rpc.server.weight: 0 (expected: 1 to 10000). Set rpc.server.weight to 1 to 10000.",
			"rpc.server.weight | many | rpc.server.weight: 'many' (expected: a value of type int). Set",
			"rpc.server.pool.max-threads | 0 | rpc.server.pool.max-threads: 0 (expected: 1 or more). Set rpc.server.pool.max-threads to 1 or more.",
			"rpc.server.pool.max-threads | 1.5 | rpc.server.pool.max-threads: '1.5' (expected: a value of type int)" })
	void invalidValue_isNamedOnce_andAllKeepTheirs(String name, String value, String problem, CapturedOutput output) {
		boolean weight = name.endsWith("weight");
		run((context) -> {
			change(context, name, value, weight ? "rpc.server.pool.max-threads" : "rpc.server.weight", "5");
			RpcServer server = context.getBean(RpcServer.class);
			assertThat(server.presence().weight()).isEqualTo(100);
			assertThat(server.pool().maxThreads()).isEqualTo(200);
			assertThat(output).containsOnlyOnce("Changed properties are not applied, all of them keep their values: "
					+ "rpc.server.pool.max-threads, rpc.server.weight. " + problem);
			change(context, "rpc.server.pool.max-threads", "6");
			assertThat(server.pool().maxThreads()).isEqualTo(6);
		});
	}

	@Test
	void valueOfCustomizer_isKept_untilItsPropertyChanges() {
		this.runner.withBean(RpcServerBuilderCustomizer.class, () -> (builder) -> builder.maxThreads(9))
			.run((context) -> {
				change(context.getSourceApplicationContext(), "rpc.server.weight", "5");
				RpcServer server = context.getBean(RpcServer.class);
				assertThat(server.presence().weight()).isEqualTo(5);
				assertThat(server.pool().maxThreads()).isEqualTo(9);
				change(context.getSourceApplicationContext(), "rpc.server.pool.max-threads", "8");
				assertThat(server.pool().maxThreads()).isEqualTo(8);
			});
	}

	/** A wrong value of a property that is not applied has no effect yet. */
	@Test
	void otherProperties_areNamed_becauseTheyNeedRestart(CapturedOutput output) {
		run((context) -> {
			change(context, "rpc.server.port", "none", "rpc.server.weight", "5", "spring.application.name", "x",
					"rpc.client.max-pending-calls", "-1");
			assertThat(output).contains("Properties changed that take effect with the next start of this application: "
					+ "rpc.client.max-pending-calls, rpc.server.port" + System.lineSeparator());
			assertThat(context.getBean(RpcServer.class).presence().weight()).isEqualTo(5);
		});
	}

}
