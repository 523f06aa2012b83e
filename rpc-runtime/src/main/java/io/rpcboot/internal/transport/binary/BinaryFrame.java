package io.rpcboot.internal.transport.binary;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.transport.frame.OutboundFrame;

/** A frame of the native protocol: the fields of {@link FrameHeader}, and a body. */
public abstract class BinaryFrame extends OutboundFrame {

	public final byte type;

	public short flags;

	public char code;

	/** Time until the deadline; written if the flags have a deadline. */
	public int remainingMillis;

	protected BinaryFrame(int type, byte[] body) {
		super(body);
		this.type = (byte) type;
	}

	@Override
	public final int headerLength() {
		return FrameHeader.LENGTH + deadlineLength();
	}

	private int deadlineLength() {
		return ((this.flags & FrameHeader.FLAG_DEADLINE) != 0) ? FrameHeader.DEADLINE_LENGTH : 0;
	}

	@Override
	public final void writeHeader(ByteBuf out) {
		int deadline = deadlineLength();
		FrameHeader.write(out, deadline + this.length, this.type, this.flags, this.code, this.callId);
		if (deadline > 0) {
			out.writeInt(this.remainingMillis);
		}
	}

	@Override
	public final boolean isUrgent() {
		return !FrameType.isCall(this.type);
	}

	@Override
	public String toString() {
		return "frame of type " + this.type;
	}

}
