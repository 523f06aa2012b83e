package io.rpcboot.server;

/**
 * What callers are told of an exception that an implementation throws and its interface
 * does not declare. The server's log has all of it, with the stack trace.
 */
public enum ExceptionExposure {

	/** Its class and its text, which may quote a query, a path, somebody's data. */
	MESSAGE,

	/** Its class. */
	TYPE,

	/** That there was one. */
	NOTHING

}
