package io.rpcboot.spring.actuate.health;

import io.rpcboot.spring.actuate.endpoint.RpcActuatorTests;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests {@code DEGRADED} in the health groups of an application. */
class RpcHealthGroupsTests {

	private static final String READINESS = "--management.endpoint.health.group.readiness.include=readinessState,rpc";

	private static final String LIVENESS = "--management.endpoint.health.group.liveness.include=livenessState,rpc";

	private static final String MAPPING = "status.http-mapping.degraded=299";

	@Test
	void degradedStatus_mapsTo503_whenGroupIncludesRpc() {
		try (ConfigurableApplicationContext context = run(READINESS, LIVENESS)) {
			HealthEndpointGroups groups = context.getBean(HealthEndpointGroups.class);
			HealthEndpointGroup readiness = groups.get("readiness");
			assertThat(readiness.getStatusAggregator().getAggregateStatus(Status.UP, RpcHealthIndicator.DEGRADED))
				.isEqualTo(RpcHealthIndicator.DEGRADED);
			assertThat(readiness.isMember("rpc")).isTrue();
			assertThat(readiness.isMember("ping")).isFalse();
			assertThat(code(readiness, RpcHealthIndicator.DEGRADED)).isEqualTo(503);
			assertThat(code(readiness, Status.UP)).isEqualTo(200);
			assertThat(code(readiness, Status.OUT_OF_SERVICE)).isEqualTo(503);
			assertThat(code(groups.get("liveness"), RpcHealthIndicator.DEGRADED)).isEqualTo(200);
			assertThat(code(groups.getPrimary(), RpcHealthIndicator.DEGRADED)).isEqualTo(200);
		}
	}

	@Test
	void worstStatus_determinesAggregate() {
		try (ConfigurableApplicationContext context = run()) {
			HealthEndpointGroup all = context.getBean(HealthEndpointGroups.class).getPrimary();
			assertThat(all.getStatusAggregator().getAggregateStatus(Status.UP, RpcHealthIndicator.DEGRADED))
				.isEqualTo(RpcHealthIndicator.DEGRADED);
			assertThat(all.getStatusAggregator()
				.getAggregateStatus(Status.UP, RpcHealthIndicator.DEGRADED, Status.OUT_OF_SERVICE))
				.isEqualTo(Status.OUT_OF_SERVICE);
		}
	}

	@Test
	void statusCodeOfApplication_isKept() {
		try (ConfigurableApplicationContext context = run(READINESS,
				"--management.endpoint.health.group.readiness." + MAPPING)) {
			HealthEndpointGroups groups = context.getBean(HealthEndpointGroups.class);
			assertThat(code(groups.get("readiness"), RpcHealthIndicator.DEGRADED)).isEqualTo(299);
		}
		try (ConfigurableApplicationContext context = run(READINESS, "--management.endpoint.health." + MAPPING)) {
			HealthEndpointGroups groups = context.getBean(HealthEndpointGroups.class);
			assertThat(code(groups.get("readiness"), RpcHealthIndicator.DEGRADED)).isEqualTo(299);
		}
	}

	@Test
	void lostRegistry_failsReadinessOnly_whenGroupsIncludeRpc() {
		try (ConfigurableApplicationContext context = run(LostConfiguration.class, READINESS, LIVENESS)) {
			HealthEndpointGroups groups = context.getBean(HealthEndpointGroups.class);
			HealthEndpoint health = context.getBean(HealthEndpoint.class);
			Status status = health.healthForPath("liveness", "rpc").getStatus();
			assertThat(status).isEqualTo(RpcHealthIndicator.DEGRADED);
			assertThat(code(groups.get("liveness"), health.healthForPath("liveness").getStatus())).isEqualTo(200);
			assertThat(code(groups.get("readiness"), health.healthForPath("readiness").getStatus())).isEqualTo(503);
		}
	}

	@Test
	void livenessAndReadiness_stayUp_whenGroupsExcludeRpc() {
		try (ConfigurableApplicationContext context = run(LostConfiguration.class,
				"--management.endpoint.health.probes.enabled=true")) {
			HealthEndpoint health = context.getBean(HealthEndpoint.class);
			assertThat(health.healthForPath("liveness").getStatus()).isEqualTo(Status.UP);
			assertThat(health.healthForPath("readiness").getStatus()).isEqualTo(Status.UP);
			assertThat(health.health().getStatus()).isEqualTo(RpcHealthIndicator.DEGRADED);
		}
	}

	private static int code(HealthEndpointGroup group, Status status) {
		return group.getHttpCodeStatusMapper().getStatusCode(status);
	}

	private static ConfigurableApplicationContext run(String... arguments) {
		return run(Application.class, arguments);
	}

	private static ConfigurableApplicationContext run(Class<?> configuration, String... arguments) {
		return new SpringApplicationBuilder(configuration).web(WebApplicationType.NONE)
			.logStartupInfo(false)
			.run(arguments);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	/** The registry is gone, and a reference knows an instance that nobody is. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ RpcActuatorTests.LostRegistry.class, RpcActuatorTests.User.class })
	static class LostConfiguration {

	}

}
