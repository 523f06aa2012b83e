package io.rpcboot.internal.transport.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.Preface;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.eventloop.LoopHeartbeat;
import io.rpcboot.internal.transport.eventloop.ResilientEventLoops;
import io.rpcboot.internal.transport.frame.InboundBody;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.write.WriteQueue;
import org.jspecify.annotations.Nullable;

/**
 * The life of a channel: its beginning, its failures, its end. Stands beside frame
 * decoder, which finds the frames meanwhile. Event loop only.
 */
abstract class FrameDecoderLifecycle extends ChannelInboundHandlerAdapter {

	private final int maxBody;

	private final WriteQueue queue;

	private final Runnable close;

	final FrameListener handler;

	/** Of the event loop, which is always the same. */
	byte[] chunk = OutboundFrame.NOTHING;

	LoopHeartbeat pulse = new LoopHeartbeat();

	/** Whether the connection failed, so that nothing is read any more. */
	boolean stopped;

	/** Reads that brought something; only the event loop counts. */
	int reads;

	/** As many as there were when {@link #takeActivity()} was asked last. */
	private int readsBefore;

	/** Of a header that has not arrived whole. */
	final byte[] partial = new byte[FrameHeader.LENGTH];

	/** Bytes of it that have arrived. */
	int partialLength;

	/** Of the current frame, as the four that follow. */
	int type;

	int flags;

	int code;

	long callId;

	/** Length of the body, in bytes. */
	int length;

	/** A body that has begun and not arrived whole. */
	@Nullable InboundBody body;

	/** Where a long value lies in the next body, see {@link FrameType#PLACE}; else 0. */
	long place;

	private @Nullable Throwable cause;

	private boolean opened;

	FrameDecoderLifecycle(int maxBody, WriteQueue queue, Runnable close, FrameListener handler) {
		this.maxBody = maxBody;
		this.queue = queue;
		this.close = close;
		this.handler = handler;
	}

	/** A header does not arrive whole. Returns how many bytes were taken. */
	final int addPartial(byte[] in, int index, int count) {
		System.arraycopy(in, index, this.partial, this.partialLength, count);
		this.partialLength += count;
		return count;
	}

	/** A long value lies in the body of the next frame. Returns false: it is no frame. */
	final boolean place() {
		if (this.length != 0) {
			throw new ProtocolException("PLACE with a body of %d bytes".formatted(this.length & 0xffffffffL));
		}
		this.place = this.callId;
		return false;
	}

	/**
	 * A body that has not arrived whole, or has a value of its own: what has arrived is
	 * copied, the rest is read into it. Returns how many bytes were taken.
	 */
	final int beginBody(byte[] in, int index, int count, long now) {
		long valuePlace = this.place;
		this.place = 0;
		if (valuePlace != 0) {
			InboundBody.require(valuePlace, this.type, this.length);
		}
		if (this.length > FrameType.MAX_CONTROL_BODY && !this.handler.admits(this.type, this.callId, this.length)) {
			this.stopped = true;
			return count;
		}
		int taken = Math.min(count, this.length);
		InboundBody begun = InboundBody.begin(this.type, this.length, valuePlace, now);
		this.body = begun;
		readBody(Unpooled.wrappedBuffer(in, index, taken), begun);
		return taken;
	}

	final void readBody(ByteBuf in, InboundBody begun) {
		begun.take(in);
		if (begun.isWhole()) {
			this.body = null;
			this.handler.onBody(this.type, this.flags, this.code, this.callId, begun);
		}
	}

	/** Whether anything arrived since this was asked last. Event loop. */
	final boolean takeActivity() {
		boolean result = this.reads != this.readsBefore;
		this.readsBefore = this.reads;
		return result;
	}

	@Override
	public final void handlerAdded(ChannelHandlerContext context) {
		this.chunk = EventLoopThread.chunk();
		this.pulse = EventLoopThread.pulse();
	}

	@Override
	public final void channelActive(ChannelHandlerContext context) {
		this.opened = true;
		ByteBuf preface = context.alloc().directBuffer(Preface.LENGTH);
		Preface.write(preface);
		context.write(preface);
		this.handler.onOpen();
	}

	/** Refuse a frame that is too long for its type. */
	final void requireFits() {
		boolean granted = FrameType.needsGrant(this.type, this.flags);
		int limit = granted ? this.maxBody : FrameType.MAX_CONTROL_BODY;
		if (this.length < 0 || this.length > limit) {
			throw new ProtocolException("frame length: %d (expected: 0 to %d%s)".formatted(this.length & 0xffffffffL,
					limit, granted ? ", which is max-frame-size" : " for a control frame"));
		}
	}

	/**
	 * Whether a body is coming more slowly than it has to. Event loop.
	 * @param now as {@link System#nanoTime()}
	 * @param graceNanos time for which any rate will do
	 * @param bytesPerSecond least rate afterwards
	 */
	final boolean isSlow(long now, long graceNanos, long bytesPerSecond) {
		InboundBody begun = this.body;
		return begun != null && isInBody()
				&& begun.filled() < (now - begun.beganNanos - graceNanos) / 1e9 * bytesPerSecond;
	}

	/** Whether a body over the size of control frames has begun. Event loop. */
	final boolean isInBody() {
		return this.body != null && this.length > FrameType.MAX_CONTROL_BODY;
	}

	/** Nothing that follows is looked at. */
	final void fail(Throwable reason) {
		this.stopped = true;
		this.body = null;
		this.cause = reason;
		this.close.run();
		ResilientEventLoops.closed(reason);
	}

	@Override
	public final void channelWritabilityChanged(ChannelHandlerContext context) {
		if (context.channel().isWritable()) {
			this.queue.resume();
			this.queue.pull();
		}
	}

	@Override
	public final void channelInactive(ChannelHandlerContext context) {
		this.body = null;
		try {
			this.queue.end();
		}
		finally {
			if (this.opened) {
				this.opened = false;
				this.handler.onClosed(this.cause);
			}
		}
	}

	@Override
	public final void exceptionCaught(ChannelHandlerContext context, Throwable reason) {
		fail(reason);
	}

}
