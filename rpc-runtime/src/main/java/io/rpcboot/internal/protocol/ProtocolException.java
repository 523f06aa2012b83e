package io.rpcboot.internal.protocol;

/** Bytes that are not the protocol's. The connection that they came from ends. */
public final class ProtocolException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param message what was found and what was expected; the same words for the same
	 * reason
	 */
	public ProtocolException(String message) {
		super(message, null, false, false);
	}

}
