package io.rpcboot.benchmarks.raw;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies of any size, each into a new array of its length: the bytes go from the
 * read buffer to their place, whether a body comes in one read or in hundreds. Writes
 * through a {@link RawPayloadWriter}. A frame: length of the body (4 bytes), call id (8),
 * body.
 */
abstract class RawPayloadHandler extends ChannelInboundHandlerAdapter {

	static final int HEADER = 12;

	private static final int MAX_BODY = 16 * 1024 * 1024;

	/** A header that is cut by the end of a read. */
	private final ByteBuf cutHeader = Unpooled.buffer(HEADER);

	private byte @Nullable [] body;

	private int filled;

	private long id;

	private @Nullable RawPayloadWriter writer;

	@Override
	public void channelActive(ChannelHandlerContext context) {
		this.writer = new RawPayloadWriter(context);
	}

	/** What writes to this connection, on its event loop only. */
	final RawPayloadWriter writer() {
		RawPayloadWriter active = this.writer;
		if (active == null) {
			throw new IllegalStateException("not connected");
		}
		return active;
	}

	@Override
	public final void channelRead(ChannelHandlerContext context, Object message) {
		ByteBuf in = (ByteBuf) message;
		try {
			while (in.isReadable()) {
				byte[] target = this.body;
				if (target == null) {
					readHeader(in);
				}
				else {
					readBody(in, target);
				}
			}
		}
		finally {
			in.release();
		}
	}

	private void readHeader(ByteBuf in) {
		if (!this.cutHeader.isReadable() && in.readableBytes() >= HEADER) {
			begin(in.readInt(), in.readLong());
			return;
		}
		this.cutHeader.writeBytes(in, Math.min(HEADER - this.cutHeader.readableBytes(), in.readableBytes()));
		if (this.cutHeader.readableBytes() == HEADER) {
			begin(this.cutHeader.readInt(), this.cutHeader.readLong());
			this.cutHeader.clear();
		}
	}

	private void begin(int length, long callId) {
		if (length < 1 || length > MAX_BODY) {
			throw new IllegalStateException("body: " + length + " bytes (expected: 1 to " + MAX_BODY + ")");
		}
		this.body = new byte[length];
		this.filled = 0;
		this.id = callId;
	}

	private void readBody(ByteBuf in, byte[] target) {
		int count = Math.min(target.length - this.filled, in.readableBytes());
		in.readBytes(target, this.filled, count);
		this.filled += count;
		if (this.filled == target.length) {
			this.body = null;
			frame(this.id, target);
		}
	}

	/**
	 * A whole frame has come.
	 * @param callId of the call
	 * @param bytes its body, which the handler does not touch again
	 */
	abstract void frame(long callId, byte[] bytes);

	@Override
	public void channelWritabilityChanged(ChannelHandlerContext context) {
		writer().write();
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		cause.printStackTrace(System.err);
		context.close();
	}

}
