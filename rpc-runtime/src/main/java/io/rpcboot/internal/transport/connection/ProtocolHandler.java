package io.rpcboot.internal.transport.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.eventloop.LoopHeartbeat;
import io.rpcboot.internal.transport.eventloop.ResilientEventLoops;
import org.jspecify.annotations.Nullable;

/**
 * Handler of one protocol: reads the bytes of a channel and reports its life to a
 * {@link Listener}. A subclass decodes the bytes. Event loop only.
 */
public abstract class ProtocolHandler extends ChannelInboundHandlerAdapter implements InboundHandler {

	/** Receives the life of a connection. Event loop only; must not block. */
	public interface Listener {

		/** Called when the connection is open, before any frame. */
		void onOpen();

		/**
		 * Called for each read, before its frames. May throw as the methods for frames.
		 * @param nanos time of the read, as {@link System#nanoTime()}
		 * @param gapNanos longest time that the bytes may have waited for a stalled event
		 * loop, 0 if it did not stall
		 */
		void onRead(long nanos, long gapNanos);

		/** Called at the end of a batch of frames, when there is nothing more to read. */
		void onReadComplete();

		/**
		 * Called once after {@link #onOpen()}, when the connection is closed and its
		 * write queue has ended.
		 * @param cause failure that closed the connection, null for a regular close
		 */
		void onClosed(@Nullable Throwable cause);

	}

	protected final Connection connection;

	private final Listener listener;

	private LoopHeartbeat pulse = new LoopHeartbeat();

	private int reads;

	private @Nullable Throwable cause;

	private boolean opened;

	protected ProtocolHandler(Connection connection, Listener listener) {
		this.connection = connection;
		this.listener = listener;
	}

	/**
	 * Takes the read buffer of the event loop, before the first read.
	 * @param chunk shared by all connections of the loop; holds nothing between reads
	 */
	protected abstract void begin(byte[] chunk);

	/** Writes what this side sends first. */
	protected void greet(ChannelHandlerContext context) {
	}

	/**
	 * Decodes bytes. An exception closes the connection, see {@link #failed}.
	 * @param in released by the caller
	 * @param nanos time of the read, as {@link System#nanoTime()}
	 */
	protected abstract void read(ByteBuf in, long nanos);

	/** Ignores all bytes that arrive from now on. Idempotent. */
	public abstract void stop();

	/** Ends the connection because of a failure of a read. */
	protected void failed(Throwable reason) {
		stop();
		this.cause = reason;
		this.connection.close();
		ResilientEventLoops.closed(reason);
	}

	@Override
	public final void handlerAdded(ChannelHandlerContext context) {
		begin(EventLoopThread.chunk());
		this.pulse = EventLoopThread.pulse();
	}

	@Override
	public final void channelActive(ChannelHandlerContext context) {
		this.opened = true;
		greet(context);
		this.listener.onOpen();
	}

	@Override
	public final void channelRead(ChannelHandlerContext context, Object message) {
		ByteBuf in = (ByteBuf) message;
		try {
			long now = System.nanoTime();
			long gap = now - this.pulse.beatNanos;
			this.listener.onRead(now, (gap > LoopHeartbeat.GAP_NANOS) ? gap : 0);
			read(in, now);
		}
		catch (RuntimeException | Error ex) {
			failed(ex);
		}
		finally {
			in.release();
		}
	}

	@Override
	public final void channelReadComplete(ChannelHandlerContext context) {
		this.reads++;
		try {
			this.listener.onReadComplete();
		}
		catch (RuntimeException | Error ex) {
			failed(ex);
		}
	}

	@Override
	public final int reads() {
		return this.reads;
	}

	@Override
	public final void channelWritabilityChanged(ChannelHandlerContext context) {
		if (context.channel().isWritable()) {
			this.connection.queue().blocked.resume();
			this.connection.queue().pull();
		}
	}

	@Override
	public final void channelInactive(ChannelHandlerContext context) {
		stop();
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
	public final void exceptionCaught(ChannelHandlerContext context, Throwable reason) {
		failed(reason);
	}

}
