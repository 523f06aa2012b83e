package io.rpcboot;

/**
 * Side of a call or of a connection.
 *
 * @since 0.1.0
 */
public enum Side {

	/** The side that makes calls and opens connections. */
	CLIENT,

	/** The side that executes calls and accepts connections. */
	SERVER

}
