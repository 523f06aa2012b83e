package io.rpcboot;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at start-up for an invalid setting or contract. The message names the value and
 * the expected form; {@link #action()} says how to correct it.
 *
 * @since 0.1.0
 */
public class RpcConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	/**
	 * Creates an exception.
	 * @param description the message, such as {@code port: 0 (expected: 1 to 65535)}
	 * @param action the remedy, a sentence or two
	 */
	public RpcConfigurationException(String description, String action) {
		super(description);
		this.action = action;
	}

	/**
	 * Creates an exception with a cause.
	 * @param description the message, such as {@code port: 0 (expected: 1 to 65535)}
	 * @param action the remedy, a sentence or two
	 * @param cause the cause, null for none
	 */
	public RpcConfigurationException(String description, String action, @Nullable Throwable cause) {
		super(description, cause);
		this.action = action;
	}

	/**
	 * Returns the remedy.
	 * @return a sentence or two
	 */
	public String action() {
		return this.action;
	}

}
