package io.rpcboot.internal.client.connection.binary;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;

/**
 * REQUEST or ONE_WAY frame of a call. The connection is that of the call: it does not
 * change before the frame was written or skipped, unless the call has ended.
 */
final class BinaryRequest extends OutboundFrame {

	final ClientCall call;

	BinaryRequest(ClientCall call) {
		super(call.body);
		this.call = call;
		this.length = call.length;
		this.large = call.large;
	}

	/** Adopts the body of the call, which has changed. */
	void adoptBody() {
		holds(this.call.body, this.call.length, this.call.large);
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		return (this.call.connection instanceof BinaryClientConnection connection) ? connection.admit(this, writable)
				: WriteDecision.SKIP;
	}

	@Override
	public int headerLength() {
		return FrameHeader.LENGTH + FrameHeader.DEADLINE_LENGTH;
	}

	@Override
	public void writeHeader(ByteBuf out) {
		int flags = FrameHeader.FLAG_DEADLINE | (isLastGranted() ? FrameHeader.FLAG_LAST_GRANTED : 0)
				| ((this.call.context != null && this.call.context.attachments().length > 0)
						? FrameHeader.FLAG_ATTACHMENTS : 0);
		FrameHeader.write(out, FrameHeader.DEADLINE_LENGTH + this.length,
				this.call.isOneWay() ? FrameType.ONE_WAY : FrameType.REQUEST, flags, this.call.method.number,
				this.call.id());
		out.writeInt(this.call.remainingMillis);
	}

	private boolean isLastGranted() {
		return this.call.connection instanceof BinaryClientConnection connection
				&& this.call.id() == connection.grantedCalls;
	}

	@Override
	public boolean isAbandoned() {
		return this.call.isAbandoned();
	}

	@Override
	public long startedNanos() {
		return this.call.startNanos;
	}

	@Override
	public boolean wantsWriteResult() {
		return this.call.isOneWay();
	}

	@Override
	public void onWriteComplete(boolean written) {
		if (this.call.connection instanceof BinaryClientConnection connection) {
			connection.oneWayWritten(this.call, written);
		}
	}

	@Override
	public void onRejected() {
		this.call.lostConnection();
	}

	@Override
	public String toString() {
		return "request of " + this.call.method.descriptor;
	}

}
