package io.rpcboot.serialization;

/**
 * The serialized form would be larger than a frame may be.
 */
public class MessageTooLargeException extends SerializationException {

	private static final long serialVersionUID = 1L;

	private final int limit;

	/**
	 * Create an exception.
	 * @param limit the limit in bytes
	 */
	public MessageTooLargeException(int limit) {
		super("the serialized form is larger than %d bytes".formatted(limit));
		this.limit = limit;
	}

	/**
	 * The limit that would have been exceeded.
	 * @return bytes
	 */
	public int limit() {
		return this.limit;
	}

}
