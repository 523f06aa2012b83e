package io.rpcboot.internal.transport.binary;

import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.WriteQueue;

/**
 * The window of bytes that this side of a connection may send: totals since the
 * connection began, which only rise. Sends NEED to get a larger window, and YIELD to
 * return unused bytes. Event loop only; other threads may read older totals.
 * <p>
 * A frame may be sent if {@code sent + size <= granted} and no frame of its kind waits.
 * Long frames, over {@link ReceiveWindow#SHARE} bytes, request memory of their own, one
 * at a time, and wait until the peer answers. Short frames overtake them: they use the
 * window beside the answer and may request more of it without waiting, because every
 * connection has its share.
 */
public final class SendWindow {

	private final WriteQueue queue;

	/** Frames that wait for this window or for the socket. */
	public final BinaryBlockedFrames blocked;

	private long granted;

	private long sent;

	/** Unsent bytes that a long frame has requested, 0 if there is no request. */
	private int asked;

	/** True if the peer granted the request; only the long frame may use these bytes. */
	private boolean answered;

	/** Number of frames that wait {@linkplain #admitInOrder in order}. */
	private int inOrderWaiting;

	/** Total granted at the last NEED of a short frame, so that one NEED is sent. */
	private long grantedWhenShort = -1;

	private long longFrames;

	/** Total sent at the last call of {@link #yieldUnused()}. */
	private long sentBefore = -1;

	/**
	 * Creates an empty window.
	 * @param queue sends NEED and YIELD; its blocked frames wait for this window
	 */
	public SendWindow(WriteQueue queue) {
		this.queue = queue;
		this.blocked = new BinaryBlockedFrames(queue);
	}

	/**
	 * Decides whether a frame may be sent. If not, a larger window is requested.
	 * @param frame the frame
	 * @param size length of its body
	 * @return WRITE, to be followed by {@link #sent}; otherwise how the frame waits
	 */
	public WriteDecision admit(OutboundFrame frame, int size) {
		if (this.asked == 0 && !this.blocked.hasFrames && this.sent + size <= this.granted) {
			return WriteDecision.WRITE;
		}
		return admitInTurn(frame, size);
	}

	/** Decides while the window is too small or frames are blocked. */
	private WriteDecision admitInTurn(OutboundFrame frame, int size) {
		boolean isLong = size > ReceiveWindow.SHARE;
		OutboundFrame next = this.blocked.next(isLong);
		boolean waits = (next != null && next != frame) || (!isLong && this.inOrderWaiting > 0);
		if (isLong) {
			return waits ? WriteDecision.BLOCKED_BY_STREAM : admitLong(size);
		}
		return (!waits && admitsShort(size)) ? WriteDecision.WRITE : WriteDecision.BLOCKED_BY_WINDOW;
	}

	/**
	 * Decides whether a control frame may be sent. Later frames may depend on it, so no
	 * frame overtakes it.
	 * @param frame the frame
	 * @param size length of its body
	 * @return WRITE, to be followed by {@link #sent}; otherwise how the frame waits
	 */
	WriteDecision admitInOrder(OutboundFrame frame, int size) {
		if (size > ReceiveWindow.SHARE) {
			return admitInTurn(frame, size);
		}
		OutboundFrame next = this.blocked.next(true);
		boolean first = next == frame || (this.inOrderWaiting == 0 && this.blocked.next(false) == null);
		return (first && admitsShort(size)) ? WriteDecision.WRITE : WriteDecision.BLOCKED_BY_STREAM;
	}

	/**
	 * Counts the in-order frames that are blocked.
	 * @param waits true when a frame blocks, false when it is sent
	 */
	void waitsInOrder(boolean waits) {
		this.inOrderWaiting += waits ? 1 : -1;
	}

