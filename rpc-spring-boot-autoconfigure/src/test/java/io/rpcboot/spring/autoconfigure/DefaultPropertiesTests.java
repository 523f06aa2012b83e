package io.rpcboot.spring.autoconfigure;

import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

class DefaultPropertiesTests {

	private static final String ZOOKEEPER = "logging.level.org.apache.zookeeper";

	private final StandardEnvironment environment = new StandardEnvironment();

	@Test
	void zooKeeperAndCuratorAreQuiet() {
		process();
		assertThat(this.environment.getProperty(ZOOKEEPER)).isEqualTo("warn");
		assertThat(this.environment.getProperty(ZOOKEEPER + ".ClientCnxn")).isEqualTo("error");
		assertThat(this.environment.getProperty(ZOOKEEPER + ".ClientCnxnSocketNetty")).isEqualTo("off");
		assertThat(this.environment.getProperty(ZOOKEEPER + ".common.ClientX509Util")).isEqualTo("error");
		assertThat(this.environment.getProperty(ZOOKEEPER + ".server.ServerCnxnFactory")).isEqualTo("error");
		assertThat(this.environment.getProperty("logging.level.org.apache.curator")).isEqualTo("warn");
	}

	@Test
	void aValueOfTheApplicationWins() {
		this.environment.getPropertySources().addLast(new MapPropertySource("application", Map.of(ZOOKEEPER, "debug")));
		process();
		assertThat(this.environment.getProperty(ZOOKEEPER)).isEqualTo("debug");
	}

	@Test
	void springBootFindsThem() {
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
			.load(EnvironmentPostProcessor.class,
					SpringFactoriesLoader.FailureHandler.handleMessage((message, failure) -> {
						// those of Spring Boot want arguments
					})))
			.hasAtLeastOneElementOfType(DefaultProperties.class);
	}

	private void process() {
		new DefaultProperties().postProcessEnvironment(this.environment, new SpringApplication());
	}

}
