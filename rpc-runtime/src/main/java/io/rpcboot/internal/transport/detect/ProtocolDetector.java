package io.rpcboot.internal.transport.detect;

import java.util.Objects;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.rpcboot.internal.net.ClientNetwork;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.eventloop.ResilientEventLoops;
import io.rpcboot.internal.transport.tls.TlsContext;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * First handler of an accepted connection. Reads the first four bytes, installs the
 * protocol that they belong to, hands all bytes to it and removes itself. If the bytes
 * are TLS, reads the first four decrypted ones instead, and nothing while the handshake
 * waits for its place. Event loop only.
 */
public final class ProtocolDetector extends ChannelInboundHandlerAdapter implements InboundHandler {

	/** Number of bytes that tell the protocols apart. */
	private static final int LENGTH = 4;

	/** First two bytes of a TLS record of a handshake: its type and the major version. */
	private static final int TLS_HANDSHAKE = 0x1603;

	/** Decides about a connection whose protocol is not known. Event loop only. */
	public interface Listener {

		/** Called when the connection is open. */
		void onOpen();

		/**
		 * Called for the first bytes of the client.
		 * @param first the first four bytes, big-endian
		 * @return the handler of the protocol; null to ignore all bytes, because this
		 * listener closes the connection
		 */
		@Nullable InboundHandler onDetected(int first);

		/**
		 * Called for the first bytes of a client that speaks TLS.
		 * @return decrypts all bytes; null to ignore them, because this listener closes
		 * the connection
		 */
		@Nullable TlsContext onTls();

		/**
		 * Called once if the TLS handshake fails; the connection is closed then.
		 * @param why the reason
		 */
		void onTlsFailed(String why);

		/**
		 * Called once after {@link #onOpen()} if the connection is closed before
		 * {@link #onDetected} has returned a handler.
		 */
		void onClosed();

	}

	private final Connection connection;

	private final Listener listener;

	/** First bytes, while there are fewer than four. */
	private final byte[] first = new byte[LENGTH];

	/** Number of these bytes. */
	private int length;

	private int reads;

	private boolean opened;

	/** True after a failure or without a protocol; nothing is read any more. */
	private boolean stopped;

	/** True if the bytes are decrypted. */
	private boolean encrypted;

	/** First bytes of a client whose TLS handshake waits for its place. */
	private @Nullable ByteBuf held;

	/**
	 * Creates a detector.
	 * @param listener knows the protocols
	 */
	public ProtocolDetector(Connection connection, Listener listener) {
		this.connection = connection;
		this.listener = listener;
		new NothingBlocked(connection.queue());
	}

	@Override
	public void channelActive(ChannelHandlerContext context) {
		this.opened = true;
		this.listener.onOpen();
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
		ByteBuf in = (ByteBuf) message;
		if (this.held != null) {
			this.held = Unpooled.wrappedBuffer(this.held, in);
			return;
		}
		InboundHandler handler = null;
		try {
			int before = this.length;
			int count = Math.min(LENGTH - before, in.readableBytes());
			in.getBytes(in.readerIndex(), this.first, before, count);
			this.length += count;
			if (!this.stopped && this.length == LENGTH) {
				this.stopped = true;
				int first = Unpooled.wrappedBuffer(this.first).readInt();
				if (first >>> 16 == TLS_HANDSHAKE && !this.encrypted) {
					decrypt(context, before, in.retain());
					return;
				}
				handler = this.listener.onDetected(first);
			}
			if (handler != null) {
				this.opened = false;
				install(context, handler, before, in.retain());
			}
		}
		finally {
			in.release();
		}
	}

	/** Decrypts all bytes, some of which were read before this read. */
	private void decrypt(ChannelHandlerContext context, int before, ByteBuf in) {
		TlsContext tls = this.listener.onTls();
		if (tls == null) {
			in.release();
			return;
		}
		this.held = (before > 0) ? Unpooled.wrappedBuffer(Unpooled.copiedBuffer(this.first, 0, before), in) : in;
		tls.accept(context.channel(), context.name(), ClientNetwork.of(this.connection.remote()), () -> begin(context),
				this.listener::onTlsFailed);
		if (this.held != null) {
			context.channel().config().setAutoRead(false);
		}
	}

	/** Hands the first bytes to TLS. */
	private void begin(ChannelHandlerContext context) {
		ByteBuf bytes = Objects.requireNonNull(this.held);
		this.held = null;
		this.encrypted = true;
		this.stopped = false;
		this.length = 0;
		context.pipeline().fireChannelRead(bytes).fireChannelReadComplete();
		context.channel().config().setAutoRead(true);
	}

	/** Replaces this handler, which had read some bytes before this read. */
	private void install(ChannelHandlerContext context, InboundHandler handler, int before, ByteBuf in)
			throws Exception {
		this.connection.speaks(handler);
		context.pipeline().replace(this, null, handler);
		ChannelHandlerContext next = context.pipeline().context(handler);
		handler.channelActive(next);
		if (before > 0) {
			handler.channelRead(next, Unpooled.copiedBuffer(this.first, 0, before));
		}
		handler.channelRead(next, in);
	}

	@Override
	public void channelReadComplete(ChannelHandlerContext context) {
		this.reads++;
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		this.connection.queue().end();
		ReferenceCountUtil.release(this.held);
		this.held = null;
		if (this.opened) {
			this.opened = false;
			this.listener.onClosed();
		}
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable reason) {
		this.stopped = true;
		this.connection.close();
		ResilientEventLoops.closed(reason);
	}

	@Override
	public @Nullable Protocol protocol() {
		return null;
	}

	@Override
	public int reads() {
		return this.reads;
	}

}
