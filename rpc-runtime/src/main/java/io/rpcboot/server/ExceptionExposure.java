package io.rpcboot.server;

/**
 * Part of an undeclared exception that callers receive. The log of the server has the
 * whole exception with its stack trace in any case.
 *
 * @since 0.1.0
 */
public enum ExceptionExposure {

	/**
	 * Class name and message. The message may contain queries, paths or personal data.
	 */
	MESSAGE,

	/** Class name. */
	TYPE,

	/** Only that an exception was thrown. */
	NOTHING

}
