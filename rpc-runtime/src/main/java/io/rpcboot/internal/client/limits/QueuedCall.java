package io.rpcboot.internal.client.limits;

import io.rpcboot.RpcStatus;

/** A call as the queues see it in which it waits for its turn. Any thread. */
public interface QueuedCall {

	String CLIENT_CLOSED = "the client is closed";

	/** When it began. */
	long startedNanos();

	/** When its time is over. */
	long deadlineNanos();

	/** Whether it has ended. */
	boolean isAbandoned();

	/** The share of its reference. */
	ReservedPermits.ReferencePermits share();

	/** There is room for it: send it. Returns false if it is no longer wanted. */
	boolean admit();

	/** Its time is over. */
	void expire();

	/** End it without an answer, if no other end was first. */
	void fail(RpcStatus status, String what);

	/** Nobody will send it any more. */
	default void clientClosed() {
		fail(RpcStatus.UNAVAILABLE, CLIENT_CLOSED);
	}

}
