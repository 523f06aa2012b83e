package io.rpcboot.client;

import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.Admission;
import io.rpcboot.internal.transport.Frame;

/** Takes a call out of the table and tells the server, if it was still in it. */
final class CancelFrame extends Frame {

	private final ClientConnection connection;

	private final ClientCall call;

	CancelFrame(ClientConnection connection, ClientCall call) {
		super(FrameType.CANCEL);
		this.connection = connection;
		this.call = call;
	}

	@Override
	protected Admission begin(boolean writable) {
		if (!this.connection.isPending(this.call)) {
			return Admission.SKIP;
		}
		if (!writable) {
			return Admission.HOLD;
		}
		this.callId = this.call.id();
		this.connection.remove(this.call);
		return Admission.WRITE;
	}

	@Override
	protected void rejected() {
	}

}
