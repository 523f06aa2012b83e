package io.rpcboot.internal.transport.frame;

import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.serialization.DetachedBytes;
import org.jspecify.annotations.Nullable;

/**
 * A body in an array of its own, which it fills as it comes. If its sender has said where
 * a long value lies in it, that has an array of its own, too, and becomes the value
 * without another copy: the first array has what comes before it and behind it. Both
 * together are as long as the body. Event loop only until it is whole; from then on it
 * belongs to who was given it.
 */
public final class InboundBody {

	/** What is not the value. */
	private final byte[] array;

	private final int size;

	private final @Nullable DetachedBytes value;

	/** Where the value begins in the body; its end if there is none. */
	private final int valueStart;

	private final int valueLength;

	/** When it began, as {@link System#nanoTime()}. */
	public final long beganNanos;

	/** Bytes that have arrived. */
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
	 * A body that is there.
	 * @param body all of it
	 * @return has the array itself
	 */
	public static InboundBody of(byte[] body) {
		return new InboundBody(body, body.length, null, 0);
	}

	/** Of a frame; only calls and replies give their arrays back. */
	public static InboundBody begin(int type, int size, long place, long now) {
		if (place == 0) {
			byte[] array = FrameType.isCall(type) ? ByteArrayPool.SHARED.take(size) : new byte[size];
			return new InboundBody(array, size, null, now);
		}
		int length = (int) (place >>> Integer.SIZE);
		byte[] rest = ByteArrayPool.SHARED.take(size - length);
		return new InboundBody(rest, size, new DetachedBytes(new byte[length], size - length - (int) place), now);
	}

	/** Refuse a place that the frame behind it cannot have. */
	public static void require(long place, int type, int size) {
		int length = (int) (place >>> Integer.SIZE);
		int behind = (int) place;
		if (!FrameType.isCall(type) || length < FrameType.SHORTEST_PLACED || behind < 0 || behind > size - length) {
			throw new ProtocolException(
					"PLACE of %d bytes and %d behind them, before a body of %d bytes of frame type %d"
						.formatted(length & 0xffffffffL, behind & 0xffffffffL, size, type));
		}
	}

	/** Take what is there. */
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

	/** Bytes that have arrived. */
	public int filled() {
		return this.filled;
	}

	public boolean isWhole() {
		return this.filled == this.size;
	}

	/**
	 * Length of the body, the value included.
	 * @return in bytes
	 */
	public int size() {
		return this.size;
	}

	/**
	 * The bytes that are not the value.
	 * @return an array that begins with them; it may be longer
	 */
	public byte[] array() {
		return this.array;
	}

	/**
	 * The value that is apart.
	 * @return null if all bytes are in the array
	 */
	public @Nullable DetachedBytes value() {
		return this.value;
	}

	/**
	 * All bytes.
	 * @return an array of just this length, the same if nothing is apart
	 */
	public byte[] join() {
		if (this.value != null) {
			return this.value.join(this.array, 0, this.size);
		}
		return (this.array.length == this.size) ? this.array : Arrays.copyOf(this.array, this.size);
	}

}
