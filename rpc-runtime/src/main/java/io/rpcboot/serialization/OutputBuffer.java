package io.rpcboot.serialization;

import java.util.Arrays;

import io.rpcboot.internal.concurrent.ThreadStripes;
import org.jspecify.annotations.Nullable;

/**
 * A growing byte array with a limit, into which a message is serialized. For one thread
 * at a time.
 */
public final class OutputBuffer {

	private final int limit;

	private byte[] array;

	private int length;

	private @Nullable Object writer;

	/**
	 * Create a buffer.
	 * @param array the first array to write into
	 * @param limit the largest length in bytes
	 */
	public OutputBuffer(byte[] array, int limit) {
		this.array = array;
		this.limit = limit;
	}

	/**
	 * Make room behind {@link #length()}.
	 * @param bytes how many bytes will be written
	 * @return the array to write into, from index {@link #length()}; it may be another
	 * one than before
	 * @throws MessageTooLargeException if the limit does not allow it
	 */
	public byte[] reserve(int bytes) {
		if (bytes > this.array.length - this.length) {
			grow(bytes);
		}
		return this.array;
	}

	private void grow(int bytes) {
		long needed = (long) this.length + bytes;
		if (needed > this.limit) {
			throw new MessageTooLargeException(this.limit);
		}
		this.array = Arrays.copyOf(this.array, (int) Math.min(this.limit, Math.max(needed, this.array.length * 2L)));
	}

	/**
	 * Set the number of bytes written. The caller has reserved them.
	 * @param length the new length
	 * @throws MessageTooLargeException if it is over the limit
	 */
	public void length(int length) {
		if (length > this.limit) {
			throw new MessageTooLargeException(this.limit);
		}
		this.length = length;
	}

	/**
	 * The number of bytes written.
	 * @return bytes
	 */
	public int length() {
		return this.length;
	}

	/**
	 * The array that holds the bytes, from index 0.
	 * @return the array itself, no copy
	 */
	public byte[] array() {
		return this.array;
	}

	/**
	 * The bytes written.
	 * @return a copy of exactly {@link #length()} bytes
	 */
	public byte[] toByteArray() {
		return Arrays.copyOf(this.array, this.length);
	}

	/**
	 * What a serializer keeps with this buffer, so that it need not be made for each
	 * message. Whose it is says its type: serializers may take turns.
	 * @return what was kept last, null at first
	 */
	public @Nullable Object writer() {
		return this.writer;
	}

	/**
	 * Keep something with this buffer.
	 * @param writer returned by {@link #writer()} from now on
	 */
	public void writer(Object writer) {
		this.writer = writer;
	}

	/**
	 * Buffers to use again, bounded in number and size and striped over the threads, so
	 * that nothing grows with their number. Thread-safe.
	 */
	public static final class Pool {

		private static final int FIRST_SIZE = 1024;

		private static final int LARGEST_KEPT = 64 * 1024;

		private final ThreadStripes<OutputBuffer> free = new ThreadStripes<>();

		private final int limit;

		/**
		 * Create a pool.
		 * @param limit the largest length of a buffer, in bytes
		 */
		public Pool(int limit) {
			this.limit = limit;
		}

		/**
		 * Take a buffer.
		 * @return an empty buffer, the caller's until it is released; it may be forgotten
		 */
		public OutputBuffer acquire() {
			OutputBuffer buffer = this.free.take();
			return (buffer != null) ? buffer : new OutputBuffer(new byte[FIRST_SIZE], this.limit);
		}

		/**
		 * Give a buffer back.
		 * @param buffer no longer used by the caller
		 */
		public void release(OutputBuffer buffer) {
			if (buffer.array.length <= LARGEST_KEPT) {
				buffer.length = 0;
				this.free.give(buffer);
			}
		}

	}

}
