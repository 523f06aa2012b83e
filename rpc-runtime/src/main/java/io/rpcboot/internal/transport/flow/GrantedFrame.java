package io.rpcboot.internal.transport.flow;

import io.rpcboot.internal.transport.frame.Admission;
import io.rpcboot.internal.transport.frame.Frame;

/**
 * A frame of the protocol itself that may be long, so that it needs a grant of bytes.
 * Those enqueued after it do not pass it.
 */
public final class GrantedFrame extends Frame {

	private final OutgoingGrant grant;

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
	public GrantedFrame(OutgoingGrant grant, int type, int code, long callId, byte[] body) {
		super(type, body);
		this.code = (char) code;
		this.callId = callId;
		this.grant = grant;
	}

	@Override
	public Admission begin(boolean writable) {
		if (!writable) {
			return Admission.HOLD;
		}
		Admission admission = this.grant.admitInOrder(this, this.length);
		boolean goes = admission == Admission.WRITE;
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
	public void rejected() {
	}

}
