package io.rpcboot.spring.autoconfigure;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Spring Boot prints of a context that fails: the first analysis of all analyzers.
 */
final class StartFailure {

	private StartFailure() {
	}

	static FailureAnalysis of(ApplicationContextRunner runner) {
		AtomicReference<ConfigurableApplicationContext> failed = new AtomicReference<>();
		AtomicReference<FailureAnalysis> analysis = new AtomicReference<>();
		runner.withInitializer(failed::set).run((context) -> {
			assertThat(context).hasFailed();
			analysis.set(analyze(failed.get(), context.getStartupFailure()));
		});
		return Objects.requireNonNull(analysis.get(), "no analysis");
	}

	private static FailureAnalysis analyze(ConfigurableApplicationContext context, Throwable failure) {
		ArgumentResolver arguments = ArgumentResolver.of(BeanFactory.class, context.getBeanFactory())
			.and(Environment.class, context.getEnvironment());
		return SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, arguments, FailureHandler.handleMessage((message, cause) -> {
			}))
			.stream()
			.map((analyzer) -> analyze(analyzer, failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	// as Spring Boot does: an analyzer that fails is passed over
	private static FailureAnalysis analyze(FailureAnalyzer analyzer, Throwable failure) {
		try {
			return analyzer.analyze(failure);
		}
		catch (Throwable ex) {
			return null;
		}
	}

}
