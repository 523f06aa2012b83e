package io.rpcboot.benchmarks.tls;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLException;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.Promise;
import org.jspecify.annotations.Nullable;

/**
 * Connections to a server of HTTP/2 that make no call: each is there when the server has
 * sent its first bytes, and so has checked the certificate. No session is resumed.
 */
public final class IdleConnections implements AutoCloseable {

	/** Handshakes at the same time. */
	private static final int PARALLEL = 8;

	private static final long PATIENCE_SECONDS = 30;

	/** The preface, and SETTINGS without a setting: RFC 9113 section 3.4. */
	private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
		.getBytes(StandardCharsets.ISO_8859_1);

	private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

	private final Queue<Channel> channels = new ConcurrentLinkedQueue<>();

	private final int port;

	private final @Nullable SslContext context;

	/**
	 * Prepare.
	 * @param port of the server
	 * @param isTls whether it speaks TLS, with the certificates of this run
	 * @throws SSLException if TLS is not there
	 */
	public IdleConnections(int port, boolean isTls) throws SSLException {
		this.port = port;
		this.context = isTls ? context() : null;
	}

	private static SslContext context() throws SSLException {
		return SslContextBuilder.forClient()
			.sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
			.keyManager(TlsFiles.folder().resolve("cert.pem").toFile(), TlsFiles.folder().resolve("key.pem").toFile())
			.trustManager(TlsFiles.folder().resolve("ca.pem").toFile())
			.endpointIdentificationAlgorithm(null)
			.applicationProtocolConfig(new ApplicationProtocolConfig(ApplicationProtocolConfig.Protocol.ALPN,
					ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
					ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT, "h2"))
			.build();
	}

	/**
	 * Open connections and keep them.
	 * @param count how many
	 * @throws IllegalStateException if one fails
	 * @throws InterruptedException if this thread is interrupted
	 */
	public void open(int count) throws InterruptedException {
		connectAll(count, Long.MAX_VALUE, false);
	}

	/**
	 * Open connections one after another and close each at once.
	 * @param length how long
	 * @return how many
	 * @throws IllegalStateException if one fails
	 * @throws InterruptedException if this thread is interrupted
	 */
	public int openAndClose(Duration length) throws InterruptedException {
		return connectAll(Integer.MAX_VALUE, System.nanoTime() + length.toNanos(), true);
	}

	private int connectAll(int most, long endNanos, boolean closes) throws InterruptedException {
		Semaphore permits = new Semaphore(PARALLEL);
		AtomicInteger opened = new AtomicInteger();
		for (int i = 0; i < most && endNanos - System.nanoTime() > 0; i++) {
			permits.acquire();
			Promise<Channel> ready = connect();
			ready.addListener((done) -> {
				if (done.isSuccess()) {
					opened.incrementAndGet();
				}
				if (done.isSuccess() && closes) {
					ready.getNow().close();
				}
				permits.release();
			});
		}
		if (!permits.tryAcquire(PARALLEL, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
			throw new IllegalStateException("connections that are not there in " + PATIENCE_SECONDS + " s");
		}
		if (!closes && opened.get() < most) {
			throw new IllegalStateException("%d of %d connections".formatted(opened.get(), most));
		}
		return opened.get();
	}

	private Promise<Channel> connect() {
		Promise<Channel> ready = this.loops.next().newPromise();
		new Bootstrap().group(this.loops).channel(NioSocketChannel.class).handler(new ChannelInitializer<Channel>() {
			@Override
			protected void initChannel(Channel channel) {
				if (IdleConnections.this.context != null) {
					channel.pipeline().addLast(IdleConnections.this.context.newHandler(channel.alloc()));
				}
				channel.pipeline().addLast(new FirstBytes(ready));
			}
		}).connect("127.0.0.1", this.port).addListener((connected) -> {
			if (!connected.isSuccess()) {
				ready.tryFailure(connected.cause());
			}
		});
		return ready;
	}

	/** Sends the preface, and waits for that of the server. */
	private final class FirstBytes extends ChannelInboundHandlerAdapter {

		private final Promise<Channel> ready;

		private FirstBytes(Promise<Channel> ready) {
			this.ready = ready;
		}

		@Override
		public void channelActive(ChannelHandlerContext context) {
			IdleConnections.this.channels.add(context.channel());
			context.channel()
				.closeFuture()
				.addListener((closed) -> IdleConnections.this.channels.remove(context.channel()));
			context.writeAndFlush(Unpooled.wrappedBuffer(PREFACE));
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			((ByteBuf) message).release();
			this.ready.trySuccess(context.channel());
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			this.ready.tryFailure(new SSLException("closed before the first bytes"));
		}

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
			this.ready.tryFailure(cause);
			context.close();
		}

	}

	@Override
	public void close() {
		this.channels.forEach(Channel::close);
		try {
			this.loops.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS)
				.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ignored) {
			// ends with the process
		}
	}

}
