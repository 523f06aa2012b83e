package io.rpcboot.spring.autoconfigure.diagnostics;

import java.util.List;

import io.rpcboot.spring.reference.RpcReferences;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Failure analysis of a missing {@code @RpcReference}: an interface is injected to which
 * other injection points have references. Runs before the analysis of Spring Boot, which
 * would create the beans of references in a closed context and fail.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnannotatedReferenceFailureAnalyzer
		extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

	private final @Nullable RpcReferences references;

	UnannotatedReferenceFailureAnalyzer(@Nullable BeanFactory beanFactory) {
		this.references = (beanFactory instanceof ConfigurableListableBeanFactory beans) ? new RpcReferences(beans)
				: null;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		Class<?> type = cause.getBeanType();
		if (this.references == null || description == null || type == null || cause.getNumberOfBeansFound() > 0) {
			return null;
		}
		List<String> beans = this.references.beanNames(type);
		if (beans.isEmpty()) {
			return null;
		}
		String member = description.startsWith("Field") ? "field" : "parameter";
		return new FailureAnalysis(
				"%s requires a bean of type %s (expected: @RpcReference, because there is no such bean, only %s)"
					.formatted(description, type.getName(), String.join(", ", beans)),
				"Annotate the %s with @RpcReference and the attributes of the reference, or declare a bean of type %s."
					.formatted(member, type.getName()),
				cause);
	}

}
