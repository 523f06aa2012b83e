package io.rpcboot.internal.transport.binary;

import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Window;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.WriteQueue;

/**
 * The WINDOW frame of a connection, which announces the window of the peer. A connection
 * has one, which takes the newest totals when it is written, so that at most one is
 * queued. Event loop only.
 */
public final class WindowUpdateFrame extends BinaryFrame {

	private final WriteQueue queue;

	/** Total of calls to announce. */
	private long calls;

	/** Total of bytes to announce. */
	private long bytes;

	/** Concurrent calls to announce. */
	private int allowed;

	private boolean enqueued;

	/** True if the next update answers a NEED. */
	private boolean answers;

	/**
	 * Creates a frame.
	 * @param queue write queue of the connection
	 */
	public WindowUpdateFrame(WriteQueue queue) {
		super(FrameType.WINDOW, NOTHING);
		this.queue = queue;
	}

	/**
	 * Announces the window.
	 * @param totalCalls total of granted calls, 0 from a client
	 * @param totalBytes total of granted bytes
	 */
	public void announce(long totalCalls, long totalBytes) {
		this.calls = totalCalls;
		this.bytes = totalBytes;
		if (!this.enqueued) {
			this.enqueued = this.queue.enqueue(this);
		}
	}

	/**
	 * Sets how many calls the peer may have pending, for the next update.
	 * @param calls number with the pending ones
	 */
	public void allows(long calls) {
		this.allowed = (int) Math.min(calls, Window.MANY);
	}

	/** Marks the next update as the answer to NEED. */
	void answerNeed() {
		this.answers = true;
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		if (!writable) {
			return WriteDecision.BLOCKED_BY_SOCKET;
		}
		this.enqueued = false;
		this.callId = this.calls;
		this.code = (char) this.allowed;
		this.flags = (short) (this.answers ? FrameHeader.FLAG_ANSWERS_NEED : 0);
		this.answers = false;
		byte[] total = Window.encode(this.bytes);
		body(total, total.length);
		return WriteDecision.WRITE;
	}

	@Override
	public void onRejected() {
		this.enqueued = false;
	}

}
