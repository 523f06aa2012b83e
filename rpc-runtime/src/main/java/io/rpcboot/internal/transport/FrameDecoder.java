package io.rpcboot.internal.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.Preface;
import io.rpcboot.internal.protocol.ProtocolException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the frames in what was read, many per read, in place. Stop before: the wire; stop
 * after: client connection or server connection.
 * <p>
 * What was read is copied once, into an array of the event loop, and handed on in place;
 * who keeps a body copies it, so no small body pins a large buffer. A body that has not
 * arrived whole is read straight into an array of its own, which its handler may keep;
 * more than {@link FrameType#MAX_CONTROL_BODY} bytes only if the handler has granted
 * them.
 */
final class FrameDecoder extends ChannelInboundHandlerAdapter {

	private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

	private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

	private final int maxBody;

	/** Longest body of a frame of any type, in bytes. */
	private final int alwaysFits;

	/** Of the event loop, which is always the same. */
	private byte[] chunk = Frame.NOTHING;

	private final Connection connection;

	private final byte[] partial = new byte[FrameHeader.LENGTH];

	private int partialLength;

	private FrameHandler handler;

	private boolean prefaceSeen;

	private boolean headSeen;

	private boolean stopped;

	private int type;

	private int flags;

	private int code;

	private long callId;

	private int length;

	private byte @Nullable [] body;

	private int filled;

	/** When the body began, as {@link System#nanoTime()}. */
	private long bodyNanos;

	/** The frame before had an array of its own, so the next is likely to need one. */
	private boolean afterOwnBody;

	private @Nullable Throwable cause;

	private boolean opened;

	private boolean active;

	FrameDecoder(int maxBody, Connection connection, FrameHandler handler) {
		this.maxBody = maxBody;
		this.alwaysFits = Math.min(maxBody, FrameType.MAX_CONTROL_BODY);
		this.connection = connection;
		this.handler = handler;
	}

	/** Whether anything arrived since this was asked last. Event loop. */
	boolean takeActivity() {
		boolean result = this.active;
		this.active = false;
		return result;
	}

	@Override
	public void handlerAdded(ChannelHandlerContext context) {
		this.chunk = EventLoopThread.chunk();
	}

	@Override
	public void channelActive(ChannelHandlerContext context) {
		this.opened = true;
		ByteBuf preface = context.alloc().directBuffer(Preface.LENGTH);
		Preface.write(preface);
		context.write(preface);
		this.handler.onOpen();
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		ByteBuf in = (ByteBuf) message;
		try {
			long now = System.nanoTime();
			this.handler.onRead(now);
			byte[] chunk = this.chunk;
			while (in.isReadable() && !this.stopped) {
				if (this.body != null) {
					readBody(in, this.body);
					continue;
				}
				int count = Math.min(this.afterOwnBody ? FrameHeader.LENGTH : chunk.length, in.readableBytes());
				in.readBytes(chunk, 0, count);
				for (int index = 0; index < count && !this.stopped;) {
					index = decode(chunk, index, count, now);
				}
			}
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
		finally {
			in.release();
		}
	}

	/** Returns the index behind what was taken. */
	private int decode(byte[] in, int index, int end, long now) {
		int needed = this.prefaceSeen ? FrameHeader.LENGTH : Preface.LENGTH;
		int next = index;
		if (this.partialLength == 0 && end - index >= needed) {
			next += needed;
			head(in, index);
		}
		else {
			int count = Math.min(needed - this.partialLength, end - index);
			System.arraycopy(in, index, this.partial, this.partialLength, count);
			this.partialLength += count;
			next += count;
			if (this.partialLength < needed) {
				return next;
			}
			this.partialLength = 0;
			head(this.partial, 0);
		}
		if (!this.headSeen) {
			return next;
		}
		this.headSeen = false;
		if (end - next >= this.length) {
			this.handler.onFrame(this.type, this.flags, this.code, this.callId, in, next, this.length);
			return next + this.length;
		}
		beginBody(in, next, end - next, now);
		return end;
	}

	/**
	 * A body that has not arrived whole: what has is copied, the rest is read into it.
	 */
	private void beginBody(byte[] in, int index, int count, long now) {
		if (this.length > FrameType.MAX_CONTROL_BODY && !this.handler.admits(this.type, this.callId, this.length)) {
			this.stopped = true;
			return;
		}
		byte[] target = new byte[this.length];
		System.arraycopy(in, index, target, 0, count);
		this.filled = count;
		this.bodyNanos = now;
		this.body = target;
	}

	private void readBody(ByteBuf in, byte[] target) {
		int count = Math.min(target.length - this.filled, in.readableBytes());
		in.readBytes(target, this.filled, count);
		this.filled += count;
		if (this.filled == target.length) {
			this.body = null;
			this.afterOwnBody = target.length > FrameType.MAX_CONTROL_BODY;
			this.handler.onBody(this.type, this.flags, this.code, this.callId, target);
		}
	}

	/**
	 * Whether a body is coming more slowly than it has to. Event loop.
	 * @param now as {@link System#nanoTime()}
	 * @param graceNanos time for which any rate will do
	 * @param bytesPerSecond least rate afterwards
	 */
	boolean isSlow(long now, long graceNanos, long bytesPerSecond) {
		double seconds = (now - this.bodyNanos - graceNanos) / 1e9;
		return isInBody() && this.filled < seconds * bytesPerSecond;
	}

	/** Whether a body over the size of control frames has begun. Event loop. */
	boolean isInBody() {
		return this.body != null && this.length > FrameType.MAX_CONTROL_BODY;
	}

	private void head(byte[] in, int index) {
		if (!this.prefaceSeen) {
			Preface.check(in, index);
			this.prefaceSeen = true;
			return;
		}
		this.length = (int) INT.get(in, index);
		int word = (int) INT.get(in, index + 4);
		this.type = word >>> 24;
		this.flags = (word >>> 16) & 0xff;
		this.code = word & 0xffff;
		this.callId = (long) LONG.get(in, index + 8);
		this.afterOwnBody &= this.length > FrameType.MAX_CONTROL_BODY;
		if (this.length < 0 || this.length > this.alwaysFits) {
			requireFits();
		}
		this.headSeen = true;
	}

	private void requireFits() {
		boolean granted = FrameType.needsGrant(this.type, this.flags);
		int limit = granted ? this.maxBody : FrameType.MAX_CONTROL_BODY;
		if (this.length < 0 || this.length > limit) {
			throw new ProtocolException("frame length: %d (expected: 0 to %d%s)".formatted(this.length & 0xffffffffL,
					limit, granted ? ", which is max-frame-size" : " for a control frame"));
		}
	}

	/** Nothing that follows is looked at. */
	private void fail(Throwable reason) {
		this.stopped = true;
		this.body = null;
		this.cause = reason;
		this.connection.close();
		EventLoops.closed(reason);
	}

	@Override
	public void channelReadComplete(ChannelHandlerContext context) {
		this.active = true;
		try {
			this.handler.onReadComplete();
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
	}

	@Override
	public void channelWritabilityChanged(ChannelHandlerContext context) {
		if (context.channel().isWritable()) {
			this.connection.queue().resume();
		}
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		this.body = null;
		try {
			this.connection.queue().end();
		}
		finally {
			if (this.opened) {
				this.opened = false;
				this.handler.onClosed(this.cause);
			}
		}
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable reason) {
		fail(reason);
	}

}
