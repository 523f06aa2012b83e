package io.rpcboot.serialization;

import io.rpcboot.internal.concurrent.StripedPool;
import org.jspecify.annotations.Nullable;

/**
 * What a message is serialized into: an array, which grows up to the limit, or, with an
 * {@link Overflow}, up to {@value #WINDOW} bytes, and is handed over whenever it is full.
 * A message of any size then takes one window of heap. For one thread at a time.
 */
public final class OutputBuffer extends OutputBufferBase {

	private @Nullable Object writer;

	/**
	 * Create a buffer.
	 * @param array the first array to write into
	 * @param limit the largest length of a message, in bytes
	 */
	public OutputBuffer(byte[] array, int limit) {
		super(array, limit);
	}

	/**
	 * Set who takes the bytes for which the array has no room. For one message, before it
	 * is begun: {@link Pool#release} removes it.
	 * @param overflow receives the bytes; null, as at first, for nobody: the array grows
	 * up to the limit
	 */
	public void overflow(@Nullable Overflow overflow) {
		this.overflow = overflow;
	}

	/**
	 * Make room behind {@link #position()}. With an overflow this may hand over what is
	 * in the array, so read the position again afterwards: it is 0 then. A request for
	 * more than {@link #WINDOW} bytes gets an array of its own, which goes with the next
	 * hand-over; {@link #write} does without for large ranges.
	 * @param bytes how many bytes will be written
	 * @return the array to write into, from index {@link #position()}; it may be another
	 * one than before
	 * @throws MessageTooLargeException if the limit does not allow it
	 */
	public byte[] reserve(int bytes) {
		if (bytes > this.array.length - this.position) {
			makeRoom(bytes);
		}
		return this.array;
	}

	/**
	 * Write a range behind what was written. With an overflow a large range goes there at
	 * once, without a copy in between.
	 * @param source holds the bytes, which are copied before this returns
	 * @param offset of the first byte
	 * @param length number of bytes
	 * @throws MessageTooLargeException if the limit does not allow it
	 */
	@Override
	public void write(byte[] source, int offset, int length) {
		if (this.overflow != null && length > LONG_VALUE) {
			writeThrough(this.overflow, source, offset, length, false);
			return;
		}
		byte[] target = reserve(length);
		System.arraycopy(source, offset, target, this.position, length);
		position(this.position + length);
	}

	/**
	 * The index in {@link #array()} where the next byte goes. The bytes before it were
	 * not handed over.
	 * @return an index
	 */
	public int position() {
		return this.position;
	}

	/**
	 * Set the index behind the bytes written. The caller has reserved them.
	 * @param position the new index
	 * @throws MessageTooLargeException if the message is over the limit with it
	 */
	public void position(int position) {
		if (position > this.limit - this.handedOver) {
			throw new MessageTooLargeException(this.limit);
		}
		this.position = position;
	}

	/**
	 * The bytes of the message so far, those handed over included.
	 * @return number of bytes
	 */
	public int length() {
		return this.handedOver + this.position;
	}

	/**
	 * The array that holds the bytes that were not handed over, from index 0 up to
	 * {@link #position()}.
	 * @return the array itself, no copy
	 */
	public byte[] array() {
		return this.array;
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
	 * Buffers to use again, bounded in number and size and striped over the threads, so
	 * that nothing grows with their number. Thread-safe.
	 */
	public static final class Pool {

		private static final int FIRST_SIZE = 1024;

		private final StripedPool<OutputBuffer> free = new StripedPool<>();

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
		 * Give a buffer back, after a failure, too.
		 * @param buffer no longer used by the caller
		 */
		public void release(OutputBuffer buffer) {
			buffer.reset();
			if (buffer.array.length <= WINDOW) {
				this.free.give(buffer);
			}
		}

	}

	/**
	 * Takes the bytes of a message for which the array has no room, in their order.
	 */
	@FunctionalInterface
	public interface Overflow {

		/**
		 * Learn which bytes follow at once, so that there may be room for all of them.
		 * @param gathered how many are written by the next call of {@link #write}; 0 for
		 * no such call
		 * @param range how many are written by the call after that
		 * @param isValue whether that range is a byte array that its reader may get apart
		 */
		default void expect(int gathered, int range, boolean isValue) {
		}

		/**
		 * Take bytes. An exception ends the serialization of the message: it is the cause
		 * of what the codec throws, or thrown as it is if it is a
		 * {@link MessageTooLargeException}. Nothing more is handed over then.
		 * @param source holds the bytes; copy them, the array changes afterwards
		 * @param offset of the first byte
		 * @param length number of bytes, at least 1
		 */
		void write(byte[] source, int offset, int length);

	}

}
