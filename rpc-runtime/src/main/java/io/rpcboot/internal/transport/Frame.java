package io.rpcboot.internal.transport;

import org.jspecify.annotations.Nullable;

/**
 * A frame on its way out; the links of the queue, of the batch and of a table are in it.
 */
public abstract class Frame {

	public static final byte[] NOTHING = {};

	/** Bodies up to this size, in bytes, go and come in one array. */
	protected static final int SMALL_BODY = 256;

	volatile @Nullable Frame next;

	@Nullable Frame nextOutcome;

	@Nullable Frame nextInTable;

	protected int type;

	protected int flags;

	protected int code;

	protected long callId;

	protected int remainingMillis;

	/** Holds the body from index 0; it may be longer. */
	protected byte[] body;

	protected int length;

	protected Frame(int type) {
		this.type = type;
		this.body = NOTHING;
	}

	protected Frame(int type, byte[] body) {
		this.type = type;
		body(body, body.length);
	}

	protected final void body(byte[] bytes, int count) {
		this.body = bytes;
		this.length = count;
	}

	/**
	 * On the event loop, right before writing; the header is read after it.
	 * @param writable whether the socket takes more; if not, SKIP or HOLD
	 * @return what to do
	 */
	protected abstract Admission begin(boolean writable);

	/** The queue has ended before {@link #begin} returned WRITE. Any thread. */
	protected abstract void rejected();

	/** Whether a held frame will be skipped in any case and may be dropped early. */
	protected boolean isAbandoned() {
		return false;
	}

	/** Whether {@link #outcome} is to be called. */
	protected boolean wantsOutcome() {
		return false;
	}

	/** The write that carried this frame has ended, well or not. Event loop. */
	protected void outcome(boolean written) {
	}

}
