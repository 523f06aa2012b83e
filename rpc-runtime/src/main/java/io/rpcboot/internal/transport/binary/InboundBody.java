package io.rpcboot.internal.transport.binary;

import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.transport.frame.ByteArrayPool;

/**
 * An inbound body that fills an array of its own while it arrives. Event loop only until
 * the body is complete; afterwards owned by its receiver.
 */
public final class InboundBody {

	private final byte[] array;

	private final int size;

	/** Time of its first byte, as {@link System#nanoTime()}. */
	public final long beganNanos;

	/** Number of bytes that have arrived. */
	private int filled;

	private InboundBody(byte[] array, int size, long beganNanos) {
		this.array = array;
		this.size = size;
		this.beganNanos = beganNanos;
	}

	/**
	 * Returns a complete body.
	 * @param body the bytes
	 * @return a body with this array
	 */
	public static InboundBody of(byte[] body) {
		return new InboundBody(body, body.length, 0);
	}

	/**
	 * Begins the body of a frame. Only calls and replies return their arrays to the pool.
	 */
	public static InboundBody begin(int type, int size, long now) {
		byte[] array = FrameType.isCall(type) ? ByteArrayPool.SHARED.take(size) : new byte[size];
		return new InboundBody(array, size, now);
	}

	/** Reads bytes until the body is complete or the input is empty. */
	public void take(ByteBuf in) {
		int count = Math.min(this.size - this.filled, in.readableBytes());
		in.readBytes(this.array, this.filled, count);
		this.filled += count;
	}

	/** Returns the number of bytes that have arrived. */
	public int filled() {
		return this.filled;
	}

	public boolean isWhole() {
		return this.filled == this.size;
	}

	/**
	 * Returns the length of the body.
	 * @return in bytes
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Returns the bytes.
	 * @return an array that begins with the bytes; it may be longer
	 */
	public byte[] array() {
		return this.array;
	}

	/**
	 * Returns the whole body.
	 * @return an array of exactly its length
	 */
	public byte[] join() {
		return (this.array.length == this.size) ? this.array : Arrays.copyOf(this.array, this.size);
	}

}
