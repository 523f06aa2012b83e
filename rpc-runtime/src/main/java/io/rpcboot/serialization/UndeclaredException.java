package io.rpcboot.serialization;

import org.jspecify.annotations.Nullable;

/**
 * Stands for an exception that the other side's contract declares and this side's does
 * not: the other side runs another version of the interface. Its class is never looked
 * up.
 */
public class UndeclaredException extends Exception {

	private static final long serialVersionUID = 1L;

	private final String type;

	/**
	 * Create an exception.
	 * @param type the class name at the other side
	 * @param message the message, null if it had none
	 */
	public UndeclaredException(String type, @Nullable String message) {
		super(message);
		this.type = type;
	}

	/**
	 * The class of the exception at the other side.
	 * @return a name for people
	 */
	public String type() {
		return this.type;
	}

}
