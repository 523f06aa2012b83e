package io.rpcboot.spring.autoconfigure.diagnostics;

import io.rpcboot.spring.autoconfigure.properties.DidYouMean;
import io.rpcboot.spring.autoconfigure.properties.PropertyNames;
import io.rpcboot.spring.autoconfigure.properties.Redaction;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesBindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Failure analysis of an unknown property with a similar known name. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MisspelledPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable failure, UnboundConfigurationPropertiesException cause) {
		ConfigurationPropertiesBindException bound = findCause(failure, ConfigurationPropertiesBindException.class);
		String prefix = (bound != null) ? bound.getAnnotation().prefix() : "";
		if (bound == null || !prefix.startsWith("rpc.") || !bound.getBeanType().isRecord()) {
			return null;
		}
		int depth = ConfigurationPropertyName.of(prefix).getNumberOfElements();
		for (ConfigurationProperty unbound : cause.getUnboundProperties()) {
			String meant = PropertyNames.find(bound.getBeanType(), PropertyNames.elements(unbound.getName(), depth),
					DidYouMean.CLOSE);
			if (meant != null) {
				return new FailureAnalysis(
						"%s: %s (expected: not set; did you mean %s.%s?)%n%nSet in: %s".formatted(unbound.getName(),
								Redaction.shown(unbound.getValue(), unbound.getName().toString(), meant), prefix, meant,
								unbound.getOrigin()),
						"Set %s.%s instead of %s.".formatted(prefix, meant, unbound.getName()), cause);
			}
		}
		return null;
	}

}
