package io.rpcboot.benchmarks.raw;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Reads every whole frame where it lies in the read buffer; only the rest of a frame that
 * is cut is kept. A frame: length of the body (4 bytes), unused (4), call id (8), body.
 */
abstract class RawFrameDecoder extends ChannelInboundHandlerAdapter {

	static final int HEADER = 16;

	private static final int MAX_BODY = 1024 * 1024;

	private @Nullable ByteBuf rest;

	@Override
	public final void channelRead(ChannelHandlerContext context, Object message) {
		ByteBuf in = joined((ByteBuf) message);
		int index = in.readerIndex();
		int end = in.writerIndex();
		while (end - index >= HEADER) {
			int length = in.getInt(index);
			if (length < 0 || length > MAX_BODY) {
				context.close();
				index = end;
				break;
			}
			if (end - index - HEADER < length) {
				break;
			}
			frame(in, index, length);
			index += HEADER + length;
		}
		if (index < end) {
			this.rest = RawNettyTransport.ALLOCATOR.buffer(2 * (end - index)).writeBytes(in, index, end - index);
		}
		in.release();
	}

	/**
	 * A whole frame has come.
	 * @param in what holds it, not to be kept
	 * @param index where its header begins
	 * @param length of its body
	 */
	abstract void frame(ByteBuf in, int index, int length);

	private ByteBuf joined(ByteBuf read) {
		ByteBuf kept = this.rest;
		if (kept == null) {
			return read;
		}
		this.rest = null;
		kept.writeBytes(read);
		read.release();
		return kept;
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		if (this.rest != null) {
			this.rest.release();
			this.rest = null;
		}
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		cause.printStackTrace(System.err);
		context.close();
	}

}
