package io.rpcboot.internal.memory;

/** What the bytes of an account are for. */
public enum Direction {

	/** Granted to peers, arriving, waiting, being used by a call. */
	INCOMING,
	/** Being made, waiting for a grant or for the socket. */
	OUTGOING

}
