package io.rpcboot.internal.memory;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How much an account may have and has. Stands beside memory account, which decides who
 * may enter bytes. Any thread, without a lock.
 */
abstract class MemoryBudgetLevels {

	private final long limit;

	private final long setting;

	final long mostOfOne;

	/**
	 * What may be granted ahead of need: the largest body always fits beside it and the
	 * most of the other direction.
	 */
	final long mostAhead;

	/**
	 * Of what may come in, this is left to bodies whose senders have earned it: an
	 * eighth, and nothing where the largest body would not fit beside it.
	 */
	final long keptForEarned;

	final DirectionTotals sums;

	private final AtomicInteger connections = new AtomicInteger();

	MemoryBudgetLevels(long limit, long largestBody, long setting) {
		this.limit = limit;
		this.setting = setting;
		long least = Math.min(limit / 2, Math.max(limit / 4, largestBody + largestBody / 4));
		this.mostOfOne = limit - least;
		this.mostAhead = Math.max(0, least - largestBody);
		this.keptForEarned = Math.min(this.mostOfOne / 8, this.mostOfOne - this.mostAhead - largestBody);
		this.sums = new DirectionTotals(limit, this.mostOfOne, limit + Math.max(limit / 8, largestBody));
	}

	/** Those that share what is granted ahead. */
	final AtomicInteger connections() {
		return this.connections;
	}

	/**
	 * What each connection may be granted ahead.
	 * @return bytes, 0 or more
	 */
	final long fairShare() {
		return this.mostAhead / Math.max(1, this.connections.get());
	}

	/**
	 * Whether more is in use than there should be.
	 * @return true until enough is free again
	 */
	public final boolean isOverdrawn() {
		return this.sums.all() > this.limit;
	}

	/**
	 * Whether it is overdrawn by more than an eighth.
	 * @return true until some is free again
	 */
	public final boolean isFarOverdrawn() {
		return this.sums.all() > this.limit + this.limit / 8;
	}

	/**
	 * The bytes in use, for people.
	 * @param direction what they are for
	 * @return the number
	 */
	public final long used(Direction direction) {
		return this.sums.of(direction);
	}

	/**
	 * What the operator has set, for people: with what is set apart beside the account.
	 * @return bytes
	 */
	public final long limit() {
		return this.setting;
	}

	/**
	 * All bytes of the account, for both directions together.
	 * @return the number
	 */
	public final long usable() {
		return this.limit;
	}

	/** The most bytes that one direction may have. */
	public final long mostOfOne() {
		return this.mostOfOne;
	}

}
