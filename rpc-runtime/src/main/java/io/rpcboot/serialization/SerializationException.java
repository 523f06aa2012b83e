package io.rpcboot.serialization;

import org.jspecify.annotations.Nullable;

/**
 * A value that cannot be carried or bytes that cannot be read; the message names the path
 * within the arguments or the result.
 */
public class SerializationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param message what was found, what was expected, where
	 */
	public SerializationException(String message) {
		super(message);
	}

	/**
	 * Create an exception.
	 * @param message what was found, what was expected, where
	 * @param cause the cause, null for none
	 */
	public SerializationException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
