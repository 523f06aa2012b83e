package io.rpcboot.benchmarks.sick;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.rpcboot.spring.RpcReference;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A process of callers of {@link Work}: applications with the starter, whose properties
 * are its arguments but the first two. It ends with its standard input.
 */
public final class ConsumerProcess {

	/** When it can call. */
	static final String READY = "ready";

	/** When all its calls have ended. */
	static final String DONE = "done";

	private ConsumerProcess() {
	}

	/**
	 * Start it.
	 * @param args number of applications, number of the first call, properties
	 * @throws Exception if the standard input cannot be read
	 */
	public static void main(String[] args) throws Exception {
		List<String> properties = List.of(args).subList(2, args.length);
		List<ConfigurableApplicationContext> contexts = new ArrayList<>();
		try {
			IntStream.range(0, Integer.parseInt(args[0])).forEach((client) -> contexts.add(start(client, properties)));
			List<Work> services = contexts.stream().map((context) -> context.getBean(Caller.class).work()).toList();
			Lines lines = new Lines();
			Traffic traffic = new Traffic(services, Long.parseLong(args[1]), lines);
			lines.add(READY);
			lines.flush();
			lines.obey((words) -> {
				switch (words[0]) {
					case "load" -> traffic.start(Integer.parseInt(words[1]), Double.parseDouble(words[2]));
					case "stop" -> {
						traffic.stop();
						lines.add(DONE);
					}
					default -> throw new IllegalArgumentException("command: " + words[0]);
				}
			});
		}
		finally {
			contexts.forEach(ConfigurableApplicationContext::close);
		}
	}

	private static ConfigurableApplicationContext start(int client, List<String> properties) {
		return new SpringApplicationBuilder(ConsumerApplication.class).properties(Map.of("spring.main.banner-mode",
				"off", "spring.jmx.enabled", "false", "logging.level.root", "warn", "rpc.client.event-loop.threads",
				"1", "rpc.client.shutdown.grace-period", "0", "spring.application.name", "consumer-" + client))
			.run(properties.toArray(String[]::new));
	}

	/** The application. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class ConsumerApplication {

		@Bean
		Caller caller(@RpcReference(name = "work") Work work) {
			return new Caller(work);
		}

	}

	/**
	 * What is called.
	 *
	 * @param work the service
	 */
	record Caller(Work work) {
	}

}
