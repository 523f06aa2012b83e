package io.rpcboot.internal.protocol;

import io.rpcboot.internal.text.PrintableText;

/** Signals bytes that violate the protocol. Their connection is closed. */
public final class ProtocolException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final int MAX_MESSAGE = 1000;

	/**
	 * Creates an exception.
	 * @param message found and expected value; constant for one reason, because log lines
	 * are grouped by it
	 */
	public ProtocolException(String message) {
		super(PrintableText.of(message, MAX_MESSAGE), null, false, false);
	}

}
