package io.rpcboot.benchmarks.system;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.DefaultBenchService;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * This project as an application uses it: a bean behind the server, an injected proxy in
 * front of the client, metrics on, and no setting but the address.
 */
final class OurSystem implements RpcSystem {

	private static final String REFERENCE = "bench";

	@Override
	public String name() {
		return "ours";
	}

	@Override
	public BenchServer startServer() {
		return new OurServer(run(ServerApplication.class, "rpc.server.port=0"));
	}

	@Override
	public BenchClient connect(int port) {
		return new OurClient(
				run(ClientApplication.class, "rpc.client.references." + REFERENCE + ".addresses=127.0.0.1:" + port));
	}

	private static ConfigurableApplicationContext run(Class<?> application, String property) {
		return new SpringApplicationBuilder(application)
			.properties(property, "spring.application.name=" + REFERENCE, "spring.main.banner-mode=off")
			.run();
	}

	private record OurServer(ConfigurableApplicationContext context) implements BenchServer {

		@Override
		public int port() {
			return this.context.getEnvironment().getRequiredProperty("local.rpc.port", Integer.class);
		}

		@Override
		public void close() {
			this.context.close();
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
	static class ServerApplication {

		@Bean
		@RpcService
		BenchService benchService() {
			return new DefaultBenchService();
		}

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Caller.class)
	static class ClientApplication {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

	}

	record Caller(@RpcReference(name = REFERENCE) BenchService service) {

	}

}
