package io.rpcboot.internal.protocol;

/** Signals bytes that violate the protocol. Their connection is closed. */
public final class ProtocolException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message found and expected value; constant for one reason, because log lines
	 * are grouped by it
	 */
	public ProtocolException(String message) {
		super(message, null, false, false);
	}

}
