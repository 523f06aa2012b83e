package io.rpcboot.spring.autoconfigure.properties;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import io.rpcboot.spring.autoconfigure.metrics.RpcJfrAutoConfiguration;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the start-up warnings about properties with a wrong letter, in any place. */
@ExtendWith(OutputCaptureExtension.class)
class MisspelledPropertiesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0")
		.withBean(GreeterService.class)
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcJfrAutoConfiguration.class,
				RpcMetricsAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class));

	private static ApplicationContextRunner with(ApplicationContextRunner runner, String property, String value) {
		return runner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("application.properties", Map.of(property, value))));
	}

	private static FailureAnalysis firstAnalysis(Throwable failure, String property, String value) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("application.properties", Map.of(property, value)));
		return SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, SpringFactoriesLoader.ArgumentResolver.of(Environment.class, environment),
					(type, name, cause) -> {
					})
			.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow();
	}

	@ParameterizedTest
	@CsvSource({ "rpc.clent.timeout, rpc.client.timeout",
			"rpc.cleint.keep-alive.interval, rpc.client.keep-alive.interval",
			"rpc.clients.max-pending-calls, rpc.client.max-pending-calls", "rpc.sever.port, rpc.server.port",
			"rpc.regsitry.zookeeper.root-path, rpc.registry.zookeeper.root-path",
			"rpc.metric.max-methods, rpc.metrics.max-methods", "rpc.histroy.enabled, rpc.history.enabled",
			"rpc.serialisation.subtypes.a, rpc.serialization.subtypes.a",
			"rpc.sever.serializers[0], rpc.server.serializers[0]",
			"rpc.clent.references.stock.batching.mode, rpc.client.references.stock.batching.mode",
			"rpc.client.timout, rpc.client.timeout", "rpc.client.keepalive.intervall, rpc.client.keep-alive.interval",
			"rpc.registry.zookeper.root-path, rpc.registry.zookeeper.root-path",
			"rpc.client.references.stock.adresses, rpc.client.references.stock.addresses" })
	void misspelledProperty_failsStartupWithSuggestion(String property, String meant) {
		with(this.runner, property, "5s").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = firstAnalysis(context.getStartupFailure(), property, "5s");
			assertThat(analysis.getDescription())
				.startsWith(property + ": 5s (expected: not set; did you mean " + meant + "?)")
				.contains("Set in: ", "application.properties");
			assertThat(analysis.getAction()).startsWith("Set " + meant + " instead of " + property + ".");
		});
	}

	@ParameterizedTest
	@CsvSource({ "rpc.server.threads, rpc.server.pool.max-threads",
			"rpc.server.max-threads, rpc.server.pool.max-threads", "rpc.server.host, rpc.server.bind-address",
			"rpc.server.address, rpc.server.bind-address",
			"rpc.server.connections-per-address, rpc.server.limits.connections-per-address",
			"rpc.server.timeout, rpc.client.timeout", "rpc.client.retries, rpc.client.retry.max-attempts",
			"rpc.client.retry.enabled, rpc.client.retry.max-attempts",
			"rpc.client.callback.threads, rpc.client.callback-threads",
			"rpc.client.address, rpc.client.references.<name>.addresses",
			"rpc.client.references.stock.url, rpc.client.references.stock.addresses",
			"rpc.client.references.stock.retries, rpc.client.references.stock.retry.max-attempts",
			"rpc.server.services.stock.threads, rpc.server.services.stock.max-threads",
			"rpc.registry.address, rpc.registry.zookeeper.connect-string",
			"rpc.registry.zookeeper.servers, rpc.registry.zookeeper.connect-string" })
	void nameOfOtherProduct_failsStartupWithItsNameHere(String property, String meant) {
		with(this.runner, property, "5").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = firstAnalysis(context.getStartupFailure(), property, "5");
			assertThat(analysis.getDescription())
				.startsWith(property + ": 5 (expected: not set; did you mean " + meant + "?)")
				.contains("Set in: ", "application.properties");
			assertThat(analysis.getAction()).isEqualTo("Set " + meant + " instead of " + property + ".");
		});
	}

	@Test
	void unknownProperty_failsStartupWithKnownNames_whenNoneIsSimilar() {
		with(this.runner, "rpc.jfr.color", "red").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = firstAnalysis(context.getStartupFailure(), "rpc.jfr.color", "red");
			assertThat(analysis.getDescription())
				.startsWith("rpc.jfr.color: red (expected: a property under rpc.jfr, which has: enabled, slow-call)");
			assertThat(analysis.getAction()).isEqualTo("Remove rpc.jfr.color, or correct its name.");
		});
	}

	@ParameterizedTest
	@CsvSource({ "rpc.zookeeper.connect-string, rpc.registry.zookeeper.connect-string",
			"rpc.zookeeper.address, rpc.registry.zookeeper.connect-string",
			"rpc.zookeeper.root-path, rpc.registry.zookeeper.root-path",
			"rpc.access-log.sampling, rpc.server.access-log.sampling",
			"rpc.retry.max-attempts, rpc.client.retry.max-attempts" })
	void propertyOfUnknownSection_causesWarning(String property, String meant, CapturedOutput output) {
		with(this.runner, property, "1").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains(property + " is not a property of RPC; did you mean " + meant + "?");
		});
	}

	@ParameterizedTest
	@CsvSource({ "rpc.regsitry.zookeeper.password, rpc.registry.zookeeper.password",
			"rpc.regsitry.zookeeper.PASSWORD, rpc.registry.zookeeper.password",
			"rpc.registry.zookeper.password, rpc.registry.zookeeper.password",
			"rpc.registry.zookeeper.pasword, rpc.registry.zookeeper.password" })
	void secretValue_isMasked_inFailure(String property, String meant) {
		with(this.runner, property, "s3cret").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = firstAnalysis(context.getStartupFailure(), property, "s3cret");
			assertThat(analysis.getDescription()).containsIgnoringCase(property)
				.contains(": ****** (expected: not set; did you mean " + meant + "?)")
				.doesNotContain("s3cret");
			assertThat(analysis.getAction()).doesNotContain("s3cret");
			assertThat(context.getStartupFailure()).asString().doesNotContain("s3cret");
		});
	}

	@ParameterizedTest
	@CsvSource({ "rpc.a.password, true", "rpc.a.api-key, true", "rpc.a.tokens[0], true", "rpc.a.clientSecret, true",
			"rpc.a.credentials, true", "rpc.token.timeout, false", "rpc.a.keep-alive, false" })
	void secret_isRecognizedByPropertyName(String name, boolean isSecret) {
		assertThat(Redaction.shown("5s", name, "rpc.a.timeout")).isEqualTo(isSecret ? "******" : "5s");
		assertThat(Redaction.shown("5s", "rpc.a.timeout", name)).isEqualTo(isSecret ? "******" : "5s");
	}

	@ParameterizedTest
	@ValueSource(strings = { "rpc.url", "rpc.of-theirs.timeout", "rpc.clients.stock.url", "rpc.jar.path",
			"rpc.agent.timeout", "rpcclient.timeout", "rpc.clients" })
	void foreignProperties_causeNoWarning(String property, CapturedOutput output) {
		with(this.runner, property, "5s").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).doesNotContain("did you mean");
		});
	}

	@Test
	void similarProperty_causesNoWarning_whenAnotherLibraryBindsIt(CapturedOutput output) {
		with(this.runner, "rpc.clients.timeout", "5s").withUserConfiguration(Theirs.class).run((context) -> {
			assertThat(context.getBean(TheirProperties.class).timeout()).isEqualTo("5s");
			assertThat(output).doesNotContain("did you mean");
		});
	}

	@Test
	void property_causesWarning_withoutClientOrServerPrefix(CapturedOutput output) {
		with(this.runner, "rpc.batching.mode", "never").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains(
					"rpc.batching.mode is not a property of RPC; did you mean rpc.client.batching.mode or rpc.server.batching.mode?");
		});
	}

	@Test
	void misspelledEnvironmentVariable_causesWarning(CapturedOutput output) {
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
						new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
								Map.of("RPC_CLENT_TIMEOUT", "5s", "RPC_PORT", "tcp://10.0.0.1:9090"))))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).containsOnlyOnce("did you mean")
					.contains("rpc.clent.timeout sets nothing; did you mean rpc.client.timeout?");
			});
	}

	@Test
	void shortWords_mustMatchExactly() {
		assertThat(DidYouMean.CLOSE.meant("jar", Set.of("jfr"))).isNull();
		assertThat(DidYouMean.CLOSE.meant("port", Set.of("ports", "port"))).isEqualTo("port");
		assertThat(DidYouMean.CLOSE.meant("", Set.of("port"))).isNull();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(TheirProperties.class)
	static class Theirs {

	}

	/** Of a library that has chosen a name like one of ours. */
	@ConfigurationProperties("rpc.clients")
	record TheirProperties(String timeout) {
	}

}
