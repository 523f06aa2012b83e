package io.rpcboot.internal.memory;

import org.jspecify.annotations.Nullable;

/**
 * Bytes that wait for room in an account, in their turn. Only with the lock of the
 * account, unless a field says otherwise.
 */
public final class Waiter {

	final Direction direction;

	final long bytes;

	/** With whom it shares turns: a connection, or itself. */
	final Object owner;

	/** Whether it may go before others for what it has done already. */
	final boolean earned;

	/** Run once the bytes have been entered, without the lock. */
	final Runnable admitted;

	/** Its neighbours in the line, where it waits. */
	@Nullable Waiter older;

	@Nullable Waiter newer;

	boolean waits;

	/** Set when the bytes are entered; any thread reads it. */
	volatile boolean entered;

	Waiter(Direction direction, long bytes, @Nullable Object owner, boolean earned, Runnable admitted) {
		this.direction = direction;
		this.bytes = bytes;
		this.owner = (owner != null) ? owner : this;
		this.earned = earned;
		this.admitted = admitted;
	}

}
