package io.rpcboot.spring.actuate.endpoint;

import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import javax.management.MBeanServer;
import javax.management.ObjectName;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.actuate.descriptor.HistoryDescriptor;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** The endpoint where meters fail, clocks jump, or no web server is there. */
class EndpointSurroundingsTests {

	private static final AtomicLong nanos = new AtomicLong();

	private static final AtomicLong millis = new AtomicLong(Instant.parse("2026-01-01T12:00:00Z").toEpochMilli());

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0",
				"management.endpoints.web.exposure.include=rpc")
		.withBean(RpcActuatorTests.GreeterService.class)
		.withBean(User.class)
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcMetricsAutoConfiguration.class,
				RpcRegistryAutoConfiguration.class, RpcSerializationAutoConfiguration.class,
				RpcServerAutoConfiguration.class, RpcEndpointAutoConfiguration.class));

	static Stream<Named<MeterFilter>> filters() {
		return Stream.of(Named.of("throws", new MeterFilter() {
			@Override
			public Meter.Id map(Meter.Id id) {
				throw new IllegalStateException("fails on purpose");
			}
		}), Named.of("denies", MeterFilter.deny()), Named.of("renames", new MeterFilter() {
			@Override
			public Meter.Id map(Meter.Id id) {
				return id.withName("acme");
			}
		}), Named.of("leaves out tags", MeterFilter.ignoreTags("method", "service", "status")));
	}

	@ParameterizedTest
	@MethodSource("filters")
	void endpoint_countsCalls_withApplicationMeterFilters(MeterFilter filter) {
		this.runner.withBean(MeterRegistry.class, () -> {
			MeterRegistry registry = new SimpleMeterRegistry();
			registry.config().meterFilter(filter);
			return registry;
		}).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(User.class).greeter.greet("Ann");
			context.getBean(RpcHistory.class).tick();
			SummaryDescriptor rpc = context.getBean(RpcEndpoint.class).rpc();
			assertThat(rpc.methods()).hasSize(2).allSatisfy((each) -> assertThat(each.calls()).isOne());
			assertThat(rpc.findings()).isEmpty();
		});
	}

	@Test
	void history_losesNoValue_whenClockJumps() {
		RpcHistory history = RpcHistory.builder().clock(nanos::get, () -> Instant.ofEpochMilli(millis.get())).build();
		this.runner.withBean("rpcHistory", RpcHistory.class, () -> history).run((context) -> {
			for (Duration jump : new Duration[] { Duration.ZERO, Duration.ofHours(-3), Duration.ofDays(400),
					Duration.ofMillis(-1) }) {
				millis.addAndGet(jump.toMillis());
				assertRates(context, summary(context));
				context.getBean(User.class).greeter.greet("Ann");
				nanos.addAndGet(Duration.ofSeconds(5).toNanos());
				millis.addAndGet(Duration.ofSeconds(5).toMillis());
				history.tick();
				assertRates(context, summary(context));
				assertThat(summary(context).server().callsPerSecond()).as("after %s", jump).isPositive();
			}
			assertThat(part(context, "history")).isInstanceOfSatisfying(HistoryDescriptor.class,
					(all) -> assertThat(all.times()).hasSize(4).isSorted());
		});
	}

	private static SummaryDescriptor summary(ApplicationContext context) {
		Clock clock = Clock.fixed(Instant.ofEpochMilli(millis.get()), ZoneOffset.UTC);
		return new SummaryReport(new RpcBeans(((ConfigurableApplicationContext) context).getBeanFactory()), context,
				clock)
			.describe();
	}

	private static void assertRates(ApplicationContext context, SummaryDescriptor rpc) {
		assertThat(rpc.at()).isEqualTo(millis.get());
		assertThat(rpc.findings()).isEmpty();
		assertThat(rpc.methods()).allSatisfy((each) -> {
			assertThat(each.callsPerSecond()).isBetween(0.0, 1.0);
			assertThat(each.p99Millis()).isNotNegative();
		});
	}

	private static @Nullable Object part(ApplicationContext context, String... path) {
		return context.getBean(RpcEndpoint.class).part(path, null);
	}

	@Test
	void endpoint_isReadableOverJmx_withoutWebServer() throws Exception {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.properties("spring.application.name=batch", "spring.jmx.enabled=true",
					"management.endpoints.jmx.exposure.include=rpc", "spring.main.banner-mode=off")
			.run()) {
			assertThat(context.getBeansOfType(RpcEndpointWebExtension.class)).isEmpty();
			MBeanServer server = ManagementFactory.getPlatformMBeanServer();
			ObjectName name = new ObjectName("org.springframework.boot:type=Endpoint,name=Rpc");
			Map<?, ?> summary = (Map<?, ?>) server.invoke(name, "rpc", new Object[0], new String[0]);
			assertThat(summary.get("application")).isEqualTo("batch");
			String[] types = Arrays.stream(server.getMBeanInfo(name).getOperations())
				.filter((each) -> each.getName().equals("part"))
				.flatMap((each) -> Arrays.stream(each.getSignature()))
				.map((each) -> each.getType())
				.toArray(String[]::new);
			Map<?, ?> history = (Map<?, ?>) server.invoke(name, "part",
					new @Nullable Object[] { new String[] { "history" }, null }, types);
			assertThat(history.get("stepMillis")).isEqualTo(5000);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	static class User {

		@RpcReference
		private Greeter greeter;

	}

}
