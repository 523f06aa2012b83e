package io.rpcboot.internal.transport;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.SocketOptions;
import org.jspecify.annotations.Nullable;

/** What each connection's socket is told. */
final class SocketConfigurer {

	/** A read of many small frames fits; a quiet connection holds 512 bytes. */
	private static final AdaptiveRecvByteBufAllocator READ_BUFFERS = new AdaptiveRecvByteBufAllocator(512, 16 * 1024,
			128 * 1024);

	private SocketConfigurer() {
	}

	/**
	 * Tell the socket of a connection.
	 * @param userTimeout an option of the transport, null if it has none
	 * @param unanswered how long the other side may acknowledge nothing of what was sent
	 * there, 0 for as long as the system allows
	 */
	static void apply(Channel channel, SocketOptions socket, ByteBufAllocator allocator,
			@Nullable ChannelOption<Integer> userTimeout, Duration unanswered) {
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
		if (userTimeout != null && !unanswered.isZero()) {
			long millis = TimeUnit.NANOSECONDS.toMillis(Options.nanos(unanswered));
			channel.config().setOption(userTimeout, (int) Math.max(1, Math.min(millis, Integer.MAX_VALUE)));
		}
	}

}
