package io.rpcboot.spring.autoconfigure.environment;

import java.util.HashMap;
import java.util.Map;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.env.DefaultPropertiesPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;

/**
 * Default values of properties of Spring Boot, with the lowest precedence: any value of
 * the application overrides them. They are merged into the application's default
 * properties, because Spring Boot keeps those last.
 */
final class DefaultProperties implements EnvironmentPostProcessor {

	/**
	 * Log levels: ZooKeeper and Curator log dozens of lines at start, a stack trace for
	 * each failed attempt, an error for each look-up of an unknown host, and with TLS two
	 * warnings for each attempt, while the registry logs outages itself. The embedded
	 * server warns about its unlimited connections. Order of health statuses: Spring
	 * Boot's does not contain {@code DEGRADED} and ignores unknown statuses.
	 */
	private static final Map<String, Object> VALUES = Map.of("logging.level.org.apache.zookeeper", "warn",
			"logging.level.org.apache.zookeeper.client.StaticHostProvider", "off",
			"logging.level.org.apache.zookeeper.ClientCnxn", "error",
			"logging.level.org.apache.zookeeper.ClientCnxnSocketNetty", "off",
			"logging.level.org.apache.zookeeper.common.ClientX509Util", "error",
			"logging.level.org.apache.zookeeper.server.ServerCnxnFactory", "error", "logging.level.org.apache.curator",
			"warn", "management.endpoint.health.status.order", "down,out-of-service,degraded,up,unknown");

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		MutablePropertySources sources = environment.getPropertySources();
		Map<String, Object> values = new HashMap<>(VALUES);
		if (sources.get(DefaultPropertiesPropertySource.NAME) instanceof MapPropertySource ofApplication) {
			values.putAll(ofApplication.getSource());
		}
		DefaultPropertiesPropertySource.addOrMerge(values, sources);
	}

}
