package io.rpcboot.transport;

import io.rpcboot.RpcConfigurationException;

/** Checks of option values, with one form of message. */
public final class Options {

	private Options() {
	}

	/**
	 * Refuse a value.
	 * @param valid whether the value is good
	 * @param name name of the option, as its property is called after the prefix
	 * @param value what was given
	 * @param expected the rule
	 * @throws InvalidOptionException if it is not valid
	 */
	public static void require(boolean valid, String name, Object value, String expected) {
		if (!valid) {
			throw new InvalidOptionException(name, value, expected);
		}
	}

	/** An option whose value breaks its rule. */
	public static final class InvalidOptionException extends RpcConfigurationException {

		private static final long serialVersionUID = 1L;

		private final String name;

		InvalidOptionException(String name, Object value, String expected) {
			super("%s: %s (expected: %s)".formatted(name, value, expected), "Set %s to %s.".formatted(name, expected));
			this.name = name;
		}

		/**
		 * The option.
		 * @return its name, as its property is called after the prefix
		 */
		public String name() {
			return this.name;
		}

	}

}
