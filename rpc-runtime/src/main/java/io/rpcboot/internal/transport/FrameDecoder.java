package io.rpcboot.internal.transport;

import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
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
 * A body is copied once, from the read buffer into an array of its own, so no small body
 * pins a large buffer. The array of a body that has not arrived yet grows with what
 * arrives: a length that is only claimed costs nothing.
 */
final class FrameDecoder extends ChannelInboundHandlerAdapter {

	private static final byte[] EMPTY = new byte[0];

	private static final int MAX_CONTROL_BODY = 64 * 1024;

	private static final int FIRST_CHUNK = 64 * 1024;

	private final int maxBody;

	private final Connection connection;

	private final ByteBuf partial = Unpooled.buffer(FrameHeader.LENGTH, FrameHeader.LENGTH);

	private FrameHandler handler;

	private boolean prefaceSeen;

	private boolean stopped;

	private int type;

	private int flags;

	private int code;

	private long callId;

	private int length;

	private byte @Nullable [] body;

	private int filled;

	private @Nullable Throwable cause;

	private boolean opened;

	private boolean active;

	FrameDecoder(int maxBody, Connection connection, FrameHandler handler) {
		this.maxBody = maxBody;
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
			while (in.isReadable() && !this.stopped) {
				decode(in);
			}
		}
		catch (RuntimeException ex) {
			fail(ex);
		}
		finally {
			in.release();
		}
	}

	private void decode(ByteBuf in) {
		if (this.body != null) {
			fillBody(in, this.body);
			return;
		}
		int needed = this.prefaceSeen ? FrameHeader.LENGTH : Preface.LENGTH;
		int have = this.partial.readableBytes();
		if (have == 0 && in.readableBytes() >= needed) {
			int start = in.readerIndex();
			in.skipBytes(needed);
			head(in, start);
		}
		else {
			this.partial.writeBytes(in, Math.min(needed - have, in.readableBytes()));
			if (this.partial.readableBytes() < needed) {
				return;
			}
			head(this.partial, 0);
			this.partial.clear();
		}
		if (this.body != null) {
			fillBody(in, this.body);
		}
	}

	private void head(ByteBuf in, int index) {
		if (!this.prefaceSeen) {
			Preface.check(in, index);
			this.prefaceSeen = true;
			return;
		}
		this.length = in.getInt(index);
		int word = in.getInt(index + 4);
		this.type = word >>> 24;
		this.flags = (word >>> 16) & 0xff;
		this.code = word & 0xffff;
		this.callId = in.getLong(index + 8);
		boolean mayBeLarge = (this.type >= FrameType.REQUEST && this.type <= FrameType.ONE_WAY)
				|| this.type == FrameType.CONTRACT;
		int limit = mayBeLarge ? this.maxBody : MAX_CONTROL_BODY;
		if (this.length < 0 || this.length > limit) {
			throw new ProtocolException("frame length: %d (expected: 0 to %d%s)".formatted(this.length & 0xffffffffL,
					limit, mayBeLarge ? ", which is max-frame-size" : " for a control frame"));
		}
		this.body = (this.length == 0) ? EMPTY : new byte[Math.min(this.length, FIRST_CHUNK)];
		this.filled = 0;
	}

	private void fillBody(ByteBuf in, byte[] target) {
		while (true) {
			int count = Math.min(target.length - this.filled, in.readableBytes());
			in.readBytes(target, this.filled, count);
			this.filled += count;
			if (this.filled == this.length) {
				this.body = null;
				this.handler.onFrame(this.type, this.flags, this.code, this.callId, target);
				return;
			}
			if (!in.isReadable()) {
				return;
			}
			target = Arrays.copyOf(target, (int) Math.min(this.length, target.length * 2L));
			this.body = target;
		}
	}

	/** Nothing that follows is looked at. */
	private void fail(Throwable reason) {
		this.stopped = true;
		this.cause = reason;
		this.connection.close();
	}

	@Override
	public void channelReadComplete(ChannelHandlerContext context) {
		this.active = true;
		try {
			this.handler.onReadComplete();
		}
		catch (RuntimeException ex) {
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
