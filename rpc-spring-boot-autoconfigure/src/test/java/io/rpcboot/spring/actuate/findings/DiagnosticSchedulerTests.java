package io.rpcboot.spring.actuate.findings;

import java.time.Duration;

import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.actuate.endpoint.RpcEndpoint;
import io.rpcboot.spring.actuate.endpoint.RpcEndpointAutoConfiguration;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the interval of the checks and the start of the scheduler. */
class DiagnosticSchedulerTests {

	@Test
	void pause_is5Seconds_afterFastCheck() {
		assertThat(DiagnosticScheduler.pauseNanos(0)).isEqualTo(Duration.ofSeconds(5).toNanos());
		assertThat(DiagnosticScheduler.pauseNanos(Duration.ofMillis(50).toNanos()))
			.isEqualTo(Duration.ofSeconds(5).toNanos());
	}

	@Test
	void pause_isHundredTimesDurationOfCheck() {
		assertThat(DiagnosticScheduler.pauseNanos(Duration.ofMillis(100).toNanos()))
			.isEqualTo(Duration.ofSeconds(10).toNanos());
	}

	@Test
	void pause_isLimitedTo30Seconds_afterSlowCheck() {
		assertThat(DiagnosticScheduler.pauseNanos(Duration.ofHours(1).toNanos()))
			.isEqualTo(Duration.ofSeconds(30).toNanos())
			.isLessThan(FindingHistory.GAP.toNanos());
	}

	@Test
	void scheduler_startsAgain_afterStop() {
		DiagnosticScheduler scheduler = new DiagnosticScheduler(() -> {
		});
		scheduler.start();
		assertThat(scheduler.isRunning()).isTrue();
		scheduler.stop();
		assertThat(scheduler.isRunning()).isFalse();
		scheduler.start();
		assertThat(scheduler.isRunning()).isTrue();
		scheduler.stop();
	}

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withBean(User.class)
		.withPropertyValues("management.endpoints.web.exposure.include=*")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcMetricsAutoConfiguration.class,
				RpcRegistryAutoConfiguration.class, RpcSerializationAutoConfiguration.class,
				RpcServerAutoConfiguration.class, RpcEndpointAutoConfiguration.class));

	@Test
	void finding_keepsTimeOfScheduledCheck_whenReadLater() {
		this.runner.run((context) -> {
			assertThat(context.getBean(DiagnosticScheduler.class).isRunning()).isTrue();
			RpcEndpoint endpoint = context.getBean(RpcEndpoint.class);
			long before = System.currentTimeMillis();
			endpoint.check();
			long after = System.currentTimeMillis();
			assertThat(endpoint.rpc().findings()).filteredOn((each) -> each.kind().equals("NO_INSTANCE"))
				.singleElement()
				.satisfies((finding) -> assertThat(finding.since()).isBetween(before, after));
			assertThat(endpoint.rpc().ended()).isEmpty();
		});
	}

	@Test
	void scheduler_isAbsent_withoutHistoryOrEndpoint() {
		this.runner.withPropertyValues("rpc.history.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(RpcEndpoint.class)
				.doesNotHaveBean(DiagnosticScheduler.class));
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).doesNotHaveBean(RpcEndpoint.class)
				.doesNotHaveBean(DiagnosticScheduler.class));
	}

	static class User {

		@RpcReference
		private Greeter greeter;

	}

}
