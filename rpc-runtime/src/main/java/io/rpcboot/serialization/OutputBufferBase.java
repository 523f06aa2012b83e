package io.rpcboot.serialization;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The array of an output buffer when it is full: it grows, or is handed to the overflow.
 * For one thread at a time.
 */
abstract class OutputBufferBase {

	/** The most bytes that the array keeps while an overflow is set. */
	public static final int WINDOW = 64 * 1024;

	/**
	 * A value of so many bytes or more, or a range of more bytes, is not copied into the
	 * array if there is an overflow, in bytes. A message of only so many is.
	 */
	public static final int LONG_VALUE = 8 * 1024;

	final int limit;

	byte[] array;

	/** In the array: where the next byte goes. */
	int position;

	/** Bytes of this message that the overflow has. */
	int handedOver;

	OutputBuffer.@Nullable Overflow overflow;

	/** The array of at most one window, while a larger one takes its place. */
	byte @Nullable [] window;

	OutputBufferBase(byte[] array, int limit) {
		this.array = array;
		this.limit = limit;
	}

	final void makeRoom(int bytes) {
		require(bytes);
		OutputBuffer.Overflow taker = this.overflow;
		if (taker == null) {
			grow(bytes, this.limit);
		}
		else if (bytes <= WINDOW - this.position) {
			grow(bytes, Math.min(WINDOW, this.limit));
		}
		else {
			handOver(taker);
			replace(bytes);
		}
	}

	private void grow(int bytes, int most) {
		int needed = this.position + bytes;
		this.array = Arrays.copyOf(this.array, (int) Math.min(most, Math.max(needed, this.array.length * 2L)));
	}

	/** Empty the array. */
	private void handOver(OutputBuffer.Overflow taker) {
		if (this.position > 0) {
			taker.write(this.array, 0, this.position);
			this.handedOver += this.position;
			this.position = 0;
		}
		if (this.array.length > WINDOW) {
			this.array = (this.window != null) ? this.window : new byte[WINDOW];
			this.window = null;
		}
	}

	/** Take a larger array, if the empty one is too small. */
	private void replace(int bytes) {
		if (bytes > WINDOW) {
			this.window = this.array;
			this.array = new byte[bytes];
		}
		else if (bytes > this.array.length) {
			this.array = new byte[WINDOW];
		}
	}

	/** Hand a large range over, behind what is in the array. */
	final void writeThrough(OutputBuffer.Overflow taker, byte[] source, int offset, int length, boolean isValue) {
		require(length);
		taker.expect(this.position, length, isValue);
		handOver(taker);
		taker.write(source, offset, length);
		this.handedOver += length;
	}

	abstract void write(byte[] source, int offset, int length);

	/**
	 * Write a byte array that is a whole value, behind what was written. If it is long,
	 * its reader may get it apart from the rest of the message, see
	 * {@link DetachedBytes}; so this is for serializers that read it as one.
	 * @param source holds the bytes, which are copied before this returns
	 * @param offset of the first byte
	 * @param length number of bytes
	 * @throws MessageTooLargeException if the limit does not allow it
	 */
	public final void writeValue(byte[] source, int offset, int length) {
		boolean isLong = length > LONG_VALUE || (length == LONG_VALUE && this.position + this.handedOver > 0);
		if (this.overflow != null && isLong) { // what is no longer than this is one array
			writeThrough(this.overflow, source, offset, length, true);
			return;
		}
		write(source, offset, length);
	}

	/**
	 * Check the limit for a value whose size is known before it is written in pieces.
	 * @param bytes how many bytes will be written
	 * @throws MessageTooLargeException if the limit does not allow it
	 */
	public final void require(int bytes) {
		if (bytes > this.limit - this.handedOver - this.position) {
			throw new MessageTooLargeException(this.limit);
		}
	}

	/**
	 * Whether the overflow has bytes of the message. If not, all are in the array.
	 * @return true if something was handed over
	 */
	public final boolean hasOverflowed() {
		return this.handedOver > 0;
	}

	/**
	 * The message.
	 * @return a copy of exactly its bytes
	 * @throws IllegalStateException if the overflow has a part of it
	 */
	public final byte[] toByteArray() {
		if (hasOverflowed()) {
			throw new IllegalStateException(
					"bytes handed over: %d (expected: 0, all in the array)".formatted(this.handedOver));
		}
		return Arrays.copyOf(this.array, this.position);
	}

}
