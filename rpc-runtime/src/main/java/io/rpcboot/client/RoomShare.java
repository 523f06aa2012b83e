package io.rpcboot.client;

import java.util.concurrent.atomic.LongAdder;

/**
 * The asynchronous calls of one reference, as far as they count for its share of the room
 * that all references of a client have. Any thread.
 */
final class RoomShare {

	/** Less than this part of the room is a small share. */
	private static final int PART = 4;

	private final LongAdder underWay = new LongAdder();

	private volatile boolean shared;

	/** There are other references from now on. */
	void share() {
		this.shared = true;
	}

	/** A call begins. Returns whether it counts: then its end is to be told. */
	boolean begins() {
		if (!this.shared) {
			return false;
		}
		this.underWay.increment();
		return true;
	}

	/** A call that counts has ended. */
	void ends() {
		this.underWay.decrement();
	}

	/**
	 * Whether a call of this reference may have of the room that is kept for those who
	 * use little.
	 * @param room calls that all references may have under way
	 */
	boolean isSmall(int room) {
		return this.shared && this.underWay.sum() <= room / PART;
	}

}
