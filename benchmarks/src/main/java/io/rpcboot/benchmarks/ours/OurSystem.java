package io.rpcboot.benchmarks.ours;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.RpcException;
import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.DefaultBenchService;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * This project as an application uses it: a bean behind the server, an injected proxy in
 * front of the client, metrics on, and no setting but the address and those that a name
 * stands for.
 */
final class OurSystem implements RpcSystem {

	private static final String REFERENCE = "bench";

	private static final String ADDRESSES = "rpc.client.references." + REFERENCE + ".addresses";

	private static final String SERVER = "rpc.server.";

	private static final String CLIENT = "rpc.client.";

	private static final String METRICS = "bench.metrics";

	private static final String BALANCER = "rpc.client.load-balancer";

	private final String name;

	private final int instances;

	private final Map<String, String> settings;

	OurSystem(String name) {
		this(name, 1, Map.of());
	}

	private OurSystem(String name, int instances, Map<String, String> settings) {
		this.name = name;
		this.instances = instances;
		this.settings = settings;
	}

	OurSystem with(Map<String, String> more) {
		Map<String, String> all = new HashMap<>(this.settings);
		all.putAll(more);
		return new OurSystem(this.name, this.instances, Map.copyOf(all));
	}

	OurSystem overGrpc() {
		return with(Map.of(OverGrpc.SWITCH, "true"));
	}

	/** Several servers in the process of the server, each with threads of its own. */
	OurSystem among(int count) {
		return new OurSystem(this.name, count, this.settings);
	}

	OurSystem by(String balancer) {
		return with(Map.of(BALANCER, balancer));
	}

	/**
	 * Nothing is recorded: no Micrometer, no history, no events of the Flight Recorder.
	 */
	OurSystem withoutMetrics() {
		return with(Map.of(METRICS, "false", "rpc.history.enabled", "false", "rpc.jfr.enabled", "false"));
	}

	@Override
	public String name() {
		return this.name;
	}

	/** A handler that sleeps must not do it on an event loop. */
	@Override
	public boolean supports(BenchCall call) {
		return !call.sleeps() || !"event-loop".equals(this.settings.get("rpc.server.dispatch"));
	}

	@Override
	public BenchServer startServer() {
		return startServer(new DefaultBenchService());
	}

	@Override
	public BenchServer startServer(BenchService service) {
		List<ConfigurableApplicationContext> started = new ArrayList<>();
		OurServer server = new OurServer(started);
		for (int number = 1; number <= this.instances; number++) {
			int port = started.isEmpty() ? 0 : server.port();
			started
				.add(application(ServerApplication.class, SERVER,
						Map.of("rpc.server.port", port + "", "rpc.server.bind-address", host(number)))
					.initializers((context) -> context.getBeanFactory()
						.registerSingleton("implementation", new Implementation(service)))
					.run());
		}
		return server;
	}

	/** Every instance has the port of the first, so that clients find all by it. */
	private static String host(int number) {
		return "127.0.0." + number;
	}

	private String addresses(int port) {
		return IntStream.rangeClosed(1, this.instances)
			.mapToObj((number) -> host(number) + ":" + port)
			.collect(Collectors.joining(","));
	}

	@Override
	public BenchClient connect(int port) {
		return connect(Map.of(ADDRESSES, addresses(port)));
	}

	@Override
	public BenchClient connect(int port, Duration timeout) {
		return connect(Map.of(ADDRESSES, addresses(port), "rpc.client.timeout", timeout.toMillis() + "ms"));
	}

	private BenchClient connect(Map<String, String> properties) {
		return new OurClient(application(ClientApplication.class, CLIENT, properties).run());
	}

	@Override
	public String status(Throwable failure) {
		return (failure instanceof RpcException call) ? call.status().name() : RpcSystem.super.status(failure);
	}

	private SpringApplicationBuilder application(Class<?> application, String side, Map<String, String> own) {
		Map<String, Object> properties = new HashMap<>(Map.of("spring.application.name", REFERENCE,
				"spring.main.banner-mode", "off", "spring.jmx.enabled", "false"));
		properties.putAll(own);
		String other = side.equals(SERVER) ? CLIENT : SERVER;
		this.settings.forEach((key, setting) -> {
			if (!key.startsWith(other)) {
				properties.put(key, setting);
			}
		});
		return new SpringApplicationBuilder(application).properties(properties);
	}

	private record OurServer(List<ConfigurableApplicationContext> instances) implements BenchServer {

		@Override
		public int port() {
			return this.instances.get(0).getEnvironment().getRequiredProperty("local.rpc.port", Integer.class);
		}

		@Override
		public void close() {
			this.instances.forEach(ConfigurableApplicationContext::close);
		}

	}

	private record OurClient(ConfigurableApplicationContext context, BenchService service) implements BenchClient {

		OurClient(ConfigurableApplicationContext context) {
			this(context, context.getBean(Caller.class).service());
		}

		@Override
		public void close() {
			this.context.close();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Metrics.class, WithContext.class, WithTracing.class })
	static class ServerApplication {

		@Bean
		@RpcService
		BenchService benchService(Implementation implementation) {
			return implementation.service();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Metrics.class, WithContext.class, WithTracing.class, OverGrpc.class, Caller.class })
	static class ClientApplication {

	}

	/** What the server offers. */
	record Implementation(BenchService service) {

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = METRICS, matchIfMissing = true)
	static class Metrics {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

	}

	record Caller(@RpcReference(name = REFERENCE) BenchService service) {

	}

}
