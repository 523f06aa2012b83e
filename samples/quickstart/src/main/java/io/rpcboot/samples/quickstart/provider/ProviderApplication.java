package io.rpcboot.samples.quickstart.provider;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The provider. Several may run; the consumer finds each through ZooKeeper. */
@SpringBootApplication
@EnableScheduling
public class ProviderApplication {

	/**
	 * Starts a provider.
	 * @param registerShutdownHook true to end when the JVM is stopped
	 * @param args command line arguments; they override {@code provider.properties}
	 * @return the application
	 */
	public static ConfigurableApplicationContext start(boolean registerShutdownHook, String... args) {
		return new SpringApplicationBuilder(ProviderApplication.class).properties("spring.config.name=provider")
			.main(ProviderApplication.class)
			.registerShutdownHook(registerShutdownHook)
			.run(args);
	}

}
