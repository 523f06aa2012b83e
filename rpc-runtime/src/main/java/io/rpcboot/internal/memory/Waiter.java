package io.rpcboot.internal.memory;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * A reservation that waits for its turn. Only with the lock of the budget, unless a field
 * says otherwise.
 */
public final class Waiter {

	final Direction direction;

	final long bytes;

	/** Connection with which the waiter shares turns, or the waiter itself. */
	final Object owner;

	/**
	 * True if its peer has sent at least the bytes that it requests, or reads its
	 * results.
	 */
	final boolean earned;

	/** Memory that its peer has used lately, in MiB times seconds. */
	final long use;

	/** Called once after the reservation, without the lock. */
	final Consumer<Waiter> admitted;

	/** Neighbours in a {@link WaiterList}. */
	@Nullable Waiter older;

	@Nullable Waiter newer;

	/** Place in the order of a {@link FairWaitQueue}, set when it is added. */
	long number;

	/** True if it has overtaken others; set before {@link #entered}. */
	boolean passed;

	/** True while it is in a {@link WaiterList}. */
	boolean waits;

	/** True after the reservation. Any thread reads it. */
	volatile boolean entered;

	Waiter(Direction direction, long bytes, @Nullable Object owner, boolean earned, long use,
			Consumer<Waiter> admitted) {
		this.direction = direction;
		this.bytes = bytes;
		this.owner = (owner != null) ? owner : this;
		this.earned = earned;
		this.use = use;
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
