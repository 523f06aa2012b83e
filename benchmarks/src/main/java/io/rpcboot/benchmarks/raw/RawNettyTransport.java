package io.rpcboot.benchmarks.raw;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * One event loop on epoll where it works, else on NIO, as the other systems choose by
 * themselves.
 */
final class RawNettyTransport implements AutoCloseable {

	static final PooledByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;

	private static final boolean EPOLL = Epoll.isAvailable();

	final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, ioHandler());

	static RecvByteBufAllocator receiveBuffers() {
		return new AdaptiveRecvByteBufAllocator(512, 16 * 1024, 128 * 1024);
	}

	/** For bodies of which one read cannot hold all. */
	static RecvByteBufAllocator payloadBuffers() {
		return new AdaptiveRecvByteBufAllocator(512, 64 * 1024, 256 * 1024);
	}

	static Class<? extends ServerChannel> serverChannel() {
		return EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
	}

	static Class<? extends Channel> clientChannel() {
		return EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;
	}

	private static IoHandlerFactory ioHandler() {
		return EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
	}

	@Override
	public void close() {
		this.loop.shutdownGracefully();
	}

}
