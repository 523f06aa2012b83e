package io.rpcboot.dashboard;

import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the conditions for the page. */
class RpcDashboardAutoConfigurationTests {

	private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(RpcDashboardAutoConfiguration.class);

	private static final String EXPOSED = "management.endpoints.web.exposure.include=rpcdashboard";

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(CONFIGURATIONS);

	private final Logger logger = (Logger) LoggerFactory.getLogger("rpc.spring");

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.lines.start();
		this.logger.setLevel(Level.INFO);
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void leave() {
		this.logger.detachAppender(this.lines);
		this.logger.setLevel(null);
	}

	private List<String> said() {
		return this.lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	@Test
	void dashboard_isPresent_whenExposed() {
		this.runner.withPropertyValues(EXPOSED).run((context) -> {
			assertThat(context).hasSingleBean(RpcDashboardEndpoint.class);
			ready(context);
			assertThat(said()).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "prod", "production" })
	void dashboard_isAbsentInProduction_unlessEnabled(String profile) {
		WebApplicationContextRunner production = this.runner.withPropertyValues(EXPOSED)
			.withInitializer((context) -> activate(context.getEnvironment(), profile));
		production.run((context) -> assertThat(context).doesNotHaveBean(RpcDashboardEndpoint.class));
		production.withPropertyValues("rpc.dashboard.enabled=true")
			.run((context) -> assertThat(context).hasSingleBean(RpcDashboardEndpoint.class));
	}

	@Test
	void dashboard_isPresent_inOtherProfile() {
		this.runner.withPropertyValues(EXPOSED)
			.withInitializer((context) -> activate(context.getEnvironment(), "pre-prod"))
			.run((context) -> assertThat(context).hasSingleBean(RpcDashboardEndpoint.class));
	}

	@Test
	void dashboard_isAbsent_whenDisabled() {
		this.runner.withPropertyValues("rpc.dashboard.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(RpcDashboardEndpoint.class);
			ready(context);
			assertThat(said()).isEmpty();
		});
	}

	@Test
	void unknownProperty_failsStartup() {
		this.runner.withPropertyValues(EXPOSED, "rpc.dashboard.enable=false")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("rpc.dashboard.enable"));
	}

	@Test
	void invalidSwitchValue_failsStartup() {
		this.runner.withPropertyValues(EXPOSED, "rpc.dashboard.enabled=flase")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("rpc.dashboard.enabled: flase (expected: true or false)"));
	}

	@Test
	void unexposedDashboard_isReportedOnceWithProperty() {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=health,info").run((context) -> {
			assertThat(context).doesNotHaveBean(RpcDashboardEndpoint.class);
			ready(context);
			assertThat(said()).singleElement()
				.asString()
				.contains("set management.endpoints.web.exposure.include=health,info,rpc,rpcdashboard to see it");
		});
	}

	@Test
	void dashboard_isAbsent_whenExposedOverJmxOnly() {
		this.runner.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=*")
			.run((context) -> {
				assertThat(context).doesNotHaveBean(RpcDashboardEndpoint.class);
				ready(context);
				assertThat(said()).singleElement().asString().contains("Actuator does not expose it");
			});
	}

	@Test
	void excludedDashboard_isNotReported() {
		this.runner
			.withPropertyValues("management.endpoints.web.exposure.include=*",
					"management.endpoints.web.exposure.exclude=rpcdashboard")
			.run((context) -> {
				assertThat(context).doesNotHaveBean(RpcDashboardEndpoint.class);
				ready(context);
				assertThat(said()).isEmpty();
			});
	}

	@Test
	void dashboard_isAbsent_withoutWebServer() {
		new ApplicationContextRunner().withConfiguration(CONFIGURATIONS)
			.withPropertyValues(EXPOSED)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RpcDashboardEndpoint.class));
	}

	private static void ready(AssertableWebApplicationContext context) {
		ConfigurableApplicationContext source = (ConfigurableApplicationContext) context.getSourceApplicationContext();
		source.publishEvent(new ApplicationReadyEvent(new SpringApplication(), new String[0], source, null));
	}

	private static void activate(ConfigurableEnvironment environment, String profile) {
		environment.setActiveProfiles(profile);
	}

}
