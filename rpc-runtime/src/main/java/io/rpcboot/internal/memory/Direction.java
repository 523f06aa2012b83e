package io.rpcboot.internal.memory;

/** Direction of the bytes of a budget. */
public enum Direction {

	/** Bytes that peers may send, that arrive, wait, or are used by a call. */
	INCOMING,
	/** Bytes that are serialized, or wait for the window or the socket. */
	OUTGOING

}
