package io.rpcboot.dashboard;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/** When there is a page. */
@ExtendWith(OutputCaptureExtension.class)
class RpcDashboardAutoConfigurationTests {

	private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(RpcDashboardAutoConfiguration.class);

	private static final String EXPOSED = "management.endpoints.web.exposure.include=rpcdashboard";

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(CONFIGURATIONS);

	@Test
	void thereIsOneIfItIsExposed(CapturedOutput output) {
		this.runner.withPropertyValues(EXPOSED).run((context) -> {
			assertThat(context).hasSingleBean(RpcDashboardEndpoint.class);
			ready(context);
			assertThat(output).doesNotContain("dashboard is on the class path");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "prod", "production" })
	void thereIsNoneInProductionUnlessAsked(String profile) {
		WebApplicationContextRunner production = this.runner.withPropertyValues(EXPOSED)
			.withInitializer((context) -> activate(context.getEnvironment(), profile));
		production.run((context) -> assertThat(context).doesNotHaveBean(RpcDashboardEndpoint.class));
		production.withPropertyValues("rpc.dashboard.enabled=true")
			.run((context) -> assertThat(context).hasSingleBean(RpcDashboardEndpoint.class));
	}

	@Test
	void anotherProfileIsNoProduction() {
		this.runner.withPropertyValues(EXPOSED)
			.withInitializer((context) -> activate(context.getEnvironment(), "pre-prod"))
			.run((context) -> assertThat(context).hasSingleBean(RpcDashboardEndpoint.class));
	}

	@Test
	void theSwitchTurnsItOff(CapturedOutput output) {
		this.runner.withPropertyValues("rpc.dashboard.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(RpcDashboardEndpoint.class);
			ready(context);
			assertThat(output).doesNotContain("dashboard is on the class path");
		});
	}

	@Test
	void notExposedSaysOnceWhichPropertyToSet(CapturedOutput output) {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=health,info").run((context) -> {
			assertThat(context).doesNotHaveBean(RpcDashboardEndpoint.class);
			ready(context);
			assertThat(output)
				.contains("set management.endpoints.web.exposure.include=health,info,rpc,rpcdashboard to see it");
		});
	}

	@Test
	void excludedOnPurposeSaysNothing(CapturedOutput output) {
		this.runner
			.withPropertyValues("management.endpoints.web.exposure.include=*",
					"management.endpoints.web.exposure.exclude=rpcdashboard")
			.run((context) -> {
				assertThat(context).doesNotHaveBean(RpcDashboardEndpoint.class);
				ready(context);
				assertThat(output).doesNotContain("dashboard is on the class path");
			});
	}

	@Test
	void thereIsNoneWithoutWebServer() {
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
