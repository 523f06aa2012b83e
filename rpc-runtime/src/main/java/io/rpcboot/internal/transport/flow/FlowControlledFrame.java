package io.rpcboot.internal.transport.flow;

import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;

/**
 * A frame of the protocol itself that may be long, so that it needs a grant of bytes.
 * Those enqueued after it do not pass it.
 */
public final class FlowControlledFrame extends OutboundFrame {

	private final SendWindow grant;

	/** Whether it waits for the grant. */
	private boolean waits;

	/**
	 * Create a frame.
	 * @param grant of the connection
	 * @param type its type
	 * @param code its code
	 * @param callId its call id
	 * @param body its body, not changed any more
	 */
	public FlowControlledFrame(SendWindow grant, int type, int code, long callId, byte[] body) {
		super(type, body);
		this.code = (char) code;
		this.callId = callId;
		this.grant = grant;
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		if (!writable) {
			return WriteDecision.HOLD;
		}
		WriteDecision admission = this.grant.admitInOrder(this, this.length);
		boolean goes = admission == WriteDecision.WRITE;
		if (goes) {
			this.grant.sent(this.length);
		}
		if (this.waits == goes) {
			this.waits = !goes;
			this.grant.waitsInOrder(!goes);
		}
		return admission;
	}

	@Override
	public void onRejected() {
	}

}
