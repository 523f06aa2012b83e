package io.rpcboot.spring.autoconfigure.properties;

import java.util.Map;
import java.util.Objects;

import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

/** What the start-up says of a property that has another name now. */
class ReplacedPropertyTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcMetricsAutoConfiguration.class,
				RpcRegistryAutoConfiguration.class, RpcSerializationAutoConfiguration.class,
				RpcServerAutoConfiguration.class));

	@ParameterizedTest
	@CsvSource({ "rpc.client.max-reply-bytes-per-connection, rpc.client.memory.limit",
			"rpc.server.limits.bytes-per-connection, rpc.server.memory.limit",
			"rpc.server.limits.in-flight-bytes, rpc.server.memory.limit" })
	void replacedPropertiesNameTheirReplacement(String property, String replacement) {
		this.runner.withBean(Applications.GreeterService.class)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("application", Map.of(property, "64MB"))))
			.run((context) -> {
				assertThat(context).hasFailed();
				FailureAnalysis analysis = firstAnalysis(context.getStartupFailure());
				assertThat(analysis.getDescription())
					.startsWith(property + ": 64MB (expected: not set; " + replacement + " has taken its place)")
					.contains("Set in: ", "application");
				assertThat(analysis.getAction()).isEqualTo("Set " + replacement + " instead of " + property + ".");
			});
	}

	/**
	 * What an application prints: the analyzers in their order, Boot's own among them.
	 */
	private static FailureAnalysis firstAnalysis(Throwable failure) {
		return SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class,
					SpringFactoriesLoader.ArgumentResolver.of(Environment.class, new StandardEnvironment()),
					(type, name, cause) -> {
					})
			.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow();
	}

}
