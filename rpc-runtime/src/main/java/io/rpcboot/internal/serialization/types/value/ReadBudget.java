package io.rpcboot.internal.serialization.types.value;

import io.rpcboot.serialization.PathException;

/**
 * What reading one message may take. A few bytes of a message can stand for a large
 * object, such as two for an empty set: all objects together are bounded, as estimated
 * with references of four bytes. For one message and one thread.
 */
public class ReadBudget {

	/** The header of an object, or an empty array, in bytes. */
	public static final int OBJECT = 16;

	/** A boxed number, in bytes. */
	public static final int BOX = 24;

	/** A text and its array, without what they hold, in bytes. */
	public static final int TEXT = 48;

	/** The objects of a message take as many times its bytes and ... */
	protected static final int ALLOWED_FACTOR = 16;

	/** ... as many bytes more; what is not charged exactly comes on top. */
	protected static final int ALLOWED = 12 << 20;

	/** Objects take about as many times the bytes that they are read from. */
	private static final int USUAL_FACTOR = 8;

	/**
	 * What the objects may still take, in bytes. What is only in proportion to its own
	 * bytes may be subtracted without a check.
	 */
	protected long allowance;

	/** What comparing keys took. */
	protected long compared;

	/** Number of sets and keys around the position, whose hash codes use those within. */
	protected int hashed;

	/**
	 * Pairs of keys with equal hash codes beyond those that may come by chance. Those of
	 * the last message while {@link #compared} is 0.
	 */
	long morePairs;

	private final long allowed;

	/** For a message of as many bytes. */
	public ReadBudget(int length) {
		this.allowed = ALLOWED + (long) ALLOWED_FACTOR * length;
		this.allowance = this.allowed;
	}

	/**
	 * Charge the bytes that objects take, as estimated, and refuse what is too much for
	 * the message. Before they are made, unless they are only in proportion to their own
	 * bytes.
	 */
	public final void charge(long bytes) {
		this.allowance -= bytes;
		if (this.allowance < 0) {
			throw new PathException(
					"its objects take more than %d times its bytes and %d bytes (expected: less; send it in parts)"
						.formatted(ALLOWED_FACTOR, ALLOWED));
		}
	}

	/**
	 * Charge bytes that are only in proportion to what is read. The next {@link #charge}
	 * refuses them if they are too many.
	 */
	public final void note(long bytes) {
		this.allowance -= bytes;
	}

	/** Begins a set or a key: hash codes of the values within are computed. */
	public final void beginHashed() {
		this.hashed++;
	}

	/** Ends a set or a key. */
	public final void endHashed() {
		this.hashed--;
	}

	/** True if the hash code of the value that is read next may be computed. */
	public final boolean isHashed() {
		return this.hashed > 0;
	}

	/**
	 * The bytes that were read, about, and what comparing took in them. The size of keys
	 * is the difference between two of these.
	 */
	public long size() {
		return (this.allowed - this.allowance) / USUAL_FACTOR + this.compared;
	}

}
