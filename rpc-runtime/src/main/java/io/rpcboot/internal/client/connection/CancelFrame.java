package io.rpcboot.internal.client.connection;

import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;

/** Takes a call out of the table and tells the server, if it was still in it. */
final class CancelFrame extends OutboundFrame {

	private final ConnectionDrain ends;

	private final ClientCall call;

	CancelFrame(ConnectionDrain ends, ClientCall call) {
		super(FrameType.CANCEL);
		this.ends = ends;
		this.call = call;
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		if (!this.ends.isPending(this.call)) {
			return WriteDecision.SKIP;
		}
		if (!writable) {
			return WriteDecision.HOLD;
		}
		this.callId = this.call.id();
		this.ends.remove(this.call);
		return WriteDecision.WRITE;
	}

	@Override
	public void onRejected() {
	}

}
