package io.rpcboot.internal.client.limits;

import io.rpcboot.RpcStatus;

/** Call in a queue, as the queue sees it. Any thread. */
public interface QueuedCall {

	String CLIENT_CLOSED = "the client is closed";

	/** Returns the start of the call, as {@link System#nanoTime()}. */
	long startedNanos();

	/** Returns the deadline, as {@link System#nanoTime()}. */
	long deadlineNanos();

	/** Returns true if the call has ended. */
	boolean isAbandoned();

	/** Returns the share of its reference. */
	ReservedPermits.ReferencePermits share();

	/** Sends the call with a permit; false if the call has ended. */
	boolean admit();

	/** Fails the call because its deadline has passed. */
	void expire();

	/** Fails the call, unless it has ended. */
	void fail(RpcStatus status, String what);

	/** Fails the call because the client is closed. */
	default void clientClosed() {
		fail(RpcStatus.UNAVAILABLE, CLIENT_CLOSED);
	}

}
