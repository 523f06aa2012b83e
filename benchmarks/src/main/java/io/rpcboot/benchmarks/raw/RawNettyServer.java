package io.rpcboot.benchmarks.raw;

import java.net.InetAddress;
import java.net.InetSocketAddress;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.rpcboot.benchmarks.system.BenchServer;
import org.jspecify.annotations.Nullable;

/**
 * Echoes on its one event loop: the answers to everything read in one go leave in one
 * buffer.
 */
final class RawNettyServer implements BenchServer {

	private static final int INITIAL_BATCH = 64 * 1024;

	private final RawNettyTransport transport = new RawNettyTransport();

	private final Channel channel;

	RawNettyServer() throws InterruptedException {
		this.channel = new ServerBootstrap().group(this.transport.loop)
			.channel(RawNettyTransport.serverChannel())
			.childOption(ChannelOption.TCP_NODELAY, true)
			.childOption(ChannelOption.ALLOCATOR, RawNettyTransport.ALLOCATOR)
			.childOption(ChannelOption.RECVBUF_ALLOCATOR, RawNettyTransport.receiveBuffers())
			.childHandler(new ChannelInitializer<Channel>() {
				@Override
				protected void initChannel(Channel accepted) {
					accepted.pipeline().addLast(new Echo());
				}
			})
			.bind(InetAddress.getLoopbackAddress(), 0)
			.sync()
			.channel();
	}

	@Override
	public int port() {
		return ((InetSocketAddress) this.channel.localAddress()).getPort();
	}

	@Override
	public void close() {
		this.channel.close();
		this.transport.close();
	}

	private static final class Echo extends RawFrameDecoder {

		private @Nullable ByteBuf batch;

		@Override
		void frame(ByteBuf in, int index, int length) {
			ByteBuf out = this.batch;
			if (out == null) {
				out = RawNettyTransport.ALLOCATOR.directBuffer(INITIAL_BATCH);
				this.batch = out;
			}
			out.writeBytes(in, index, HEADER + length);
		}

		@Override
		public void channelReadComplete(ChannelHandlerContext context) {
			ByteBuf out = this.batch;
			if (out != null) {
				this.batch = null;
				context.writeAndFlush(out, context.voidPromise());
			}
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			super.channelInactive(context);
			if (this.batch != null) {
				this.batch.release();
				this.batch = null;
			}
		}

	}

}
