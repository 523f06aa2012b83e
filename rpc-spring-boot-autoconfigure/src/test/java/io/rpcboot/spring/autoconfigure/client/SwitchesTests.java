package io.rpcboot.spring.autoconfigure.client;

import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.metrics.jfr.JfrRpcMetrics;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.spring.autoconfigure.fixture.StartFailure;
import io.rpcboot.spring.autoconfigure.metrics.RpcJfrAutoConfiguration;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** Properties that turn something on or off, however they are written. */
class SwitchesTests {

	private final ApplicationContextRunner runner = Applications.inProcess()
		.withBean(Applications.GreeterService.class)
		.withConfiguration(AutoConfigurations.of(RpcMetricsAutoConfiguration.class, RpcJfrAutoConfiguration.class));

	private ApplicationContextRunner all(String value) {
		return this.runner.withPropertyValues("rpc.server.enabled=" + value, "rpc.client.enabled=" + value,
				"rpc.history.enabled=" + value, "rpc.jfr.enabled=" + value);
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "TRUE", "yes", "on", "1" })
	void features_areEnabled_whenValueMeansTrue(String value) {
		all(value).run((context) -> assertThat(context).hasSingleBean(RpcServer.class)
			.hasSingleBean(RpcHistory.class)
			.hasSingleBean(JfrRpcMetrics.class)
			.doesNotHaveBean(ClientDisabledGuard.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "false", "False", "no", "off", "0" })
	@PropertyEffect({ "rpc.server.enabled", "rpc.client.enabled", "rpc.history.enabled", "rpc.jfr.enabled" })
	void features_areDisabled_whenValueMeansFalse(String value) {
		all(value).run((context) -> assertThat(context).doesNotHaveBean(RpcServer.class)
			.doesNotHaveBean(RpcHistory.class)
			.doesNotHaveBean(JfrRpcMetrics.class)
			.hasSingleBean(ClientDisabledGuard.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "rpc.server.enabled", "rpc.client.enabled", "rpc.history.enabled", "rpc.jfr.enabled",
			"rpc.registry.zookeeper.embedded.enabled" })
	void invalidSwitchValue_failsStartup(String property) {
		FailureAnalysis analysis = StartFailure.of(this.runner.withPropertyValues(property + "=ture"));
		assertThat(analysis.getDescription()).startsWith(property + ": ture (expected: true or false)")
			.contains("Set in: \"" + property + "\" from property source \"test\"");
		assertThat(analysis.getAction()).isEqualTo("Set " + property + " to true or false.");
	}

	@Test
	void embeddedZooKeeper_isEnabled_whenValueMeansTrue() {
		assertThat(StartFailure.of(this.runner.withPropertyValues("rpc.registry.zookeeper.embedded.enabled=yes",
				"rpc.registry.zookeeper.embedded.port=-1"))
			.getDescription()).startsWith("rpc.registry.zookeeper.embedded.port: -1");
	}

}
