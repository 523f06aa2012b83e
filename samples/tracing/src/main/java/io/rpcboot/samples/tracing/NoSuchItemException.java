package io.rpcboot.samples.tracing;

/** There is no such item. */
public class NoSuchItemException extends Exception {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param message which item
	 */
	public NoSuchItemException(String message) {
		super(message);
	}

}
