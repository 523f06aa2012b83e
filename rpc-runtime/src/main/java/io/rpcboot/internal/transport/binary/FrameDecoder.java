package io.rpcboot.internal.transport.binary;

import io.rpcboot.transport.Protocol;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Preface;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.eventloop.LoopHeartbeat;
import io.rpcboot.internal.transport.eventloop.ResilientEventLoops;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the frames of a channel and reports its life to a {@link FrameListener}:
 * opening, failure, close. Previous stop of a call: the socket; next stop: client
 * connection or server connection. Event loop only.
 * <p>
 * Each read is copied once into an array of the event loop and decoded in place, many
 * frames per read; a listener that keeps a body copies it, so a small body does not pin a
 * large buffer. A body that has not arrived completely is read into an array of its own,
 * which the listener may keep. Bodies over {@link FrameType#MAX_CONTROL_BODY} bytes are
 * read only if the listener admits them.
 */
public final class FrameDecoder extends ChannelInboundHandlerAdapter implements InboundHandler {

	private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

	private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

	private final Connection connection;

	private final FrameListener handler;

	private final int maxBody;

	/** Longest body in bytes that is valid for every frame type. */
	private final int alwaysFits;

	/** Read buffer of the event loop. */
	private byte[] chunk = OutboundFrame.NOTHING;

	private LoopHeartbeat pulse = new LoopHeartbeat();

	/** True after a failure; nothing is read any more. */
	private boolean stopped;

	private int reads;

	/** Bytes of a header that has not arrived completely. */
	private final byte[] partial = new byte[FrameHeader.LENGTH];

	/** Number of these bytes. */
	private int partialLength;

	private boolean prefaceSeen;

	private boolean headSeen;

	/** True if the last frame had a long body, so that the next one probably has. */
	private boolean afterLongBody;

	/** Header fields of the current frame: type, flags, code, call id, body length. */
	private int type;

	private int flags;

	private int code;

	private long callId;

	private int length;

	/** Body that has not arrived completely, null if there is none. */
	private @Nullable InboundBody body;

	private @Nullable Throwable cause;

	private boolean opened;

	/**
	 * Creates a decoder.
	 * @param maxBody longest body in bytes of a frame that takes bytes of the window
	 * @param handler receives the frames
	 */
	public FrameDecoder(int maxBody, Connection connection, FrameListener handler) {
		this.maxBody = maxBody;
		this.alwaysFits = Math.min(maxBody, FrameType.MAX_CONTROL_BODY);
		this.connection = connection;
		this.handler = handler;
	}

	@Override
	public void handlerAdded(ChannelHandlerContext context) {
		this.chunk = EventLoopThread.chunk();
		this.pulse = EventLoopThread.pulse();
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
			long gap = now - this.pulse.beatNanos;
			this.handler.onRead(now, (gap > LoopHeartbeat.GAP_NANOS) ? gap : 0);
			byte[] chunk = this.chunk;
			while (in.isReadable() && !this.stopped) {
				if (this.body != null) {
					readBody(in, this.body);
					continue;
				}
				int count = Math.min(this.afterLongBody ? FrameHeader.LENGTH : chunk.length, in.readableBytes());
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

	/** Decodes one frame or a part of it. Returns the index behind the decoded bytes. */
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
		return next + beginBody(in, next, end - next, now);
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
		this.afterLongBody = this.length > FrameType.MAX_CONTROL_BODY;
		if (this.length < 0 || this.length > this.alwaysFits) {
			requireFits();
		}
		this.headSeen = true;
	}

	/** Rejects a body that is too long for the frame type. */
	private void requireFits() {
		boolean granted = FrameType.needsGrant(this.type, this.flags);
		int limit = granted ? this.maxBody : FrameType.MAX_CONTROL_BODY;
		if (this.length < 0 || this.length > limit) {
			throw new ProtocolException("frame length: %d (expected: 0 to %d%s)".formatted(this.length & 0xffffffffL,
					limit, granted ? ", which is max-frame-size" : " for a control frame"));
		}
	}

	/**
	 * Begins an incomplete body. Copies the bytes that have arrived and returns their
	 * number.
	 */
	private int beginBody(byte[] in, int index, int count, long now) {
		if (this.length > FrameType.MAX_CONTROL_BODY && !this.handler.admits(this.type, this.callId, this.length)) {
			this.stopped = true;
			return count;
		}
		InboundBody begun = InboundBody.begin(this.type, this.length, now);
		this.body = begun;
		readBody(Unpooled.wrappedBuffer(in, index, count), begun);
		return count;
	}

	private void readBody(ByteBuf in, InboundBody begun) {
		begun.take(in);
		if (begun.isWhole()) {
			this.body = null;
			this.handler.onBody(this.type, this.flags, this.code, this.callId, begun);
		}
	}

	@Override
	public void channelReadComplete(ChannelHandlerContext context) {
		this.reads++;
		try {
			this.handler.onReadComplete();
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
	}

	@Override
	public Protocol protocol() {
		return Protocol.NATIVE;
	}

	@Override
	public int reads() {
		return this.reads;
	}

	@Override
	public boolean isInBody() {
		return this.body != null && this.length > FrameType.MAX_CONTROL_BODY;
	}

	@Override
	public long bodyBeganNanos() {
		return (this.body != null) ? this.body.beganNanos : 0;
	}

	@Override
	public int bodyBytes() {
		return (this.body != null) ? this.body.filled() : 0;
	}

	/** Closes the connection; the rest of its input is ignored. */
	private void fail(Throwable reason) {
		this.stopped = true;
		this.body = null;
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
