package io.rpcboot.internal.transport;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.rpcboot.transport.SocketOptions;

/** What each connection's socket is told. */
final class SocketSettings {

	/** A read of many small frames fits; a quiet connection holds 512 bytes. */
	private static final AdaptiveRecvByteBufAllocator READ_BUFFERS = new AdaptiveRecvByteBufAllocator(512, 16 * 1024,
			128 * 1024);

	private SocketSettings() {
	}

	static void apply(Channel channel, SocketOptions socket, ByteBufAllocator allocator) {
		channel.config().setOption(ChannelOption.ALLOCATOR, allocator);
		channel.config().setOption(ChannelOption.RECVBUF_ALLOCATOR, READ_BUFFERS);
		channel.config().setOption(ChannelOption.TCP_NODELAY, socket.tcpNoDelay());
		channel.config().setOption(ChannelOption.SO_KEEPALIVE, true);
		channel.config()
			.setOption(ChannelOption.WRITE_BUFFER_WATER_MARK,
					new WriteBufferWaterMark(socket.lowWaterMark(), socket.highWaterMark()));
		if (socket.sendBuffer() > 0) {
			channel.config().setOption(ChannelOption.SO_SNDBUF, socket.sendBuffer());
		}
		if (socket.receiveBuffer() > 0) {
			channel.config().setOption(ChannelOption.SO_RCVBUF, socket.receiveBuffer());
		}
	}

}
