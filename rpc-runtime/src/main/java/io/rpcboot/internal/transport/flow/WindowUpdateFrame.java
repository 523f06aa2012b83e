package io.rpcboot.internal.transport.flow;

import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.Window;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.WriteQueue;

/**
 * Tells the other side what it is granted: the one WINDOW of a connection, which says
 * what is true when it is written, so that never two of them wait. Event loop only.
 */
public final class WindowUpdateFrame extends OutboundFrame {

	private final WriteQueue queue;

	private long calls;

	private long bytes;

	private int allowed;

	private boolean enqueued;

	private boolean answers;

	/**
	 * Create a frame.
	 * @param queue where it goes
	 */
	public WindowUpdateFrame(WriteQueue queue) {
		super(FrameType.WINDOW);
		this.queue = queue;
	}

	/**
	 * Tell the other side.
	 * @param totalCalls that it is granted, 0 from a client
	 * @param totalBytes that it is granted
	 */
	public void announce(long totalCalls, long totalBytes) {
		this.calls = totalCalls;
		this.bytes = totalBytes;
		if (!this.enqueued) {
			this.enqueued = this.queue.enqueue(this);
		}
	}

	/**
	 * Say with the next, too, how many calls the other side may have under way.
	 * @param calls with those that it has
	 */
	public void allows(long calls) {
		this.allowed = (int) Math.min(calls, Window.MANY);
	}

	/** What the other side asked for with NEED is within the total of the next. */
	void answerNeed() {
		this.answers = true;
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		if (!writable) {
			return WriteDecision.HOLD;
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
