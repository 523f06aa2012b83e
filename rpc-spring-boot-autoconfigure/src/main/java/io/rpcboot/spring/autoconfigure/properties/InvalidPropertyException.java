package io.rpcboot.spring.autoconfigure.properties;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.transport.Options.InvalidOptionException;

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

	public String property() {
		return this.property;
	}

}
