package io.rpcboot.internal.transport.frame;

import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An outgoing frame of any protocol: its body, the callbacks of the write path, and the
 * methods by which it encodes itself. The links of the write queue, of the batch and of
 * the call table are fields of the frame, so that queueing a frame allocates nothing.
 * <p>
 * A body over {@link #LARGE_BODY} bytes is in chunks, every other body in an array.
 */
public abstract class OutboundFrame implements OutputBuffer.Overflow {

	/** An empty body. */
	public static final byte[] NOTHING = {};

	/** Largest body, in bytes, for which arguments and reply share one array. */
	protected static final int SMALL_BODY = 256;

	/** Largest body, in bytes, that is copied into the buffer of a batch. */
	public static final int LARGE_BODY = 8 * 1024;

	/** Link of {@link MpscFrameQueue}. */
	volatile @Nullable OutboundFrame next;

	/** Link of the frames of a batch that want the result of their write. */
	public @Nullable OutboundFrame nextOutcome;

	/** Link of {@link CallTable}. */
	@Nullable OutboundFrame nextInTable;

	/** Id of the call on its connection, 0 without one. */
	public long callId;

	/** Holds the body from index 0 on; may be longer than the body. */
	public byte[] body;

	/** Length of the body in bytes. */
	public int length;

	/** Chunks of a large body, null if the array holds the body. */
	public @Nullable ChunkedBody large;

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

	/** Appends to the large body. */
	@Override
	public final void write(byte[] source, int offset, int count) {
		largeBody().write(source, offset, count);
	}

	@Override
	public final void expect(int gathered, int range) {
		largeBody().expect(gathered, range);
	}

	private ChunkedBody largeBody() {
		if (this.large == null) {
			this.large = newLargeBody();
		}
		return this.large;
	}

	/** Creates the chunks of a body that is too long for an array. */
	protected ChunkedBody newLargeBody() {
		throw new IllegalStateException(this + " has no large body");
	}

	/**
	 * Appends the rest of a serialized message to the large body and completes it.
	 * @param out holds the bytes that were not handed over
	 * @throws MemoryShortageException if there is no memory in time
	 */
	public final void completeLargeBody(OutputBuffer out) {
		ChunkedBody chunks = largeBody();
		chunks.write(out.array(), 0, out.position());
		chunks.complete();
		body(NOTHING, out.length());
	}

	/**
	 * Makes the batch an owner of a large body. Required before WRITE.
	 * @return false if the body is released already
	 */
	protected final boolean retainLarge() {
		return this.large == null || this.large.retain();
	}

	/**
	 * Returns the cause why a large body is incomplete.
	 * @return null if there was memory
	 */
	public final @Nullable MemoryShortageException memoryShortage() {
		return (this.large != null) ? this.large.shortage() : null;
	}

	/** Copies a range into an array that begins with it; a large one is from the pool. */
	public static byte[] copy(byte[] source, int from, int to) {
		return (to - from > LARGE_BODY) ? ByteArrayPool.SHARED.copy(source, from, to)
				: Arrays.copyOfRange(source, from, to);
	}

	/** Returns the call id. */
	public final long id() {
		return this.callId;
	}

	/** Returns the length of the body in bytes. */
	public final int length() {
		return this.length;
	}

	/**
	 * Sets the body.
	 * @param bytes hold it from index 0 on, unless it is in chunks
	 * @param count its length in bytes
	 * @param chunks hold it if it is too long for an array, else null
	 */
	public final void holds(byte[] bytes, int count, @Nullable ChunkedBody chunks) {
		body(bytes, count);
		this.large = chunks;
	}

	protected final void body(byte[] bytes, int count) {
		this.body = bytes;
		this.length = count;
	}

	/**
	 * Returns a copy of the body, which may be dropped meanwhile.
	 * @return null if the body is in chunks
	 */
	public final byte @Nullable [] copyBody() {
		return (this.large != null) ? null : Arrays.copyOf(this.body, this.length);
	}

	/**
	 * Replaces the first bytes of the body. Only before the write, by the thread that may
	 * write the frame.
	 * @param count number of bytes that are not sent; at most those of the first chunk of
	 * a large body
	 * @param start sent instead, at most {@code count} bytes
	 */
	public final void replaceStart(int count, byte[] start) {
		int newLength = this.length - count + start.length;
		if (this.large != null) {
			this.large.replaceStart(count, start);
		}
		else {
			byte[] copy = Arrays.copyOf(start, newLength); // the caller may own the array
			System.arraycopy(this.body, count, copy, start.length, this.length - count);
			this.body = copy;
		}
		this.length = newLength;
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
