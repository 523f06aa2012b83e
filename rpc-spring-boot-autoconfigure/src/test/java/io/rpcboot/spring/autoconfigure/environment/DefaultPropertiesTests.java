package io.rpcboot.spring.autoconfigure.environment;

import java.util.List;
import java.util.Map;

import io.rpcboot.spring.autoconfigure.fixture.Applications;
import org.junit.jupiter.api.Test;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.EncodedResource;
import org.springframework.core.io.support.PropertySourceFactory;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

class DefaultPropertiesTests {

	private static final String ZOOKEEPER = "logging.level.org.apache.zookeeper";

	private static final String CURATOR = "logging.level.org.apache.curator";

	private static final String STATUS_ORDER = "management.endpoint.health.status.order";

	private final StandardEnvironment environment = new StandardEnvironment();

	@Test
	void logLevelsOfZooKeeperAndCurator_areReduced() {
		process();
		assertThat(this.environment.getProperty(ZOOKEEPER)).isEqualTo("warn");
		assertThat(this.environment.getProperty(ZOOKEEPER + ".client.StaticHostProvider")).isEqualTo("off");
		assertThat(this.environment.getProperty(ZOOKEEPER + ".ClientCnxn")).isEqualTo("error");
		assertThat(this.environment.getProperty(ZOOKEEPER + ".ClientCnxnSocketNetty")).isEqualTo("off");
		assertThat(this.environment.getProperty(ZOOKEEPER + ".common.ClientX509Util")).isEqualTo("error");
		assertThat(this.environment.getProperty(ZOOKEEPER + ".server.ServerCnxnFactory")).isEqualTo("error");
		assertThat(this.environment.getProperty(CURATOR)).isEqualTo("warn");
	}

	@Test
	void applicationProperty_overridesDefault() {
		this.environment.getPropertySources().addLast(new MapPropertySource("application", Map.of(ZOOKEEPER, "debug")));
		process();
		assertThat(this.environment.getProperty(ZOOKEEPER)).isEqualTo("debug");
	}

	@Test
	void lowPrecedenceApplicationProperties_overrideDefaults() {
		SpringApplication application = Applications.application(WebApplicationType.NONE);
		application.addPrimarySources(List.of(WithPropertySource.class));
		application.setDefaultProperties(
				Map.of(STATUS_ORDER, "down,up", "spring.main.banner-mode", "off", "logging.level.root", "warn"));
		try (ConfigurableApplicationContext context = application.run()) {
			assertThat(context.getEnvironment().getProperty(STATUS_ORDER)).isEqualTo("down,up");
			assertThat(context.getEnvironment().getProperty(CURATOR)).isEqualTo("info");
			assertThat(context.getEnvironment().getProperty(ZOOKEEPER)).isEqualTo("warn");
		}
	}

	@Test
	void postProcessor_isFoundBySpringBoot() {
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

	@Configuration(proxyBeanMethods = false)
	@PropertySource(value = "nowhere", factory = Sources.class)
	static class WithPropertySource {

	}

	static class Sources implements PropertySourceFactory {

		@Override
		public MapPropertySource createPropertySource(String name, EncodedResource resource) {
			return new MapPropertySource("application", Map.of(CURATOR, "info"));
		}

	}

}
