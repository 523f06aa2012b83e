package io.rpcboot.engine;

/** A declared exception with a field of its own. */
public class RefusedException extends Exception {

	private static final long serialVersionUID = 1L;

	private final int code;

	public RefusedException(String message, int code) {
		super(message);
		this.code = code;
	}

	public int code() {
		return this.code;
	}

}
