package io.rpcboot.internal.transport;

/**
 * Counts what this side of a connection may send and has sent, in bytes: totals since the
 * connection began, which only rise. Stands beside client connection and server
 * connection. Event loop only, but for what is read for people.
 * <p>
 * A frame goes if {@code sent + size <= granted}. The first that does not go asks for
 * what it needs ({@link GrantRequests}), and those behind it wait for it, so that small
 * frames never use up what a large one waits for.
 */
public final class OutgoingGrant extends GrantRequests {

	/**
	 * Create a grant of nothing.
	 * @param queue where NEED and YIELD go
	 */
	public OutgoingGrant(WriteQueue queue) {
		super(queue);
	}

	/**
	 * Whether a frame may go. If not, it has asked for what it needs or another has.
	 * @param frame the frame
	 * @param size length of its body
	 * @return true if it may; {@link #sent} follows if it does
	 */
	public boolean admits(Frame frame, int size) {
		if (this.first == null || this.first == frame || this.queue.isNextForGrant(frame)) {
			if (this.sent + size <= this.granted) {
				return true;
			}
			need(frame, this.sent + size);
		}
		return false;
	}

	/**
	 * A frame that was admitted goes.
	 * @param size length of its body
	 */
	public void sent(int size) {
		this.first = null;
		this.sent += size;
	}

	/** Give back what was asked for and granted, if nothing waits any more. */
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
