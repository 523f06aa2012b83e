package io.rpcboot.internal.memory;

import java.util.function.Consumer;

/**
 * A reservation that waits for its turn. Only with the lock of the budget, unless a field
 * says otherwise.
 */
public final class Waiter {

	final Direction direction;

	final long bytes;

	/** Connection with which the waiter shares turns. */
	final Object owner;

	/**
	 * True if its peer has sent at least the bytes that it requests, or reads its
	 * results.
	 */
	final boolean earned;

	/** Called once after the reservation, without the lock. */
	final Consumer<Waiter> admitted;

	/** True if it has overtaken others; set before {@link #entered}. */
	boolean passed;

	/** True after the reservation. Any thread reads it. */
	volatile boolean entered;

	Waiter(Direction direction, long bytes, Object owner, boolean earned, Consumer<Waiter> admitted) {
		this.direction = direction;
		this.bytes = bytes;
		this.owner = owner;
		this.earned = earned;
		this.admitted = admitted;
	}

	/**
	 * Returns the bytes to return to the pool of those that overtake, before their
	 * release.
	 * @return 0 if it has not overtaken others
	 */
	public long passedBytes() {
		return this.passed ? this.bytes : 0;
	}

}
