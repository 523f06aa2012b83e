package io.rpcboot.internal.transport;

import io.rpcboot.internal.memory.IncomingGrant;
import io.rpcboot.internal.protocol.FrameType;
import org.jspecify.annotations.Nullable;

/**
 * Asks the other side of a connection for a higher grant (NEED), and gives back what was
 * granted and is no longer wanted (YIELD). Stands beside outgoing grant, which counts
 * what is sent. Event loop only, but for what is read for people.
 */
abstract class GrantRequests {

	final WriteQueue queue;

	long granted;

	long sent;

	/** The largest total that was asked for and not settled, 0 for none. */
	long asked;

	/**
	 * The frame that has asked, before which no other goes but the one that waits for
	 * longest: another may have asked while that one waited for the socket.
	 */
	@Nullable Frame first;

	private long sentAtLastLook = -1;

	GrantRequests(WriteQueue queue) {
		this.queue = queue;
	}

	final void need(Frame frame, long total) {
		this.first = frame;
		if (total > this.asked) {
			this.asked = total;
			this.queue.enqueue(new ControlFrame(FrameType.NEED, 0, total, Frame.NOTHING));
		}
	}

	/**
	 * A frame will never go.
	 * @param frame may have asked
	 */
	public final void gone(Frame frame) {
		if (this.first == frame) {
			this.first = null;
		}
	}

	/**
	 * Whether others wait for a frame.
	 * @param frame the frame
	 * @return whether it has asked for more than was granted
	 */
	public final boolean isFirst(Frame frame) {
		return this.first == frame;
	}

	/**
	 * The other side grants more, or says again what it does.
	 * @param total bytes since the connection began
	 */
	public final void raise(long total) {
		this.granted = Math.max(this.granted, total);
		if (this.asked != 0) {
			settleAsked();
		}
	}

	/** What was asked for may be granted: give it back if nothing waits any more. */
	final void settleAsked() {
		if (this.granted < this.asked || this.queue.waitsForGrant()) {
			return;
		}
		if (this.sent < this.asked) {
			giveBack(this.asked);
		}
		this.asked = 0;
	}

	/** Nothing was sent for a while: give back all but the share of the connection. */
	public final void yieldUnused() {
		boolean idle = this.sent == this.sentAtLastLook && this.asked == 0 && !this.queue.waitsForGrant();
		if (idle && this.granted - this.sent > IncomingGrant.SHARE) {
			giveBack(this.granted - IncomingGrant.SHARE);
		}
		this.sentAtLastLook = this.sent;
	}

	private void giveBack(long total) {
		this.sent = total;
		this.queue.enqueue(new ControlFrame(FrameType.YIELD, 0, total, Frame.NOTHING));
	}

}
