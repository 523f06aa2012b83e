package io.rpcboot.serialization.contract;

/**
 * Signals a text that is not a contract.
 *
 * @since 0.1.0
 */
public class ContractException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final int MAX_SHOWN = 120;

	/**
	 * Creates an exception.
	 * @param message description of the fault
	 */
	public ContractException(String message) {
		super(message);
	}

	/**
	 * Creates an exception.
	 * @param what part of the contract with the fault
	 * @param given found text, cut if it is long
	 * @param expected the rule
	 */
	public ContractException(String what, String given, String expected) {
		super("contract: %s '%s' (expected: %s)".formatted(what, shown(given), expected));
	}

	private static String shown(String text) {
		return (text.length() > MAX_SHOWN) ? text.substring(0, MAX_SHOWN) + "…" : text;
	}

}
