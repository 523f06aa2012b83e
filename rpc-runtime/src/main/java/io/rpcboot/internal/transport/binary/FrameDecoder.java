package io.rpcboot.internal.transport.binary;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Preface;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.ProtocolHandler;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the frames of a channel for a {@link FrameListener}. Previous stop of a call:
 * the socket; next stop: client connection or server connection. Event loop only.
 * <p>
 * Each read is copied once into an array of the event loop and decoded in place, many
 * frames per read; a listener that keeps a body copies it, so a small body does not pin a
 * large buffer. A body that has not arrived completely is read into an array of its own,
 * which the listener may keep. Bodies over {@link FrameType#MAX_CONTROL_BODY} bytes are
 * read only if the listener admits them.
 */
public final class FrameDecoder extends ProtocolHandler {

	private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

	private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

	private final FrameListener handler;

	private final int maxBody;

	/** Longest body in bytes that is valid for every frame type. */
	private final int alwaysFits;

	/** Read buffer of the event loop. */
	private byte[] chunk = OutboundFrame.NOTHING;

	/** True after a failure and at the end; nothing is read any more. */
	private boolean stopped;

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

	/**
	 * Creates a decoder.
	 * @param maxBody longest body in bytes of a frame that takes bytes of the window
	 * @param handler receives the frames
	 */
	public FrameDecoder(int maxBody, Connection connection, FrameListener handler) {
		super(connection, handler);
		this.maxBody = maxBody;
		this.alwaysFits = Math.min(maxBody, FrameType.MAX_CONTROL_BODY);
		this.handler = handler;
	}

	@Override
	protected void begin(byte[] buffer) {
		this.chunk = buffer;
	}

	@Override
	protected void greet(ChannelHandlerContext context) {
		ByteBuf preface = context.alloc().directBuffer(Preface.LENGTH);
		Preface.write(preface);
		context.write(preface);
	}

	@Override
	protected void read(ByteBuf in, long nanos) {
		byte[] buffer = this.chunk;
		while (in.isReadable() && !this.stopped) {
			if (this.body != null) {
				readBody(in, this.body);
				continue;
			}
			int count = Math.min(this.afterLongBody ? FrameHeader.LENGTH : buffer.length, in.readableBytes());
			in.readBytes(buffer, 0, count);
			for (int index = 0; index < count && !this.stopped;) {
				index = decode(buffer, index, count, nanos);
			}
		}
	}

	@Override
	public void stop() {
		this.stopped = true;
		this.body = null;
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
	public Protocol protocol() {
		return Protocol.NATIVE;
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

}
