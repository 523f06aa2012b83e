package io.rpcboot.serialization;

import io.rpcboot.RpcConfigurationException;

/**
 * Signals a type in a contract that cannot be sent. Thrown at start-up.
 *
 * @since 0.1.0
 */
public class UnsupportedTypeException extends RpcConfigurationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param description method, path of the field, type and reason
	 * @param action remedy
	 */
	public UnsupportedTypeException(String description, String action) {
		super(description, action);
	}

}
