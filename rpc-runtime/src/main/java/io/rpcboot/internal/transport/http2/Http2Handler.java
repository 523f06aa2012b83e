package io.rpcboot.internal.transport.http2;

import io.rpcboot.transport.Protocol;
import java.util.function.Function;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.protocol.http2.Http2FrameListener;
import io.rpcboot.internal.protocol.http2.Http2FrameReader;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.eventloop.LoopHeartbeat;
import io.rpcboot.internal.transport.eventloop.ResilientEventLoops;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of an HTTP/2 connection and reports its life to a {@link Listener}:
 * opening, failure, close. Event loop only.
 */
public final class Http2Handler extends ChannelInboundHandlerAdapter implements InboundHandler {

	/** Receives the frames and the life of a connection. Event loop only. */
	public interface Listener extends Http2FrameListener {

		/** Called when the connection is open, before any frame. */
		void onOpen();

		/**
		 * Called for each read, before its frames. May throw as the methods for frames.
		 * @param nanos time of the read, as {@link System#nanoTime()}
		 * @param gapNanos time for which the event loop stood still before it, else 0
		 */
		void onRead(long nanos, long gapNanos);

		/** Called when no bytes are left to read. */
		void onReadComplete();

		/**
		 * Called when the peer has violated the protocol; no frame follows. Sends GOAWAY
		 * and closes the connection.
		 */
		void onConnectionError(Http2Exception error);

		/**
		 * Called once after {@link #onOpen()}: the connection is closed.
		 * @param cause failure of this side, null without one
		 */
		void onClosed(@Nullable Throwable cause);

		/** Returns the long message that is arriving, null if there is none. */
		@Nullable InboundMessage inboundMessage();

	}

	private final Connection connection;

	private final Listener listener;

	private final Function<byte[], Http2FrameReader> readers;

	@SuppressWarnings("NullAway.Init")
	private Http2FrameReader reader;

	private LoopHeartbeat pulse = new LoopHeartbeat();

	private int reads;

	private @Nullable Throwable cause;

	private boolean opened;

	/**
	 * Creates a handler.
	 * @param listener receives the frames
	 * @param readers creates the reader of the frames with the array of an event loop
	 */
	public Http2Handler(Connection connection, Listener listener, Function<byte[], Http2FrameReader> readers) {
		this.connection = connection;
		this.listener = listener;
		this.readers = readers;
	}

	@Override
	public void handlerAdded(ChannelHandlerContext context) {
		this.reader = this.readers.apply(EventLoopThread.chunk());
		this.pulse = EventLoopThread.pulse();
	}

	@Override
	public void channelActive(ChannelHandlerContext context) {
		this.opened = true;
		this.listener.onOpen();
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		ByteBuf in = (ByteBuf) message;
		try {
			long now = System.nanoTime();
			long gap = now - this.pulse.beatNanos;
			this.listener.onRead(now, (gap > LoopHeartbeat.GAP_NANOS) ? gap : 0);
			this.reader.read(in);
		}
		catch (Http2Exception ex) {
			stop();
			this.listener.onConnectionError(ex);
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
		finally {
			in.release();
		}
	}

	/** Ignores all bytes that arrive from now on. */
	public void stop() {
		this.reader.stop();
	}

	@Override
	public void channelReadComplete(ChannelHandlerContext context) {
		this.reads++;
		try {
			this.listener.onReadComplete();
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
	}

	@Override
	public Protocol protocol() {
		return Protocol.GRPC;
	}

	@Override
	public int reads() {
		return this.reads;
	}

	@Override
	public boolean isInBody() {
		return this.listener.inboundMessage() != null;
	}

	@Override
	public long bodyBeganNanos() {
		InboundMessage message = this.listener.inboundMessage();
		return (message != null) ? message.beganNanos() : 0;
	}

	@Override
	public int bodyBytes() {
		InboundMessage message = this.listener.inboundMessage();
		return (message != null) ? message.filled() : 0;
	}

	/** Closes the connection; the rest of its input is ignored. */
	private void fail(Throwable reason) {
		this.reader.stop();
		this.cause = reason;
		this.connection.close();
		ResilientEventLoops.closed(reason);
	}

	@Override
	public void channelWritabilityChanged(ChannelHandlerContext context) {
		if (context.channel().isWritable()) {
			this.connection.queue().blocked.resume();
			this.connection.queue().pull();
		}
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		this.reader.stop();
		try {
			this.connection.queue().end();
		}
		finally {
			if (this.opened) {
				this.opened = false;
				this.listener.onClosed(this.cause);
			}
		}
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable reason) {
		fail(reason);
	}

}
