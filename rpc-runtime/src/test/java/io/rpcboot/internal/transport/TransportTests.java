package io.rpcboot.internal.transport;

import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketChannelConfig;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.rpcboot.Endpoint;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.internal.transport.eventloop.TransportType;
import io.rpcboot.internal.transport.frame.BodyAllocator;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.SocketOptions;
import io.rpcboot.transport.SocketOptions.Allocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class TransportTests {

	private final NioSocketChannel channel = new NioSocketChannel();

	@AfterEach
	void close() {
		this.channel.unsafe().closeForcibly();
	}

	@Test
	void socketOptions_areAppliedToSocket() {
		configure(SocketOptions.defaults()
			.withTcpNoDelay(false)
			.withSendBuffer(20_000)
			.withReceiveBuffer(30_000)
			.withBacklog(1)
			.withWaterMarks(3000, 4000));
		SocketChannelConfig config = this.channel.config();
		assertThat(config.isTcpNoDelay()).isFalse();
		assertThat(config.isKeepAlive()).isTrue();
		assertThat(config.getWriteBufferLowWaterMark()).isEqualTo(3000);
		assertThat(config.getWriteBufferHighWaterMark()).isEqualTo(4000);
		// Linux gives twice what is asked for
		assertThat(config.getSendBufferSize()).isIn(20_000, 40_000);
		assertThat(config.getReceiveBufferSize()).isIn(30_000, 60_000);
	}

	@Test
	void systemBufferSizes_areKept_withDefaults() {
		int send = this.channel.config().getSendBufferSize();
		int receive = this.channel.config().getReceiveBufferSize();
		configure(SocketOptions.defaults());
		assertThat(this.channel.config().getSendBufferSize()).isEqualTo(send);
		assertThat(this.channel.config().getReceiveBufferSize()).isEqualTo(receive);
		assertThat(this.channel.config().isTcpNoDelay()).isTrue();
	}

	@Test
	void configuredAllocator_isUsed() {
		assertThat(allocator(Allocator.POOLED)).isSameAs(PooledByteBufAllocator.DEFAULT);
		assertThat(allocator(Allocator.ADAPTIVE)).isInstanceOf(AdaptiveByteBufAllocator.class);
		assertThat(allocator(Allocator.UNPOOLED)).isSameAs(UnpooledByteBufAllocator.DEFAULT);
	}

	/** As when its host was looked up meanwhile. */
	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "localhost" })
	@Timeout(60)
	void connect_failsSilently_afterClose(String host) throws Exception {
		Transport transport = transport(SocketOptions.defaults());
		transport.anyLoop().submit(() -> {
		}).get(20, TimeUnit.SECONDS);
		transport.close();
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		try (LogRecorder log = new LogRecorder(Logger.ROOT_LOGGER_NAME)) {
			transport.connect(new Endpoint(host, 1), Duration.ofSeconds(1), null, BatchingOptions.defaults(),
					(opened) -> {
						throw new IllegalStateException("not reached");
					}, failure::complete);
			assertThat(failure.get(20, TimeUnit.SECONDS)).isInstanceOf(ClosedChannelException.class);
			assertThat(log.messages()).isEmpty();
		}
	}

	/** Options of a closed socket may reach another one that has its number. */
	@Test
	void pendingConnection_isClosed_whenTransportCloses() {
		Transport transport = transport(SocketOptions.defaults());
		EmbeddedChannel before = new EmbeddedChannel();
		assertThat(transport.admit(before)).isTrue();
		transport.close();
		assertThat(before.isOpen()).isFalse();
		EmbeddedChannel after = new EmbeddedChannel();
		assertThat(transport.admit(after)).isFalse();
		assertThat(after.isOpen()).isFalse();
	}

	private ByteBufAllocator allocator(Allocator allocator) {
		configure(SocketOptions.defaults().withBacklog(1).withWaterMarks(1, 1).withAllocator(allocator));
		return this.channel.alloc();
	}

	private void configure(SocketOptions socket) {
		apply(this.channel, socket, TransportType.NIO, Duration.ofSeconds(25));
	}

	private static void apply(Channel channel, SocketOptions socket, TransportType kind, Duration unanswered) {
		SocketConfigurer.apply(channel, socket, BodyAllocator.allocator(socket.allocator()), kind.userTimeout(),
				unanswered);
	}

	/** Sockets of the JDK and of in-process connections have no such option. */
	@Test
	void userTimeout_isApplied_whenTransportSupportsIt() {
		assumeTrue(Epoll.isAvailable());
		EpollSocketChannel epoll = new EpollSocketChannel();
		int before = epoll.config().getTcpUserTimeout();
		apply(epoll, SocketOptions.defaults(), TransportType.EPOLL, Duration.ZERO);
		assertThat(epoll.config().getTcpUserTimeout()).isEqualTo(before);
		apply(epoll, SocketOptions.defaults(), TransportType.EPOLL, Duration.ofSeconds(25));
		assertThat(epoll.config().getTcpUserTimeout()).isEqualTo(25_000);
		apply(epoll, SocketOptions.defaults(), TransportType.EPOLL, Duration.ofDays(365));
		assertThat(epoll.config().getTcpUserTimeout()).isEqualTo(Integer.MAX_VALUE);
		apply(epoll, SocketOptions.defaults(), TransportType.EPOLL, Duration.ofNanos(1));
		assertThat(epoll.config().getTcpUserTimeout()).as("0 is for ever").isOne();
		epoll.unsafe().closeForcibly();
		assertThat(TransportType.IO_URING.userTimeout()).isNotNull();
		assertThat(TransportType.NIO.userTimeout()).isNull();
		assertThat(TransportType.IN_PROCESS.userTimeout()).isNull();
	}

	private static Transport transport(SocketOptions socket) {
		EventLoopOptions loops = EventLoopOptions.defaults()
			.withTransport(EventLoopOptions.Transport.NIO)
			.withThreads(1);
		return new Transport("test", loops, socket, Duration.ZERO, null);
	}

}
