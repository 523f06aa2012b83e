package io.rpcboot.serialization.contract;

/**
 * A text that is not a contract.
 */
public class ContractException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final int MAX_SHOWN = 120;

	/**
	 * Create an exception.
	 * @param message what is wrong
	 */
	public ContractException(String message) {
		super(message);
	}

	/**
	 * Create an exception.
	 * @param what the part that is wrong
	 * @param given the text; shown in part when it is long
	 * @param expected the rule
	 */
	public ContractException(String what, String given, String expected) {
		super("contract: %s '%s' (expected: %s)".formatted(what, shown(given), expected));
	}

	private static String shown(String text) {
		return (text.length() > MAX_SHOWN) ? text.substring(0, MAX_SHOWN) + "…" : text;
	}

}
