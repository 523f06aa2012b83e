package io.rpcboot.serialization;

import org.jspecify.annotations.Nullable;

/**
 * Signals a value that cannot be sent or bytes that cannot be read. The message has the
 * path within the arguments, the result or the exception.
 *
 * @since 0.1.0
 */
public class SerializationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what was found, what was expected, where
	 */
	public SerializationException(String message) {
		super(message);
	}

	/**
	 * Creates an exception.
	 * @param message what was found, what was expected, where
	 * @param cause the cause, null for none
	 */
	public SerializationException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
