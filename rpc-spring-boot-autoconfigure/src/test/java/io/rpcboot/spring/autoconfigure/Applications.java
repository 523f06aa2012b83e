package io.rpcboot.spring.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcService;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Runs applications for tests. */
final class Applications {

	private Applications() {
	}

	/** Client, server and registry in one process, without sockets. */
	static ApplicationContextRunner inProcess() {
		return new ApplicationContextRunner()
			.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0", "rpc.client.warm-up=0",
					"rpc.server.event-loop.transport=in-process", "rpc.client.event-loop.transport=in-process")
			.withConfiguration(
					AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
							RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class));
	}

	static ConfigurableApplicationContext run(WebApplicationType type, Class<?>... beans) {
		return run(type, Map.of(), beans);
	}

	static ConfigurableApplicationContext run(WebApplicationType type, Map<String, Object> properties,
			Class<?>... beans) {
		String[] arguments = properties.entrySet()
			.stream()
			.map((property) -> "--" + property.getKey() + "=" + property.getValue())
			.toArray(String[]::new);
		return application(type, beans).run(arguments);
	}

	static SpringApplication application(WebApplicationType type, Class<?>... beans) {
		SpringApplication application = new SpringApplication(Application.class);
		application.addPrimarySources(List.of(beans));
		application.setWebApplicationType(type);
		application.setRegisterShutdownHook(false);
		application.setDefaultProperties(Map.of("rpc.server.port", 0, "server.port", 0, "spring.main.banner-mode",
				"off", "logging.level.root", "warn", "spring.jmx.enabled", false));
		return application;
	}

	static int port(ConfigurableApplicationContext context) {
		return context.getEnvironment().getRequiredProperty("local.rpc.port", int.class);
	}

	static boolean eventually(BooleanSupplier condition) {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - deadline > 0) {
				return false;
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
		return true;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@RpcService
	static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			return "Hello " + name;
		}

	}

}
