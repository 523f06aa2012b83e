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
 * Values that this starter wants for properties of Spring Boot, below all others: a value
 * of the application wins, wherever it is set. They are among the default properties of
 * the application, because Spring Boot keeps these behind all that is added later.
 */
final class DefaultProperties implements EnvironmentPostProcessor {

	/**
	 * ZooKeeper and Curator write dozens of lines at a start, and a stack trace for each
	 * attempt to connect; the registry has a line of its own for an outage. The embedded
	 * server warns that its number of connections has no limit. With TLS, each failed
	 * attempt has a stack trace of another logger, and each attempt a warning that this
	 * process shows no certificate. Spring Boot's order of severity does not know
	 * {@code DEGRADED}, and ignores what it does not know.
	 */
	private static final Map<String, Object> VALUES = Map.of("logging.level.org.apache.zookeeper", "warn",
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
