package io.rpcboot.spring.observation;

import java.util.function.Supplier;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of observations of calls, if tracing is used.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = {
		"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration" })
@EnableConfigurationProperties(RpcTracingProperties.class)
public final class RpcObservationAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@Conditional(OnTracingCondition.class)
	static class Interceptors {

		@Bean
		@ConditionalOnMissingBean
		RpcClientObservationInterceptor rpcClientObservationInterceptor(ObservationRegistry registry,
				ObjectProvider<RpcClientObservationConvention> convention, ObjectProvider<CurrentTrace> trace) {
			return new RpcClientObservationInterceptor(registry, convention.getIfAvailable(), of(trace));
		}

		@Bean
		@ConditionalOnMissingBean
		RpcServerObservationInterceptor rpcServerObservationInterceptor(ObservationRegistry registry,
				ObjectProvider<RpcServerObservationConvention> convention, ObjectProvider<CurrentTrace> trace) {
			return new RpcServerObservationInterceptor(registry, convention.getIfAvailable(), of(trace));
		}

		private static Supplier<@Nullable String> of(ObjectProvider<CurrentTrace> trace) {
			CurrentTrace known = trace.getIfAvailable();
			return (known != null) ? known : () -> null;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Tracer.class)
	@Conditional(OnTracingCondition.class)
	static class Traces {

		@Bean
		CurrentTrace rpcCurrentTrace(ObjectProvider<Tracer> tracers) {
			Tracer tracer = tracers.getIfUnique(() -> Tracer.NOOP);
			return () -> {
				Span span = tracer.currentSpan();
				return (span != null) ? span.context().traceId() : null;
			};
		}

	}

	/** Supplies the trace id of the calling thread; null for none. */
	@FunctionalInterface
	interface CurrentTrace extends Supplier<@Nullable String> {

	}

}
