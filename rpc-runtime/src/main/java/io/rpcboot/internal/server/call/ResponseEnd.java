package io.rpcboot.internal.server.call;

/** End of a response. */
public enum ResponseEnd {

	/** The socket has taken it. */
	WRITTEN,

	/** Its write has failed. */
	FAILED,

	/** Its caller does not wait for it any more, or the call has none. */
	DROPPED,

	/** The connection has ended before it was written. Any thread. */
	REJECTED

}
