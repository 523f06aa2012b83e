package io.rpcboot.spring.autoconfigure.metrics;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.jfr.JfrRpcMetrics;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the recording of an application that calls itself. */
class RpcJfrAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcJfrAutoConfiguration.class,
				RpcMetricsAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class));

	@TempDir
	Path directory;

	public interface Greeter {

		String greet(String name);

	}

	@Test
	@PropertyEffect("rpc.jfr.slow-call")
	void recording_hasSlowCallsAndConnections_withMeterRegistry() throws Exception {
		Path file = Files.createTempFile(this.directory, "calls", ".jfr");
		try (Recording recording = new Recording()) {
			recording.start();
			this.runner
				.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0", "rpc.jfr.slow-call=0")
				.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
				.withBean(GreeterService.class)
				.withBean(Caller.class)
				.run((context) -> {
					assertThat(context.getBean(Caller.class).greeter.greet("Doug")).isEqualTo("hello Doug");
					assertThat(context).hasSingleBean(MicrometerRpcMetrics.class);
					assertThat(context.getBean(MeterRegistry.class).get("rpc.client.calls").meters()).isNotEmpty();
				});
			recording.stop();
			recording.dump(file);
		}
		List<RecordedEvent> events = RecordingFile.readAllEvents(file);
		assertThat(sides(events, "io.rpcboot.SlowCall")).containsExactlyInAnyOrder("CLIENT", "SERVER");
		assertThat(sides(events, "io.rpcboot.Connect")).containsExactlyInAnyOrder("CLIENT", "SERVER");
		assertThat(sides(events, "io.rpcboot.ConnectionClosed")).containsExactlyInAnyOrder("CLIENT", "SERVER");
	}

	private static List<String> sides(List<RecordedEvent> events, String type) {
		return events.stream()
			.filter((event) -> event.getEventType().getName().equals(type))
			.map((event) -> event.getString("side"))
			.toList();
	}

	@Test
	void jfrMetrics_areAbsent_whenDisabledOrWithoutFlightRecorder() {
		this.runner.withPropertyValues("rpc.jfr.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(JfrRpcMetrics.class));
		this.runner.withClassLoader(new FilteredClassLoader("jdk.jfr"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(JfrRpcMetrics.class));
	}

	@Test
	void jfrMetrics_keepMetricsBeanAndRejectInvalidThreshold() {
		this.runner.withBean("mine", RpcMetrics.class, RpcMetrics::none)
			.run((context) -> assertThat(context).hasSingleBean(JfrRpcMetrics.class).hasBean("mine"));
		this.runner.withPropertyValues("rpc.jfr.slow-call=-1s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("slow-call: PT-1S (expected: 0 or more)"));
	}

	@RpcService
	static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			return "hello " + name;
		}

	}

	static class Caller {

		@RpcReference
		Greeter greeter;

	}

}
