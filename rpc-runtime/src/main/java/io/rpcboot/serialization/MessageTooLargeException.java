package io.rpcboot.serialization;

/**
 * Signals that the serialized form exceeds the maximum size of a frame.
 *
 * @since 0.1.0
 */
public class MessageTooLargeException extends SerializationException {

	private static final long serialVersionUID = 1L;

	private final int limit;

	/**
	 * Creates an exception.
	 * @param limit the limit in bytes
	 */
	public MessageTooLargeException(int limit) {
		super("the serialized form is larger than %d bytes".formatted(limit));
		this.limit = limit;
	}

	/**
	 * Returns the limit that the serialized form exceeds.
	 * @return limit in bytes
	 */
	public int limit() {
		return this.limit;
	}

}
