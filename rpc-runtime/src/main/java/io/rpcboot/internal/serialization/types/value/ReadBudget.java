package io.rpcboot.internal.serialization.types.value;

import io.rpcboot.internal.memory.ObjectHeap;
import io.rpcboot.serialization.PathException;

/**
 * Budget of heap and time to read one message. A few bytes of a message can become a
 * large object, such as two bytes an empty set, so the heap size of all objects is
 * bounded: {@code 12 MiB + 16 * length}, and a quarter of the heap if that is less.
 * Example: 16 MiB for a message of 256 KiB. Sizes are estimates with references of four
 * bytes. For one message and one thread.
 * <p>
 * What exceeds {@code 256 KiB + length}, which small messages never do, is entered in the
 * {@link ObjectHeap} in steps before the objects are created. The reader of a message
 * calls {@link #leave()} at its end.
 */
public class ReadBudget {

	/** Heap size of the header of an object, or of an empty array, in bytes. */
	public static final int OBJECT = 16;

	/** Heap size of a boxed number, in bytes. */
	public static final int BOX = 24;

	/** Heap size of a text without its characters, in bytes. */
	public static final int TEXT = 48;

	/** Allowed heap bytes for each byte of the message. */
	protected static final int ALLOWED_FACTOR = 16;

	/**
	 * Allowed heap bytes beyond {@link #ALLOWED_FACTOR}. Objects that are not charged
	 * exactly come on top.
	 */
	protected static final int ALLOWED = 12 << 20;

	/** Heap bytes beyond the length of a message that are not entered. */
	protected static final int FREE = 256 * 1024;

	/** Heap bytes that are entered at a time, at least. */
	private static final long STEP = 1 << 20;

	/** Usual heap bytes for each byte of a message. */
	private static final int USUAL_FACTOR = 8;

	private static final ObjectHeap HEAP = ObjectHeap.SHARED;

	/**
	 * Heap bytes that remain until more are entered. Objects in proportion to their own
	 * bytes may be subtracted without a check.
	 */
	protected long allowance;

	/** Size of the message, in bytes. */
	protected int length;

	/** Entered heap bytes. */
	protected long entered;

	/** Comparisons of keys so far, in bytes. */
	protected long compared;

	/** Number of sets and keys around the position, whose hash codes use those within. */
	protected int hashed;

	/**
	 * Pairs of keys with equal hash codes beyond chance. Left from the last message while
	 * {@link #compared} is 0.
	 */
	long morePairs;

	/**
	 * Creates the budget of a message.
	 * @param length size of the message, in bytes
	 */
	public ReadBudget(int length) {
		this.length = length;
		this.allowance = FREE + (long) length;
	}

	/**
	 * Charges the estimated heap size of objects, and refuses too much for the message.
	 * Called before the objects are created, unless they are in proportion to their own
	 * bytes.
	 */
	public final void charge(long bytes) {
		this.allowance -= bytes;
		if (this.allowance < 0) {
			enter();
		}
	}

	private void enter() {
		long free = FREE + (long) this.length;
		long most = ALLOWED + (long) ALLOWED_FACTOR * this.length;
		long missing = -this.allowance;
		if (free + this.entered + missing > most) {
			throw new PathException(
					"its objects take more than %d times its bytes and %d bytes (expected: less; send it in parts)"
						.formatted(ALLOWED_FACTOR, ALLOWED));
		}
		if (this.entered + missing > HEAP.mostOfOne()) {
			throw new PathException(
					"its objects take more than %d bytes, a quarter of the heap of the reader (expected: less; send it in parts, or raise -Xmx)"
						.formatted(HEAP.mostOfOne()));
		}
		long step = Math.min(Math.max(STEP, missing), most - free - this.entered);
		HEAP.enter(this, step);
		this.entered += step;
		this.allowance += step;
	}

	/** Ends the message: its objects belong to the application, or were dropped. */
	public final void leave() {
		if (this.entered > 0) {
			HEAP.leave(this, this.entered);
			this.entered = 0;
		}
	}

	/**
	 * Charges heap bytes in proportion to the bytes that are read. The next
	 * {@link #charge} refuses them if they are too many.
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

	/** Returns true if the hash code of the next value may be computed. */
	public final boolean isHashed() {
		return this.hashed > 0;
	}

	/**
	 * Returns about the number of bytes that were read, plus the comparisons in them. The
	 * difference between two calls is the size of the keys that were read between.
	 */
	public long size() {
		return (FREE + (long) this.length + this.entered - this.allowance) / USUAL_FACTOR + this.compared;
	}

}
