package io.rpcboot.benchmarks.json;

import java.io.IOException;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * Calls of one connection: answers leave at the end of a read, a failure closes it.
 */
abstract class HttpCalls extends ChannelInboundHandlerAdapter {

	final JsonCalls calls;

	HttpCalls(JsonCalls calls) {
		this.calls = calls;
	}

	/** Takes a message, which is released afterwards. */
	abstract void read(ChannelHandlerContext context, Object message) throws IOException;

	@Override
	public final void channelRead(ChannelHandlerContext context, Object message) throws IOException {
		try {
			read(context, message);
		}
		finally {
			ReferenceCountUtil.release(message);
		}
	}

	@Override
	public final void channelReadComplete(ChannelHandlerContext context) {
		context.flush();
	}

	@Override
	public final void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
		failure.printStackTrace();
		context.close();
	}

}
