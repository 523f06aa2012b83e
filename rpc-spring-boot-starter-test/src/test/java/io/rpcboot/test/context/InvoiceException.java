package io.rpcboot.test.context;

public class InvoiceException extends Exception {

	private static final long serialVersionUID = 1L;

	public InvoiceException(String message) {
		super(message);
	}

}
