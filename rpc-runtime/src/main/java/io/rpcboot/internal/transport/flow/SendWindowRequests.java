package io.rpcboot.internal.transport.flow;

import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.ControlFrame;
import io.rpcboot.internal.transport.write.WriteQueue;

/**
 * Asks the other side of a connection for a higher grant (NEED), and gives back what was
 * granted and is no longer wanted (YIELD). Stands beside outgoing grant, which counts
 * what is sent. Event loop only, but for what is read for people.
 * <p>
 * One long frame at a time asks, and waits for the answer, however long others keep the
 * memory of the other side. Short ones pass it: they use what is granted beside the
 * answer, and for more of that they ask without waiting, since every connection has its
 * share.
 */
abstract class SendWindowRequests {

	final WriteQueue queue;

	long granted;

	long sent;

	/** Bytes that a long frame has asked for and that were not sent, 0 for none. */
	int asked;

	/** Whether these are granted; no other frame may use them then. */
	private boolean answered;

	/** Frames that wait {@linkplain #admitInOrder in order}: none may pass them. */
	private int inOrderWaiting;

	/** The grant that was too small for a short frame when it asked for more. */
	private long grantedWhenShort = -1;

	private long longFrames;

	private long sentAtLastLook = -1;

	SendWindowRequests(WriteQueue queue) {
		this.queue = queue;
	}

	/** Whether a frame may go where the grant is short or others wait. */
	final WriteDecision admitInTurn(OutboundFrame frame, int size) {
		boolean isLong = size > ReceiveWindow.SHARE;
		OutboundFrame next = this.queue.next(isLong);
		boolean waits = (next != null && next != frame) || (!isLong && this.inOrderWaiting > 0);
		if (isLong) {
			return waits ? WriteDecision.WAIT_FOR_MEMORY : admitLong(size);
		}
		return (!waits && admitsShort(size)) ? WriteDecision.WRITE : WriteDecision.WAIT;
	}

	/**
	 * Whether a frame of the protocol itself may go: frames that are enqueued after it
	 * may depend on it, so while it waits none passes it, however short.
	 * @param frame the frame
	 * @param size length of its body
	 * @return WRITE if it may, and {@code sent} follows then; else how it waits
	 */
	final WriteDecision admitInOrder(OutboundFrame frame, int size) {
		if (size > ReceiveWindow.SHARE) {
			return admitInTurn(frame, size);
		}
		OutboundFrame next = this.queue.next(true);
		boolean first = next == frame || (this.inOrderWaiting == 0 && this.queue.next(false) == null);
		return (first && admitsShort(size)) ? WriteDecision.WRITE : WriteDecision.WAIT_FOR_MEMORY;
	}

	/**
	 * A frame that is asked in order begins to wait, or goes after it has waited.
	 * @param waits whether it begins to wait
	 */
	final void waitsInOrder(boolean waits) {
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
			return WriteDecision.WAIT_FOR_MEMORY;
		}
		if (this.sent + size <= this.granted) {
			this.longFrames++;
			return WriteDecision.WRITE;
		}
		giveBackAsked();
		this.asked = size;
		send(FrameType.NEED, size);
		return WriteDecision.WAIT_FOR_MEMORY;
	}

	/** A frame goes while a long one, or this one, has asked. */
	final void sentWhileAsking(int size) {
		if (this.answered && size > ReceiveWindow.SHARE) {
			long rest = takeAsked() - size;
			if (rest > 0) { // in front of it: behind it others might go first
				this.sent += rest;
				this.queue.accept(new ControlFrame(FrameType.YIELD, 0, rest, OutboundFrame.NOTHING));
			}
		}
	}

	/**
	 * The other side grants more, or says again what it does.
	 * @param total bytes since the connection began
	 * @param answersNeed whether what was asked for is among them
	 */
	public final void raise(long total, boolean answersNeed) {
		this.granted = Math.max(this.granted, total);
		this.answered |= answersNeed && this.asked != 0;
		if (this.asked != 0) {
			settleAsked();
		}
	}

	final void settleAsked() {
		if (this.answered && !this.queue.waitsForMemory()) {
			giveBackAsked();
		}
	}

	private void giveBackAsked() {
		long rest = takeAsked();
		if (rest > 0) {
			giveBack(rest);
		}
	}

	/** Nobody has asked any more. Returns for how many bytes somebody had. */
	private long takeAsked() {
		long bytes = this.asked;
		this.asked = 0;
		this.answered = false;
		return bytes;
	}

	/** Nothing was sent for a while: give back all but the share of the connection. */
	public final void yieldUnused() {
		boolean idle = this.sent == this.sentAtLastLook && this.asked == 0 && !this.queue.waitsForGrant();
		if (idle && this.granted - this.sent > ReceiveWindow.SHARE) {
			giveBack(this.granted - this.sent - ReceiveWindow.SHARE);
		}
		this.sentAtLastLook = this.sent;
	}

	private void giveBack(long bytes) {
		this.sent += bytes;
		send(FrameType.YIELD, bytes);
	}

	private void send(int type, long bytes) {
		this.queue.enqueue(new ControlFrame(type, 0, bytes, OutboundFrame.NOTHING));
	}

	/**
	 * Whether the other side has been asked for memory and has not answered.
	 * @return true until it has
	 */
	public final boolean awaitsAnswer() {
		return this.asked != 0 && !this.answered;
	}

	/**
	 * Long frames that went though others waited or the grant was short.
	 * @return a number that grows
	 */
	public final long longFrames() {
		return this.longFrames;
	}

}
