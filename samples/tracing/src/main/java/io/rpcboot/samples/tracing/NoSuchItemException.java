package io.rpcboot.samples.tracing;

/** Thrown for an unknown item. */
public class NoSuchItemException extends Exception {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message name of the item
	 */
	public NoSuchItemException(String message) {
		super(message);
	}

}
