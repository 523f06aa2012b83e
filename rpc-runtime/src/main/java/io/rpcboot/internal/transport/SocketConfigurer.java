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

/** Applies the socket options to a connection. */
final class SocketConfigurer {

	/** Sizes of read buffers: 512 bytes for a quiet connection, up to 128 KB. */
	private static final AdaptiveRecvByteBufAllocator READ_BUFFERS = new AdaptiveRecvByteBufAllocator(512, 16 * 1024,
			128 * 1024);

	private SocketConfigurer() {
	}

	/**
	 * Applies the options.
	 * @param userTimeout option TCP_USER_TIMEOUT, null if the transport has none
	 * @param unanswered longest time without an acknowledgement of sent bytes, 0 for the
	 * default of the system
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
