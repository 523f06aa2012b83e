package io.rpcboot.spring.autoconfigure;

import java.util.List;
import java.util.Map;

import io.rpcboot.RpcConfigurationException;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

/** What a start that failed says. */
final class FailureAnalyses {

	private FailureAnalyses() {
	}

	static FailureAnalysis analyze(AssertableApplicationContext context) {
		return analyze(context, "none", "");
	}

	static FailureAnalysis analyze(AssertableApplicationContext context, String property, String value) {
		assertThat(context).hasFailed();
		ConfigurableEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of(property, value)));
		List<RpcConfigurationFailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, SpringFactoriesLoader.ArgumentResolver.of(Environment.class, environment),
					(type, name, failure) -> {
					})
			.stream()
			.filter(RpcConfigurationFailureAnalyzer.class::isInstance)
			.map(RpcConfigurationFailureAnalyzer.class::cast)
			.toList();
		assertThat(analyzers).hasSize(1);
		FailureAnalysis analysis = analyzers.get(0).analyze(context.getStartupFailure());
		assertThat(analysis).isNotNull();
		assertThat(analysis.getCause()).isInstanceOf(RpcConfigurationException.class);
		return analysis;
	}

}
