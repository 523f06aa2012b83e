package io.rpcboot.internal.transport;

import io.rpcboot.internal.memory.IncomingGrant;
import io.rpcboot.internal.protocol.FrameType;
import org.jspecify.annotations.Nullable;

/**
 * What this side of a connection may send, in bytes: a total since the connection began,
 * which only rises. Stands beside client connection and server connection. Event loop
 * only, but for what is read for people.
 * <p>
 * A frame goes if {@code sent + size <= granted}. The first that does not go asks for
 * what it needs (NEED), and those behind it wait for it, so that small frames never use
 * up what a large one waits for. What was asked for and is no longer wanted is given back
 * (YIELD).
 */
public final class OutgoingGrant {

	private final WriteQueue queue;

	private long granted;

	private long sent;

	/** The largest total that was asked for and not settled, 0 for none. */
	private long asked;

	/** The frame that has asked, before which no other goes. */
	private @Nullable Frame first;

	private long sentAtLastLook = -1;

	/**
	 * Create a grant of nothing.
	 * @param queue where NEED and YIELD go
	 */
	public OutgoingGrant(WriteQueue queue) {
		this.queue = queue;
	}

	/**
	 * Whether a frame may go. If not, it has asked for what it needs or another has.
	 * @param frame the frame
	 * @param size length of its body
	 * @return true if it may; {@link #sent} follows if it does
	 */
	public boolean admits(Frame frame, int size) {
		if (this.first == null || this.first == frame) {
			if (this.sent + size <= this.granted) {
				return true;
			}
			need(frame, this.sent + size);
		}
		return false;
	}

	private void need(Frame frame, long total) {
		this.first = frame;
		if (total > this.asked) {
			this.asked = total;
			this.queue.enqueue(new ControlFrame(FrameType.NEED, 0, total, Frame.NOTHING));
		}
	}

	/**
	 * A frame that was admitted goes.
	 * @param size length of its body
	 */
	public void sent(int size) {
		this.first = null;
		this.sent += size;
	}

	/**
	 * A frame will never go.
	 * @param frame may have asked
	 */
	public void gone(Frame frame) {
		if (this.first == frame) {
			this.first = null;
		}
	}

	/**
	 * Whether others wait for a frame. Any thread may ask; the answer may be late.
	 * @param frame the frame
	 * @return whether it has asked for more than was granted
	 */
	public boolean isFirst(Frame frame) {
		return this.first == frame;
	}

	/**
	 * The other side grants more, or says again what it does.
	 * @param total bytes since the connection began
	 */
	public void raise(long total) {
		this.granted = Math.max(this.granted, total);
		settle();
	}

	/** Give back what was asked for and granted, if nothing waits any more. */
	public void settle() {
		if (this.asked == 0 || this.granted < this.asked || this.queue.waitsForGrant()) {
			return;
		}
		if (this.sent < this.asked) {
			giveBack(this.asked);
		}
		this.asked = 0;
	}

	/** Nothing was sent for a while: give back all but the share of the connection. */
	public void yieldUnused() {
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
