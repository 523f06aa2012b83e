package io.rpcboot.benchmarks.json;

import java.net.InetAddress;
import java.net.InetSocketAddress;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.rpcboot.benchmarks.system.BenchServer;

/**
 * An event loop for each processor. The second byte of a connection tells HTTP/2, whose
 * preface begins with PRI, from the POST of HTTP/1.1.
 */
final class NettyHttpServer implements BenchServer {

	private static final int MAX_BODY = 64 * 1024;

	private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(Runtime.getRuntime().availableProcessors(),
			Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());

	private final JsonCalls calls = new JsonCalls();

	private final Channel channel;

	NettyHttpServer() throws InterruptedException {
		this.channel = new ServerBootstrap().group(this.loops)
			.channel(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
			.childOption(ChannelOption.TCP_NODELAY, true)
			.childHandler(new ChannelInitializer<Channel>() {
				@Override
				protected void initChannel(Channel accepted) {
					accepted.pipeline().addLast(new Choice());
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
		this.loops.shutdownGracefully();
	}

	/**
	 * Looks at the first bytes, which come in one read from the tools of this comparison.
	 */
	private final class Choice extends ChannelInboundHandlerAdapter {

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			ByteBuf first = (ByteBuf) message;
			if (first.getByte(first.readerIndex() + 1) == 'R') {
				context.pipeline()
					.addLast(Http2FrameCodecBuilder.forServer().build(), new Http2Calls(NettyHttpServer.this.calls));
			}
			else {
				context.pipeline()
					.addLast(new HttpServerCodec(), new HttpObjectAggregator(MAX_BODY),
							new Http1Calls(NettyHttpServer.this.calls));
			}
			context.fireChannelRead(message);
			context.pipeline().remove(this);
		}

	}

}
