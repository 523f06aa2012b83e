package io.rpcboot.internal.transport.connection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.Preface;
import io.rpcboot.internal.transport.eventloop.LoopHeartbeat;

/**
 * Finds the frames in what was read, many per read, in place. Stop before: the wire; stop
 * after: client connection or server connection.
 * <p>
 * What was read is copied once, into an array of the event loop, and handed on in place;
 * who keeps a body copies it, so no small body pins a large buffer. A body that has not
 * arrived whole is read straight into an array of its own, which its handler may keep,
 * and so is a long value in it; more than {@link FrameType#MAX_CONTROL_BODY} bytes only
 * if the handler has granted them.
 */
final class FrameDecoder extends FrameDecoderLifecycle {

	private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

	private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

	/** Longest body of a frame of any type, in bytes. */
	private final int alwaysFits;

	private boolean prefaceSeen;

	private boolean headSeen;

	/** The frame before had a long body, so the next is likely to have one. */
	private boolean afterLongBody;

	FrameDecoder(int maxBody, Connection connection, FrameListener handler) {
		super(maxBody, connection.queue(), connection::close, handler);
		this.alwaysFits = Math.min(maxBody, FrameType.MAX_CONTROL_BODY);
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

	/** Returns the index behind what was taken. */
	private int decode(byte[] in, int index, int end, long now) {
		int needed = this.prefaceSeen ? FrameHeader.LENGTH : Preface.LENGTH;
		int next = index;
		if (this.partialLength == 0 && end - index >= needed) {
			next += needed;
			head(in, index);
		}
		else {
			next += addPartial(in, index, Math.min(needed - this.partialLength, end - index));
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
		if (end - next >= this.length && this.place == 0) {
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
		this.afterLongBody = this.length > FrameType.MAX_CONTROL_BODY || this.type == FrameType.PLACE;
		if (this.length < 0 || this.length > this.alwaysFits) {
			requireFits();
		}
		this.headSeen = this.type != FrameType.PLACE || place();
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

}
