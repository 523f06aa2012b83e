package io.rpcboot.spring.autoconfigure.diagnostics;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;

/**
 * Failure analysis of a wrong setting or contract: the problem, where it was set, and the
 * action.
 *
 * @since 0.1.0
 */
public final class RpcConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<RpcConfigurationException> {

	private final Environment environment;

	RpcConfigurationFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable failure, RpcConfigurationException cause) {
		return new FailureAnalysis(cause.getMessage() + origin(cause), cause.action(), cause);
	}

	private String origin(RpcConfigurationException cause) {
		Origin origin = (cause instanceof InvalidPropertyException invalid) ? origin(invalid.property()) : null;
		return (origin != null) ? "%n%nSet in: %s".formatted(origin) : "";
	}

	private @Nullable Origin origin(String property) {
		ConfigurationPropertyName name = ConfigurationPropertyName.adapt(property, '.');
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			ConfigurationProperty value = value(source, name);
			if (value != null) {
				return value.getOrigin();
			}
		}
		return null;
	}

	/** Returns a property, or the first one below it. */
	private static @Nullable ConfigurationProperty value(ConfigurationPropertySource source,
			ConfigurationPropertyName name) {
		ConfigurationProperty value = source.getConfigurationProperty(name);
		if (value != null || !(source instanceof IterableConfigurationPropertySource iterable)) {
			return value;
		}
		return iterable.stream()
			.filter(name::isAncestorOf)
			.findFirst()
			.map(source::getConfigurationProperty)
			.orElse(null);
	}

}
