package io.rpcboot.internal.transport.flow;

import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.WriteQueue;

/**
 * Counts what this side of a connection may send and has sent, in bytes: totals since the
 * connection began, which only rise. Stands beside client connection and server
 * connection. Event loop only, but for what is read for people.
 * <p>
 * A frame goes if {@code sent + size <= granted}, and if no other of its kind waits: long
 * ones, over {@link ReceiveWindow#SHARE}, ask for memory of their own and let short ones
 * pass meanwhile ({@link SendWindowRequests}).
 */
public final class SendWindow extends SendWindowRequests {

	/**
	 * Create a grant of nothing.
	 * @param queue where NEED and YIELD go
	 */
	public SendWindow(WriteQueue queue) {
		super(queue);
	}

	/**
	 * Whether a frame may go. If not, it has asked for what it needs or another has.
	 * @param frame the frame
	 * @param size length of its body
	 * @return WRITE if it may, and {@link #sent} follows then; else how it waits
	 */
	public WriteDecision admit(OutboundFrame frame, int size) {
		if (this.asked == 0 && !this.queue.hasBacklog && this.sent + size <= this.granted) {
			return WriteDecision.WRITE;
		}
		return admitInTurn(frame, size);
	}

	/**
	 * A frame that was admitted goes.
	 * @param size length of its body
	 */
	public void sent(int size) {
		this.sent += size;
		if (this.asked != 0) {
			sentWhileAsking(size);
		}
	}

	/**
	 * Calls that are left to the long one that waits for memory: it must not wait for
	 * another grant when it has that.
	 * @param size length of the body of the call that is to go
	 * @return 1 while a long one waits that has asked, and this one is short; else 0
	 */
	public int callsKept(int size) {
		return (this.asked != 0 && size <= ReceiveWindow.SHARE && this.queue.waitsForMemory()) ? 1 : 0;
	}

	/** Give back what was asked for and granted, if nothing waits for it any more. */
	public void settle() {
		if (this.asked != 0) {
			settleAsked();
		}
	}

	/**
	 * The total that may be sent.
	 * @return bytes
	 */
	public long granted() {
		return this.granted;
	}

	/**
	 * The total that was sent.
	 * @return bytes
	 */
	public long sent() {
		return this.sent;
	}

}
