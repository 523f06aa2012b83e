package io.rpcboot.internal.transport.http2;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.protocol.http2.Http2FrameWriter;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import org.jspecify.annotations.Nullable;

/** A frame of HTTP/2 beside HEADERS and DATA, which needs no window. */
final class Http2ControlFrame extends OutboundFrame {

	private final Http2FrameWriter writer;

	private final Http2Output.Encoder encoder;

	private final @Nullable Runnable afterwards;

	/**
	 * Creates a frame.
	 * @param encoder writes the frame
	 * @param afterwards run after the write or the rejection, null for nothing
	 */
	Http2ControlFrame(Http2FrameWriter writer, Http2Output.Encoder encoder, @Nullable Runnable afterwards) {
		super(NOTHING);
		this.writer = writer;
		this.encoder = encoder;
		this.afterwards = afterwards;
	}

	@Override
	public void writeHeader(ByteBuf out) {
		this.encoder.encode(this.writer, out);
	}

	@Override
	public boolean isUrgent() {
		return true;
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		return writable ? WriteDecision.WRITE : WriteDecision.BLOCKED_BY_SOCKET;
	}

	@Override
	public boolean wantsWriteResult() {
		return this.afterwards != null;
	}

	@Override
	public void onWriteComplete(boolean written) {
		if (this.afterwards != null) {
			this.afterwards.run();
		}
	}

	@Override
	public void onRejected() {
		onWriteComplete(false);
	}

	@Override
	public String toString() {
		return "control frame";
	}

}
