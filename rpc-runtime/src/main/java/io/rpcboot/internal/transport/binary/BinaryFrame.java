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

	protected BinaryFrame(int type, byte[] body) {
		super(body);
		this.type = (byte) type;
	}

	@Override
	public int headerLength() {
		return FrameHeader.LENGTH;
	}

	@Override
	public void writeHeader(ByteBuf out) {
		FrameHeader.write(out, this.length, this.type, this.flags, this.code, this.callId);
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
