package io.rpcboot.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.transport.Options.InvalidOptionException;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;

/**
 * Thrown for a property whose value is not valid.
 *
 * @since 0.1.0
 */
public final class InvalidPropertyException extends RpcConfigurationException {

	private static final long serialVersionUID = 1L;

	private final String property;

	public InvalidPropertyException(String prefix, InvalidOptionException cause) {
		this(cause, prefix + cause.name(),
				cause.action().replaceFirst("^Set ", "Set " + Matcher.quoteReplacement(prefix)));
	}

	public InvalidPropertyException(InvalidOptionException cause, String property) {
		this(cause, property, cause.action()
			.replaceFirst("^Set " + Pattern.quote(cause.name()), "Set " + Matcher.quoteReplacement(property)));
	}

	private InvalidPropertyException(InvalidOptionException cause, String property, String action) {
		super(property + String.valueOf(cause.getMessage()).substring(cause.name().length()), action, cause);
		this.property = property;
	}

	public InvalidPropertyException(String property, String value, String expected) {
		super("%s: %s (expected: %s)".formatted(property, value, expected),
				"Set %s to %s.".formatted(property, expected));
		this.property = property;
	}

	/**
	 * Creates an exception about an entry of a map.
	 * @param place property or prefix whose origin is reported
	 * @param property the map
	 * @param value the wrong value
	 * @param expected the rule
	 * @param action what to do
	 */
	public InvalidPropertyException(String place, String property, String value, String expected, String action) {
		super("%s: %s (expected: %s)".formatted(property, value, expected), action);
		this.property = place;
	}

	/** Returns the exception for a value that cannot be bound. */
	static InvalidPropertyException of(BindException cause) {
		ConfigurationProperty property = cause.getProperty();
		if (cause.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
			property = unbound.getUnboundProperties().iterator().next();
			return new InvalidPropertyException(property.getName().toString(), property.getName().toString(),
					"'" + property.getValue() + "'", "a name of a property", "Correct the name, or remove it.");
		}
		Class<?> type = cause.getTarget().getType().resolve(Object.class);
		String expected = (type == Duration.class) ? "a duration such as 500ms or 3s"
				: type.isEnum() ? "one of " + Arrays.stream(type.getEnumConstants())
					.map((each) -> each.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
					.collect(Collectors.joining(", ")) : "a value of type " + type.getSimpleName();
		return new InvalidPropertyException(cause.getName().toString(),
				"'" + ((property != null) ? property.getValue() : "") + "'", expected);
	}

	public String property() {
		return this.property;
	}

}
