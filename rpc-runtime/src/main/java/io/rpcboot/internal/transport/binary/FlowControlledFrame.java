package io.rpcboot.internal.transport.binary;

import io.rpcboot.internal.transport.frame.WriteDecision;

/** A control frame that may be long and needs the window. No later frame overtakes it. */
public final class FlowControlledFrame extends BinaryFrame {

	private final SendWindow window;

	/** True while it waits for the window. */
	private boolean waits;

	/**
	 * Creates a frame.
	 * @param window send window of the connection
	 * @param type its type
	 * @param code its code
	 * @param callId its call id
	 * @param body its body, not changed any more
	 */
	public FlowControlledFrame(SendWindow window, int type, int code, long callId, byte[] body) {
		super(type, body);
		this.code = (char) code;
		this.callId = callId;
		this.window = window;
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		if (!writable) {
			return WriteDecision.BLOCKED_BY_SOCKET;
		}
		WriteDecision decision = this.window.admitInOrder(this, this.length);
		boolean goes = decision == WriteDecision.WRITE;
		if (goes) {
			this.window.sent(this.length);
		}
		if (this.waits == goes) {
			this.waits = !goes;
			this.window.waitsInOrder(!goes);
		}
		return decision;
	}

	@Override
	public void onRejected() {
	}

}
