package io.rpcboot.engine.http;

/** Declared by {@link GreetingService}. */
public class OutOfStock extends Exception {

	private static final long serialVersionUID = 1L;

	public OutOfStock(String message) {
		super(message);
	}

}
