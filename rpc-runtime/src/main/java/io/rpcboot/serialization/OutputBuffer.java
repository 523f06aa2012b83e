package io.rpcboot.serialization;

import java.util.Arrays;

import io.rpcboot.internal.concurrent.StripedPool;
import org.jspecify.annotations.Nullable;

/**
 * A buffer into which a message is serialized. Its array grows up to the limit; with an
 * {@link Overflow} it grows up to {@value #WINDOW} bytes and is handed over whenever it
 * is full, so that a message of any size needs one window of heap. One thread at a time.
 */
public final class OutputBuffer {

	/** Largest array, in bytes, that the buffer keeps while an overflow is set. */
	public static final int WINDOW = 64 * 1024;

	/**
	 * Length in bytes of a long value. With an overflow, a longer range is not copied
	 * into the array.
	 */
	public static final int LONG_VALUE = 8 * 1024;

	private final int limit;

	private byte[] array;

	/** Index in the array of the next byte. */
	private int position;

	/** Number of bytes of the message that the overflow has. */
	private int handedOver;

	private @Nullable Overflow overflow;

	/** The regular array, while a larger one takes its place. */
	private byte @Nullable [] window;

	private @Nullable Object writer;

	/**
	 * Creates a buffer.
	 * @param array first array
	 * @param limit largest length of a message in bytes
	 */
	public OutputBuffer(byte[] array, int limit) {
		this.array = array;
		this.limit = limit;
	}

	/**
	 * Sets the receiver of bytes that do not fit into the array. For one message, before
	 * it begins; {@link Pool#release} removes it.
	 * @param overflow receives the bytes; null, the default, lets the array grow up to
	 * the limit
	 */
	public void overflow(@Nullable Overflow overflow) {
		this.overflow = overflow;
	}

	/**
	 * Returns the receiver of bytes that do not fit into the array. A codec that changes
	 * bytes which it has written takes it away, and sets it again at its end: until then
	 * the array grows up to the limit.
	 * @return the receiver, null without one
	 */
	public @Nullable Overflow overflow() {
		return this.overflow;
	}

	/**
	 * Makes room behind {@link #position()}. With an overflow this may hand the array
	 * over, and the position is 0 then, so it must be read again. A request for more than
	 * {@link #WINDOW} bytes gets an array of its own until the next hand-over;
	 * {@link #write} avoids that for large ranges.
	 * @param bytes number of bytes that will be written
	 * @return the array to write into from index {@link #position()} on; it may be
	 * another one than before
	 * @throws MessageTooLargeException if the limit does not allow it
	 */
	public byte[] reserve(int bytes) {
		if (bytes > this.array.length - this.position) {
			makeRoom(bytes);
		}
		return this.array;
	}