	private boolean admitsShort(int size) {
		long kept = this.answered ? this.asked : 0;
		if (this.sent + size + kept <= this.granted) {
			return true;
		}
		if (this.grantedWhenShort != this.granted) {
			this.grantedWhenShort = this.granted;
			send(FrameType.NEED, size);
		}
		return false;
	}

	private WriteDecision admitLong(int size) {
		if (awaitsAnswer()) {
			return WriteDecision.BLOCKED_BY_STREAM;
		}
		if (this.sent + size <= this.granted) {
			this.longFrames++;
			return WriteDecision.WRITE;
		}
		giveBackAsked();
		this.asked = size;
		send(FrameType.NEED, size);
		return WriteDecision.BLOCKED_BY_STREAM;
	}

	/**
	 * Counts an admitted frame as sent.
	 * @param size length of its body
	 */
	public void sent(int size) {
		this.sent += size;
		if (this.asked != 0) {
			sentWhileAsking(size);
		}
	}

	private void sentWhileAsking(int size) {
		if (this.answered && size > ReceiveWindow.SHARE) {
			long rest = takeAsked() - size;
			if (rest > 0) { // ahead of the frame: behind it others might overtake the
							// YIELD
				this.sent += rest;
				this.queue.accept(new ControlFrame(FrameType.YIELD, 0, rest, OutboundFrame.NOTHING));
			}
		}
	}

	/**
	 * Returns how many calls are reserved for a waiting long frame, which must not wait
	 * for a call when it has its memory.
	 * @param size length of the body of the call to send
	 * @return 1 if a long frame has requested memory and this body is short, else 0
	 */
	public int callsKept(int size) {
		return (this.asked != 0 && size <= ReceiveWindow.SHARE && this.blocked.waitsForMemory()) ? 1 : 0;
	}

	/**
	 * Raises the window.
	 * @param total bytes since the connection began
	 * @param answersNeed true if the total includes the requested bytes
	 */
	public void raise(long total, boolean answersNeed) {
		this.granted = Math.max(this.granted, total);
		this.answered |= answersNeed && this.asked != 0;
		settle();
	}

	/** Returns requested and granted bytes if no frame waits for them any more. */
	public void settle() {
		if (this.asked != 0 && this.answered && !this.blocked.waitsForMemory()) {
			giveBackAsked();
		}
	}

	private void giveBackAsked() {
		long rest = takeAsked();
		if (rest > 0) {
			giveBack(rest);
		}
	}

	/** Ends the request. Returns its bytes. */
	private long takeAsked() {
		long bytes = this.asked;
		this.asked = 0;
		this.answered = false;
		return bytes;
	}

	/**
	 * Returns all bytes but the share of the connection if none were sent since the last
	 * call.
	 */
	public void yieldUnused() {
		boolean idle = this.sent == this.sentBefore && this.asked == 0 && !this.blocked.waitsForWindow();
		if (idle && this.granted - this.sent > ReceiveWindow.SHARE) {
			giveBack(this.granted - this.sent - ReceiveWindow.SHARE);
		}
		this.sentBefore = this.sent;
	}

	private void giveBack(long bytes) {
		this.sent += bytes;
		send(FrameType.YIELD, bytes);
	}

	private void send(int type, long bytes) {
		this.queue.enqueue(new ControlFrame(type, 0, bytes, OutboundFrame.NOTHING));
	}

	/**
	 * Returns true while a request for memory has no answer.
	 * @return false without a request
	 */
	public boolean awaitsAnswer() {
		return this.asked != 0 && !this.answered;
	}

	/**
	 * Returns how many long frames were sent after they had waited or had found other
	 * frames blocked.
	 * @return a number that grows
	 */
	public long longFrames() {
		return this.longFrames;
	}

	/**
	 * Returns the total that may be sent.
	 * @return bytes
	 */
	public long granted() {
		return this.granted;
	}

	/**
	 * Returns the total that was sent.
	 * @return bytes
	 */
	public long sent() {
		return this.sent;
	}

}
