package io.rpcboot.spring.autoconfigure.diagnostics;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Names the property that has taken the place of one that does not exist any more. */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class ReplacedPropertyFailureAnalyzer
		extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

	/** By the property that is gone; the metadata for editors says the same. */
	public static final Map<String, String> REPLACEMENTS = Map.of("rpc.client.max-reply-bytes-per-connection",
			"rpc.client.memory.limit", "rpc.server.limits.bytes-per-connection", "rpc.server.memory.limit",
			"rpc.server.limits.in-flight-bytes", "rpc.server.memory.limit");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable failure, UnboundConfigurationPropertiesException cause) {
		for (ConfigurationProperty unbound : cause.getUnboundProperties()) {
			String name = unbound.getName().toString();
			String replacement = REPLACEMENTS.get(name);
			if (replacement != null) {
				return new FailureAnalysis(
						"%s: %s (expected: not set; %s has taken its place)%n%nSet in: %s".formatted(name,
								unbound.getValue(), replacement, unbound.getOrigin()),
						"Set %s instead of %s.".formatted(replacement, name), cause);
			}
		}
		return null;
	}

}