	private void makeRoom(int bytes) {
		require(bytes);
		Overflow taker = this.overflow;
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

	/** Empties the array. */
	private void handOver(Overflow taker) {
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

	/** Replaces the empty array if it is too small. */
	private void replace(int bytes) {
		if (bytes > WINDOW) {
			this.window = this.array;
			this.array = new byte[bytes];
		}
		else if (bytes > this.array.length) {
			this.array = new byte[WINDOW];
		}
	}

	/**
	 * Writes a range. With an overflow a large range is handed over at once, without a
	 * copy into the array.
	 * @param source holds the bytes, which are copied before this method returns
	 * @param offset index of the first byte
	 * @param length number of bytes
	 * @throws MessageTooLargeException if the limit does not allow it
	 */
	public void write(byte[] source, int offset, int length) {
		if (this.overflow != null && length > LONG_VALUE) {
			writeThrough(this.overflow, source, offset, length);
			return;
		}
		byte[] target = reserve(length);
		System.arraycopy(source, offset, target, this.position, length);
		position(this.position + length);
	}

	/** Hands a large range over, behind the array. */
	private void writeThrough(Overflow taker, byte[] source, int offset, int length) {
		require(length);
		taker.expect(this.position, length);
		handOver(taker);
		taker.write(source, offset, length);
		this.handedOver += length;
	}

	/**
	 * Checks the limit for a value that will be written in pieces.
	 * @param bytes number of bytes that will be written
	 * @throws MessageTooLargeException if the limit does not allow it
	 */
	public void require(int bytes) {
		if (bytes > this.limit - this.handedOver - this.position) {
			throw new MessageTooLargeException(this.limit);
		}
	}

	/**
	 * Returns the index in {@link #array()} of the next byte.
	 * @return number of bytes that are not handed over
	 */
	public int position() {
		return this.position;
	}

	/**
	 * Sets the index behind the written bytes, which must be reserved.
	 * @param position the new index
	 * @throws MessageTooLargeException if the message exceeds the limit
	 */
	public void position(int position) {
		if (position > this.limit - this.handedOver) {
			throw new MessageTooLargeException(this.limit);
		}
		this.position = position;
	}

	/**
	 * Returns the length of the message so far, with the bytes handed over.
	 * @return number of bytes
	 */
	public int length() {
		return this.handedOver + this.position;
	}

	/**
	 * Returns the array with the bytes that are not handed over, from index 0 up to
	 * {@link #position()}.
	 * @return the array itself, not a copy
	 */
	public byte[] array() {
		return this.array;
	}

	/**
	 * Returns true if the overflow has bytes of the message.
	 * @return false if the array has all bytes
	 */
	public boolean hasOverflowed() {
		return this.handedOver > 0;
	}

	/**
	 * Returns the message.
	 * @return a copy of its bytes
	 * @throws IllegalStateException if the overflow has a part of it
	 */
	public byte[] toByteArray() {
		if (hasOverflowed()) {
			throw new IllegalStateException(
					"bytes handed over: %d (expected: 0, all in the array)".formatted(this.handedOver));
		}
		return Arrays.copyOf(this.array, this.position);
	}

	/**
	 * Returns an object that a serializer keeps with this buffer for the next message.
	 * Serializers may take turns, so check its type.
	 * @return the last object, null at first
	 */
	public @Nullable Object writer() {
		return this.writer;
	}

	/**
	 * Keeps an object with this buffer.
	 * @param writer returned by {@link #writer()} from now on
	 */
	public void writer(Object writer) {
		this.writer = writer;
	}

	private void reset() {
		if (this.window != null) {
			this.array = this.window;
			this.window = null;
		}
		this.position = 0;
		this.handedOver = 0;
		this.overflow = null;
	}

	/**
	 * A pool of buffers. Bounded in number and size and striped by thread, so that its
	 * memory does not grow with the number of threads. Thread-safe.
	 */
	public static final class Pool {

		private static final int FIRST_SIZE = 1024;

		private final StripedPool<OutputBuffer> free = new StripedPool<>();

		private final int limit;

		/**
		 * Creates a pool.
		 * @param limit largest length of a message in bytes
		 */
		public Pool(int limit) {
			this.limit = limit;
		}

		/**
		 * Takes a buffer.
		 * @return an empty buffer, owned by the caller until it is released or dropped
		 */
		public OutputBuffer acquire() {
			OutputBuffer buffer = this.free.take();
			return (buffer != null) ? buffer : new OutputBuffer(new byte[FIRST_SIZE], this.limit);
		}

		/**
		 * Returns a buffer to the pool, also after a failure.
		 * @param buffer no longer used by the caller
		 */
		public void release(OutputBuffer buffer) {
			buffer.reset();
			if (buffer.array.length <= WINDOW) {
				this.free.give(buffer);
			}
		}

	}

	/** Receives the bytes of a message that do not fit into the array, in their order. */
	@FunctionalInterface
	public interface Overflow {

		/**
		 * Announces the next bytes, so that memory can be reserved for all of them.
		 * @param gathered number of bytes of the next call of {@link #write}; 0 if there
		 * is no such call
		 * @param range number of bytes of the call after that
		 */
		default void expect(int gathered, int range) {
		}

		/**
		 * Receives bytes. An exception ends the serialization of the message: the codec
		 * throws a {@link MessageTooLargeException} unchanged and any other exception as
		 * a cause, and hands nothing more over.
		 * @param source holds the bytes, which must be copied: the array changes
		 * afterwards
		 * @param offset index of the first byte
		 * @param length number of bytes, 1 or more
		 */
		void write(byte[] source, int offset, int length);

	}

}
