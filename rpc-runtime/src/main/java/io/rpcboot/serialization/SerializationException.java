package io.rpcboot.serialization;

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
	 * @param cause the cause
	 */
	public SerializationException(String message, Throwable cause) {
		super(message, cause);
	}

}
