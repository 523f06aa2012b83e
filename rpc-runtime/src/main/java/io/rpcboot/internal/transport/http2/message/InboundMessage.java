package io.rpcboot.internal.transport.http2.message;

import io.rpcboot.internal.protocol.grpc.MessagePrefix;
import io.rpcboot.internal.transport.frame.ByteArrayPool;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.http2.ArrivingBody;

/**
 * Message of gRPC that arrives in several pieces: its prefix, then its bytes, for which
 * {@link #allocate} makes an array once their memory is reserved. Event loop only until
 * the message is complete; afterwards owned by its receiver.
 */
public final class InboundMessage implements ArrivingBody {

	private static final int LENGTH_INDEX = 1;

	private final byte[] prefix = new byte[MessagePrefix.LENGTH];

	private int prefixFilled;

	private byte[] array = OutboundFrame.NOTHING;

	private int filled;

	private int capacity;

	private long beganNanos;

	/**
	 * Creates an empty message.
	 * @param beganNanos time of its first byte, as {@link System#nanoTime()}
	 */
	public InboundMessage(long beganNanos) {
		this.beganNanos = beganNanos;
	}

	/**
	 * Sets the prefix of a message that arrives without one.
	 * @param length number of its bytes
	 */
	void withoutPrefix(boolean compressed, int length) {
		this.prefix[0] = (byte) (compressed ? 1 : 0);
		for (int i = 0; i < Integer.BYTES; i++) {
			this.prefix[LENGTH_INDEX + i] = (byte) (length >>> (Byte.SIZE * (Integer.BYTES - 1 - i)));
		}
		this.prefixFilled = MessagePrefix.LENGTH;
	}

	/**
	 * Takes bytes of the prefix.
	 * @return number of taken bytes; fewer than there are once the prefix is complete
	 */
	public int takePrefix(byte[] in, int offset, int count) {
		int taken = Math.min(MessagePrefix.LENGTH - this.prefixFilled, count);
		System.arraycopy(in, offset, this.prefix, this.prefixFilled, taken);
		this.prefixFilled += taken;
		return taken;
	}

	/** Returns true if flag and length are known. */
	public boolean hasPrefix() {
		return this.prefixFilled == MessagePrefix.LENGTH;
	}

	/** Returns the prefix, once it is complete. */
	public byte[] prefix() {
		return this.prefix;
	}

	/** Returns true if the message is compressed. */
	public boolean isCompressed() {
		return this.prefix[0] != 0;
	}

	/** Returns the length of the message in bytes, 32 bits without sign. */
	public long length() {
		return length(this.prefix, 0);
	}

	/** Returns the length in a prefix, 32 bits without sign. */
	public static long length(byte[] in, int prefixIndex) {
		int index = prefixIndex + LENGTH_INDEX;
		return ((in[index] & 0xffL) << 24) | ((in[index + 1] & 0xff) << 16) | ((in[index + 2] & 0xff) << 8)
				| (in[index + 3] & 0xff);
	}

	/**
	 * Makes an array for bytes that may arrive. Keeps those that have arrived.
	 * @param capacity number of bytes of the message that fit from now on
	 */
	public void allocate(int capacity) {
		this.capacity = capacity;
		byte[] larger = (capacity > OutboundFrame.LARGE_BODY) ? ByteArrayPool.SHARED.take(capacity)
				: new byte[capacity];
		System.arraycopy(this.array, 0, larger, 0, this.filled);
		if (this.array.length > OutboundFrame.LARGE_BODY) {
			ByteArrayPool.SHARED.give(this.array);
		}
		this.array = larger;
	}

	/** Takes bytes of the message, for which there is space. */
	public void take(byte[] in, int offset, int count) {
		System.arraycopy(in, offset, this.array, this.filled, count);
		this.filled += count;
	}

	/** Returns the number of bytes of the message for which there is space. */
	public int capacity() {
		return this.capacity;
	}

	/** Notes that the rest may arrive from a time on, which is measured from there. */
	public void continues(long nanos) {
		this.beganNanos = nanos;
	}

	/** Returns true if all bytes have arrived. */
	public boolean isComplete() {
		return hasPrefix() && this.filled == length();
	}

	@Override
	public long beganNanos() {
		return this.beganNanos;
	}

	@Override
	public int filled() {
		return this.filled;
	}

	/** Returns an array that begins with the message; it may be longer. */
	public byte[] array() {
		return this.array;
	}

}
