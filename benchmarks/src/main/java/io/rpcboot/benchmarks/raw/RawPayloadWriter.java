package io.rpcboot.benchmarks.raw;

import java.util.ArrayDeque;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.WriteBufferWaterMark;
import org.jspecify.annotations.Nullable;

/**
 * Copies frames once, into direct buffers of limited size, as fast as the socket takes
 * them: what is copied is still in the processor's cache when the system call reads it. A
 * buffer holds many small frames or a piece of a large one. Only for its event loop.
 */
final class RawPayloadWriter {

	private static final int CHUNK = 256 * 1024;

	/** One buffer on its way into the socket, the next one behind it. */
	static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(CHUNK / 2, CHUNK + CHUNK / 2);

	private record Frame(long id, byte[] body) {
	}

	private final ChannelHandlerContext context;

	private final ArrayDeque<Frame> frames = new ArrayDeque<>();

	/** Bytes of the first frame that were copied already, its header among them. */
	private int copied;

	/** Bytes of all frames that were not copied yet. */
	private long missing;

	/** Whether this is further up on the stack: a flush can change the writability. */
	private boolean writing;

	RawPayloadWriter(ChannelHandlerContext context) {
		this.context = context;
	}

	void add(long id, byte[] body) {
		this.frames.add(new Frame(id, body));
		this.missing += RawPayloadHandler.HEADER + body.length;
	}

	/** Whether there is enough for a whole buffer. */
	boolean isFull() {
		return this.missing >= CHUNK;
	}

	/** Write and flush what the socket takes; the rest follows when it takes more. */
	void write() {
		if (this.writing) {
			return;
		}
		this.writing = true;
		while (!this.frames.isEmpty() && this.context.channel().isWritable()) {
			ByteBuf out = RawNettyTransport.ALLOCATOR.directBuffer((int) Math.min(this.missing, CHUNK));
			fill(out);
			this.context.writeAndFlush(out, this.context.voidPromise());
		}
		this.writing = false;
	}

	private void fill(ByteBuf out) {
		int start = out.writerIndex();
		@Nullable Frame frame;
		while ((frame = this.frames.peek()) != null) {
			if (this.copied == 0) {
				if (out.writableBytes() < RawPayloadHandler.HEADER) {
					break;
				}
				out.writeInt(frame.body().length).writeLong(frame.id());
				this.copied = RawPayloadHandler.HEADER;
			}
			int from = this.copied - RawPayloadHandler.HEADER;
			int count = Math.min(frame.body().length - from, out.writableBytes());
			out.writeBytes(frame.body(), from, count);
			this.copied += count;
			if (from + count < frame.body().length) {
				break;
			}
			this.frames.remove();
			this.copied = 0;
		}
		this.missing -= out.writerIndex() - start;
	}

}
