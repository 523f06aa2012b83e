package io.rpcboot.benchmarks.ours;

import java.util.Collection;

import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.micrometer.tracing.propagation.Propagator;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Each call is observed on both sides, one trace in ten is sampled, and what is sampled
 * is made and thrown away.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = WithTracing.SWITCH)
class WithTracing {

	static final String SWITCH = "bench.tracing";

	private static final double SAMPLED = 0.1;

	private static final String NAME = "bench";

	@Bean
	SdkTracerProvider tracerProvider() {
		return SdkTracerProvider.builder()
			.setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(SAMPLED)))
			.addSpanProcessor(BatchSpanProcessor.builder(new Nowhere()).build())
			.build();
	}

	@Bean
	Tracer tracer(SdkTracerProvider provider) {
		return new OtelTracer(provider.get(NAME), new OtelCurrentTraceContext(), (event) -> {
		});
	}

	@Bean
	ObservationRegistry observationRegistry(SdkTracerProvider provider, Tracer tracer) {
		Propagator propagator = new OtelPropagator(ContextPropagators.create(W3CTraceContextPropagator.getInstance()),
				provider.get(NAME));
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig()
			.observationHandler(new FirstMatchingCompositeObservationHandler(
					new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
					new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
					new DefaultTracingObservationHandler(tracer)));
		return registry;
	}

	/** Takes what it is given. */
	private static final class Nowhere implements SpanExporter {

		@Override
		public CompletableResultCode export(Collection<SpanData> spans) {
			return CompletableResultCode.ofSuccess();
		}

		@Override
		public CompletableResultCode flush() {
			return CompletableResultCode.ofSuccess();
		}

		@Override
		public CompletableResultCode shutdown() {
			return CompletableResultCode.ofSuccess();
		}

	}

}
