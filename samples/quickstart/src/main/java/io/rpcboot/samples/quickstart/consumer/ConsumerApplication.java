package io.rpcboot.samples.quickstart.consumer;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The consumer: a web application with Actuator. */
@SpringBootApplication
public class ConsumerApplication {

	/**
	 * Starts the consumer.
	 * @param registerShutdownHook true to end when the JVM is stopped
	 * @param args command line arguments; they override {@code consumer.properties}
	 * @return the application
	 */
	public static ConfigurableApplicationContext start(boolean registerShutdownHook, String... args) {
		return new SpringApplicationBuilder(ConsumerApplication.class).properties("spring.config.name=consumer")
			.main(ConsumerApplication.class)
			.registerShutdownHook(registerShutdownHook)
			.run(args);
	}

}
