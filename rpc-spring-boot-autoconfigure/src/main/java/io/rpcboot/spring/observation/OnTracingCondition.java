package io.rpcboot.spring.observation;

import java.util.Arrays;

import io.rpcboot.spring.autoconfigure.properties.OnSwitchCondition;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/**
 * Condition that calls are observed: {@code rpc.tracing.enabled}, or a real tracer unless
 * that is set. An observation costs some hundred times the meters of a call. Therefore an
 * {@code ObservationRegistry} alone, as Actuator has it, is not enough; nor is the no-op
 * tracer of Spring Boot.
 */
final class OnTracingCondition extends SpringBootCondition implements ConfigurationCondition {

	private static final String ENABLED = "rpc.tracing.enabled";

	private static final String REGISTRY = "io.micrometer.observation.ObservationRegistry";

	private static final String TRACER = "io.micrometer.tracing.Tracer";

	private static final String NOOP_TRACER = "noopTracer";

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("RPC tracing");
		Boolean enabled = OnSwitchCondition.read(context.getEnvironment(), ENABLED);
		if (Boolean.FALSE.equals(enabled)) {
			return ConditionOutcome.noMatch(message.because(ENABLED + " is false"));
		}
		if (beans(context, REGISTRY).length == 0) {
			return ConditionOutcome.noMatch(message.didNotFind("bean").items(REGISTRY));
		}
		if (Boolean.TRUE.equals(enabled)) {
			return ConditionOutcome.match(message.because(ENABLED + " is true"));
		}
		boolean traces = Arrays.stream(beans(context, TRACER)).anyMatch((name) -> !name.equals(NOOP_TRACER));
		return traces ? ConditionOutcome.match(message.found("bean").items(TRACER))
				: ConditionOutcome.noMatch(message.didNotFind("bean").items(TRACER));
	}

	private static String[] beans(ConditionContext context, String type) {
		ConfigurableListableBeanFactory beanFactory = context.getBeanFactory();
		ClassLoader classLoader = context.getClassLoader();
		if (beanFactory == null || !ClassUtils.isPresent(type, classLoader)) {
			return new String[0];
		}
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory,
				ClassUtils.resolveClassName(type, classLoader), true, false);
	}

}
