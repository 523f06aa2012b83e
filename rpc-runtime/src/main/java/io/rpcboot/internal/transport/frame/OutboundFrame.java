package io.rpcboot.internal.transport.frame;

import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * An outgoing frame of any protocol: its body, the callbacks of the write path, and the
 * methods by which it encodes itself. The links of the write queue, of the batch and of
 * the call table are fields of the frame, so that queueing a frame allocates nothing.
 * <p>
 * A body over {@link #LARGE_BODY} bytes is in chunks, every other body in an array.
 */
public abstract class OutboundFrame extends CallMessage {

	/** An empty body. */
	public static final byte[] NOTHING = {};

	/** Largest body, in bytes, for which arguments and reply share one array. */
	public static final int SMALL_BODY = 256;

	/** Largest body, in bytes, that is copied into the buffer of a batch. */
	public static final int LARGE_BODY = 8 * 1024;

	/** Link of {@link MpscFrameQueue}. */
	volatile @Nullable OutboundFrame next;

	/** Link of the frames of a batch that want the result of their write. */
	public @Nullable OutboundFrame nextOutcome;

	protected OutboundFrame(byte[] body) {
		this.body = body;
		this.length = body.length;
	}

	/** Returns the length of all that precedes a large body, in bytes. */
	public int headerLength() {
		return 0;
	}

	/** Writes all that precedes the body. */
	public void writeHeader(ByteBuf out) {
	}

	/**
	 * Writes the encoded frame.
	 * @param bytes hold the body from index 0 on
	 */
	public void writeTo(ByteBuf out, byte[] bytes) {
		writeHeader(out);
		out.writeBytes(bytes, 0, this.length);
	}

	/**
	 * Returns true if a flush policy must not hold the frame, as it may those of calls.
	 */
	public boolean isUrgent() {
		return false;
	}

	/**
	 * Makes the batch an owner of a large body. Required before WRITE.
	 * @return false if the body is released already
	 */
	protected final boolean retainLarge() {
		return this.large == null || this.large.retain();
	}

	/** Copies a range into an array that begins with it; a large one is from the pool. */
	public static byte[] copy(byte[] source, int from, int to) {
		return (to - from > LARGE_BODY) ? ByteArrayPool.SHARED.copy(source, from, to)
				: Arrays.copyOfRange(source, from, to);
	}

	/**
	 * Returns when the call of this frame started, for the time from there to the socket.
	 * @return as {@link System#nanoTime()}, 0 if this frame is not measured
	 */
	public long startedNanos() {
		return 0;
	}

	/**
	 * Decides right before the write; the header is read afterwards. Event loop only.
	 * @param writable true if the socket takes more; if false, SKIP or BLOCKED_BY_SOCKET
	 * is returned
	 * @return the decision
	 */
	public abstract WriteDecision beforeWrite(boolean writable);

	/**
	 * Called if the queue ends before {@link #beforeWrite} returned WRITE. Any thread.
	 */
	public abstract void onRejected();

	/** Returns true if a blocked frame will be skipped and can be dropped early. */
	public boolean isAbandoned() {
		return false;
	}

	/** Returns true if the deadline of a blocked frame is over, so it will be skipped. */
	public boolean isExpired() {
		return false;
	}

	/** Returns true if {@link #onWriteComplete} is to be called. */
	public boolean wantsWriteResult() {
		return false;
	}

	/** Called when the write of this frame succeeded or failed. Event loop only. */
	public void onWriteComplete(boolean written) {
	}

}
