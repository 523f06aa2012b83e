package io.rpcboot.internal.transport.frame;

import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.serialization.DetachedBytes;
import org.jspecify.annotations.Nullable;

/**
 * An inbound body that fills an array of its own while it arrives. If the sender
 * announced the place of a long value (PLACE), the value gets a second array and is used
 * without another copy; the first array then holds the bytes before and behind the value.
 * Event loop only until the body is complete; afterwards owned by its receiver.
 */
public final class InboundBody {

	/** Bytes of the body without the value. */
	private final byte[] array;

	private final int size;

	private final @Nullable DetachedBytes value;

	/** Index of the value in the body; the size of the body if there is no value. */
	private final int valueStart;

	private final int valueLength;

	/** Time of its first byte, as {@link System#nanoTime()}. */
	public final long beganNanos;

	/** Number of bytes that have arrived. */
	private int filled;

	private InboundBody(byte[] array, int size, @Nullable DetachedBytes value, long beganNanos) {
		this.array = array;
		this.size = size;
		this.value = value;
		this.valueStart = (value != null) ? value.at() : size;
		this.valueLength = (value != null) ? value.bytes().length : 0;
		this.beganNanos = beganNanos;
	}

	/**
	 * Returns a complete body.
	 * @param body the bytes
	 * @return a body with this array
	 */
	public static InboundBody of(byte[] body) {
		return new InboundBody(body, body.length, null, 0);
	}

	/**
	 * Begins the body of a frame. Only calls and replies return their arrays to the pool.
	 */
	public static InboundBody begin(int type, int size, long place, long now) {
		if (place == 0) {
			byte[] array = FrameType.isCall(type) ? ByteArrayPool.SHARED.take(size) : new byte[size];
			return new InboundBody(array, size, null, now);
		}
		int length = (int) (place >>> Integer.SIZE);
		byte[] rest = ByteArrayPool.SHARED.take(size - length);
		return new InboundBody(rest, size, new DetachedBytes(new byte[length], size - length - (int) place), now);
	}

	/** Rejects a place that does not fit the frame that follows. */
	public static void require(long place, int type, int size) {
		int length = (int) (place >>> Integer.SIZE);
		int behind = (int) place;
		if (!FrameType.isCall(type) || length < FrameType.SHORTEST_PLACED || behind < 0 || behind > size - length) {
			throw new ProtocolException(
					"PLACE of %d bytes and %d behind them, before a body of %d bytes of frame type %d"
						.formatted(length & 0xffffffffL, behind & 0xffffffffL, size, type));
		}
	}

	/** Reads bytes until the body is complete or the input is empty. */
	public void take(ByteBuf in) {
		int valueEnd = this.valueStart + this.valueLength;
		while (this.filled < this.size && in.isReadable()) {
			if (this.filled < this.valueStart) {
				read(in, this.array, this.filled, this.valueStart);
			}
			else if (this.value != null && this.filled < valueEnd) {
				read(in, this.value.bytes(), this.filled - this.valueStart, valueEnd);
			}
			else {
				read(in, this.array, this.filled - this.valueLength, this.size);
			}
		}
	}

	private void read(ByteBuf in, byte[] target, int index, int until) {
		int count = Math.min(until - this.filled, in.readableBytes());
		in.readBytes(target, index, count);
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
	 * Returns the length of the body with the value.
	 * @return in bytes
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Returns the bytes without the value.
	 * @return an array that begins with the bytes; it may be longer
	 */
	public byte[] array() {
		return this.array;
	}

	/**
	 * Returns the value that has an array of its own.
	 * @return null if the whole body is in one array
	 */
	public @Nullable DetachedBytes value() {
		return this.value;
	}

	/**
	 * Returns the whole body.
	 * @return an array of exactly its length
	 */
	public byte[] join() {
		if (this.value != null) {
			return this.value.join(this.array, 0, this.size);
		}
		return (this.array.length == this.size) ? this.array : Arrays.copyOf(this.array, this.size);
	}

}
