package io.rpcboot.serialization;

import org.jspecify.annotations.Nullable;

/**
 * Replaces an exception that the contract of the peer declares and the own contract does
 * not, because the peer runs another version of the interface. The class of the exception
 * is never looked up.
 *
 * @since 0.1.0
 */
public class UndeclaredException extends Exception {

	private static final long serialVersionUID = 1L;

	private final String type;

	/**
	 * Creates an exception.
	 * @param type class name at the peer
	 * @param message the message, null for none
	 */
	public UndeclaredException(String type, @Nullable String message) {
		super(message);
		this.type = type;
	}

	/**
	 * Returns the class of the exception at the peer.
	 * @return class name, for messages
	 */
	public String type() {
		return this.type;
	}

}
