package io.rpcboot.spring.autoconfigure;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.transport.Options.InvalidOptionException;

/** A property whose value the engine refuses. */
final class InvalidPropertyException extends RpcConfigurationException {

	private static final long serialVersionUID = 1L;

	private final String property;

	InvalidPropertyException(String prefix, InvalidOptionException cause) {
		super(prefix + cause.getMessage(), cause.action().replaceFirst("^Set ", "Set " + prefix), cause);
		this.property = prefix + cause.name();
	}

	InvalidPropertyException(String property, String value, String expected) {
		super("%s: %s (expected: %s)".formatted(property, value, expected),
				"Set %s to %s.".formatted(property, expected));
		this.property = property;
	}

	String property() {
		return this.property;
	}

}
