package io.rpcboot.dashboard.browser;

import io.rpcboot.spring.actuate.endpoint.RpcEndpointAutoConfiguration;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** The page over an invented application. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = RpcEndpointAutoConfiguration.class)
class FakeApplication {

	/** A property that leaves out Spring Security, which other tests use. */
	static final String WITHOUT_SECURITY = "spring.autoconfigure.exclude=org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration,org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration";

	static ConfigurableApplicationContext start(FakeProcess process, int port) {
		return new SpringApplicationBuilder(FakeApplication.class)
			.initializers((context) -> context.getBeanFactory().registerSingleton("process", process))
			.properties("server.port=" + port, "management.endpoints.web.exposure.include=rpc,rpcdashboard",
					"spring.main.banner-mode=off", "logging.level.root=warn", "server.shutdown=immediate",
					WITHOUT_SECURITY)
			.run();
	}

	@Bean
	FakeRpcEndpoint fakeRpcEndpoint(FakeProcess process) {
		return new FakeRpcEndpoint(process);
	}

	/**
	 * To look at the page by hand: services, connections, port.
	 */
	public static void main(String[] arguments) {
		start(new FakeProcess(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1])),
				Integer.parseInt(arguments[2]));
	}

}
