package io.rpcboot.spring.autoconfigure.diagnostics;

import java.util.List;

import io.rpcboot.spring.autoconfigure.properties.DidYouMean;
import io.rpcboot.spring.autoconfigure.properties.PropertyNames;
import io.rpcboot.spring.autoconfigure.properties.PropertySynonyms;
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

/**
 * Failure analysis of an unknown property: names the known one with a similar name, a
 * synonym or the same last words.
 */
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
			String meant = meant(unbound, bound.getBeanType(), prefix, depth);
			if (meant != null) {
				return analysis(unbound, "not set; did you mean %s?".formatted(meant),
						"Set %s instead of %s.".formatted(meant, unbound.getName()), meant, cause);
			}
		}
		ConfigurationProperty first = cause.getUnboundProperties().iterator().next();
		return analysis(first,
				"a property under %s, which has: %s".formatted(prefix,
						String.join(", ", PropertyNames.components(bound.getBeanType()))),
				"Remove %s, or correct its name.".formatted(first.getName()), "", cause);
	}

	private static @Nullable String meant(ConfigurationProperty unbound, Class<?> type, String prefix, int depth) {
		List<String> elements = PropertyNames.elements(unbound.getName(), depth);
		String similar = PropertyNames.find(type, elements, DidYouMean.CLOSE);
		if (similar != null) {
			return prefix + "." + similar;
		}
		String synonym = PropertySynonyms.meant(PropertyNames.elements(unbound.getName(), 1));
		String ending = (synonym == null) ? PropertyNames.ending(type, elements) : null;
		return (ending != null) ? prefix + "." + ending : synonym;
	}

	private static FailureAnalysis analysis(ConfigurationProperty unbound, String expected, String action, String meant,
			Throwable cause) {
		return new FailureAnalysis("%s: %s (expected: %s)%n%nSet in: %s".formatted(unbound.getName(),
				Redaction.shown(unbound.getValue(), unbound.getName().toString(), meant), expected,
				unbound.getOrigin()), action, cause);
	}

}
