package io.rpcboot.serialization;

import io.rpcboot.RpcConfigurationException;

/**
 * A type in a contract that cannot be carried, found at start-up.
 */
public class UnsupportedTypeException extends RpcConfigurationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param description the method, the path of the field, the type and the reason
	 * @param action what to do about it
	 */
	public UnsupportedTypeException(String description, String action) {
		super(description, action);
	}

}
