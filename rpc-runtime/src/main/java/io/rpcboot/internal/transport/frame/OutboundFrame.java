package io.rpcboot.internal.transport.frame;

import java.util.Arrays;

import io.rpcboot.serialization.DetachedBytes;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A frame on its way out; the links of the queue, of the batch and of a table are in it.
 */
public abstract class OutboundFrame implements OutputBuffer.Overflow {

	public static final byte[] NOTHING = {};

	/** Bodies up to this size, in bytes, go and come in one array. */
	protected static final int SMALL_BODY = 256;

	/** Bodies over this size are not copied to be written. */
	public static final int LARGE_BODY = 8 * 1024;

	volatile @Nullable OutboundFrame next;

	public @Nullable OutboundFrame nextOutcome;

	@Nullable OutboundFrame nextInTable;

	public byte type;

	public short flags;

	public char code;

	public long callId;

	public int remainingMillis;

	/** Holds the body from index 0; it may be longer. */
	public byte[] body;

	public int length;

	/** What of the length is not in the array: only of bodies that came in. */
	protected @Nullable DetachedBytes apart;

	/** Holds the body in place of the array, null if that does. */
	public @Nullable ChunkedBody large;

	protected OutboundFrame(int type) {
		this.type = (byte) type;
		this.body = NOTHING;
	}

	protected OutboundFrame(int type, byte[] body) {
		this.type = (byte) type;
		this.body = body;
		this.length = body.length;
	}

	/** Append to a body that is too long for an array. */
	@Override
	public final void write(byte[] source, int offset, int count) {
		largeBody().write(source, offset, count);
	}

	@Override
	public final void expect(int gathered, int range, boolean isValue) {
		largeBody().expect(gathered, range, isValue);
	}

	final ChunkedBody largeBody() {
		if (this.large == null) {
			this.large = newLargeBody();
		}
		return this.large;
	}

	/** Where a body goes that is too long for an array. */
	protected ChunkedBody newLargeBody() {
		throw new IllegalStateException("frame type %d has no large body".formatted(this.type));
	}

	/**
	 * Make the batch an owner of a large body, as has to be done before WRITE.
	 * @return false if the body is gone
	 */
	protected final boolean retainLarge() {
		return this.large == null || this.large.retain();
	}

	/** An array that begins with a range. */
	public static byte[] copy(byte[] source, int from, int to) {
		return (to - from > LARGE_BODY) ? ByteArrayPool.SHARED.copy(source, from, to)
				: Arrays.copyOfRange(source, from, to);
	}

	/** The call id. */
	public final long id() {
		return this.callId;
	}

	/** How long the body is, in bytes. */
	public final int length() {
		return this.length;
	}

	protected final void body(byte[] bytes, int count) {
		body(bytes, count, null);
	}

	/** A body that came in: so many bytes, but for a value all in the array. */
	protected final void body(byte[] bytes, int count, @Nullable DetachedBytes value) {
		this.body = bytes;
		this.length = count;
		this.apart = value;
	}

	/**
	 * On the event loop, right before writing; the header is read after it.
	 * @param writable whether the socket takes more; if not, SKIP or HOLD
	 * @return what to do
	 */
	public abstract WriteDecision beforeWrite(boolean writable);

	/** The queue has ended before {@link #beforeWrite} returned WRITE. Any thread. */
	public abstract void onRejected();

	/** Whether a held frame will be skipped in any case and may be dropped early. */
	public boolean isAbandoned() {
		return false;
	}

	/** Whether a frame that waits does so in vain: {@link #beforeWrite} would skip it. */
	public boolean isExpired() {
		return false;
	}

	/** Whether {@link #onWriteComplete} is to be called. */
	public boolean wantsWriteResult() {
		return false;
	}

	/** The write that carried this frame has ended, well or not. Event loop. */
	public void onWriteComplete(boolean written) {
	}

}
