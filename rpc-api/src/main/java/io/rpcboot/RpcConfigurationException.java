package io.rpcboot;

import org.jspecify.annotations.Nullable;

/**
 * A setting or a contract that cannot work, found at start-up: what was given, what was
 * expected, what to do.
 */
public class RpcConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	/**
	 * Create an exception.
	 * @param description what was given and why it cannot work
	 * @param action what to do about it
	 */
	public RpcConfigurationException(String description, String action) {
		super(description);
		this.action = action;
	}

	/**
	 * Create an exception.
	 * @param description what was given and why it cannot work
	 * @param action what to do about it
	 * @param cause the cause, null for none
	 */
	public RpcConfigurationException(String description, String action, @Nullable Throwable cause) {
		super(description, cause);
		this.action = action;
	}

	/**
	 * What to do about it.
	 * @return a sentence or two for a person
	 */
	public String action() {
		return this.action;
	}

}
