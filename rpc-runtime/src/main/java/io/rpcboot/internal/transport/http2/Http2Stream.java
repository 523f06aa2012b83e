package io.rpcboot.internal.transport.http2;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.protocol.grpc.MessagePrefix;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.internal.transport.frame.ChunkedBody;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import org.jspecify.annotations.Nullable;

/**
 * Stream of HTTP/2 and what this side sends on it: HEADERS, one message as DATA, and what
 * ends it. If windows allow, all of it is one frame of the write queue. If not, the
 * message leaves in parts, each a frame of its own, HEADERS at once, and the stream waits
 * in {@link Http2BlockedFrames} between them. Event loop only once it is in the queue.
 */
public abstract class Http2Stream extends OutboundFrame {

	/**
	 * Largest part of a message, so that streams take turns. A message with a body of 64
	 * KiB is one part, so that its receiver holds few that are incomplete.
	 */
	private static final int QUANTUM = 5 * Http2Settings.DEFAULT_MAX_FRAME_SIZE;

	protected final Http2Output output;

	/** Id of the stream, an odd number; 0 before it is open. */
	public int streamId;

	/** Bytes of DATA that the peer takes on this stream; negative after it shrank. */
	private int window;

	/** True once HEADERS of this side are written. */
	private boolean begun;

	/** Bytes of the message, with its prefix, that are written. */
	private int sent;

	/** Bytes that the next frame writes. */
	private int part;

	/** Number of bytes before the body: those of the prefix, or none. */
	private byte prefixLength = MessagePrefix.LENGTH;

	/** First byte of the prefix. */
	private byte flag;

	/** True once the body is in this frame, so that it may leave in parts. */
	private boolean splits;

	/** Large body while it is sent; a part of it is copied at a time. */
	private @Nullable ChunkedBody chunks;

	protected Http2Stream(Http2Output output) {
		super(NOTHING);
		this.output = output;
	}

	/**
	 * Opens the stream. Event loop, once.
	 * @param id its id, an odd number
	 */
	protected void open(int id) {
		this.callId = number(id);
		this.streamId = id;
		this.window = this.output.streamWindow();
	}

	/**
	 * Returns the number of a stream among those of a client, from 1; 0 for an even id.
	 */
	public static int number(int streamId) {
		return ((streamId & 1) == 0) ? 0 : (streamId + 1) >>> 1;
	}

	/** Sends the body without a prefix. */
	protected final void withoutPrefix() {
		this.prefixLength = 0;
	}

	protected final boolean isCompressed() {
		return this.flag == 1;
	}

	/** Marks the message as compressed. */
	protected final void compressed() {
		this.flag = 1;
	}

	/**
	 * Allows parts, because {@link #body} or {@link #large} has all bytes of the message.
	 */
	protected final void splits() {
		this.splits = true;
		this.chunks = this.large;
		this.large = null; // the write path would send it without windows
	}

	/** Returns the large body of {@link #splits()} and forgets it; null without one. */
	protected final @Nullable ChunkedBody takeChunks() {
		ChunkedBody taken = this.chunks;
		this.chunks = null;
		return taken;
	}

	/** Forgets a large body. */
	protected final void resetLarge() {
		this.large = null;
		this.chunks = null;
	}

	/** Raises the window of this stream, or lowers it by a negative number. */
	public final void changeWindow(int difference) {
		if (difference > 0 && this.window > Integer.MAX_VALUE - difference) {
			throw Http2Exception.stream(this.streamId, Http2Error.FLOW_CONTROL_ERROR,
					"window of a stream (expected: at most 2^31 - 1)");
		}
		this.window += difference;
		if (this.window > 0 && difference > 0) {
			this.output.blocked.windowRaised(this);
		}
	}

	/** Returns true once HEADERS of this side are written. */
	protected final boolean hasBegun() {
		return this.begun;
	}

	/** Returns true if HEADERS and the whole message are written next, in one DATA. */
	protected final boolean isWhole() {
		return !this.begun && this.part == this.prefixLength + this.length
				&& this.part <= Http2Settings.DEFAULT_MAX_FRAME_SIZE;
	}

	/** Begins another message, which {@link #body} has. */
	protected final void nextMessage(byte[] message) {
		body(message, message.length);
		this.sent = 0;
		splits();
	}

	/**
	 * Sends as much of the message as windows allow.
	 * @return WRITE if this frame has all that is left of it
	 */
	protected final WriteDecision admitMessage() {
		int rest = this.prefixLength + this.length - this.sent;
		int allowed = Math.min(this.window, this.output.window());
		if (rest <= allowed && rest <= QUANTUM) {
			take(rest);
			return WriteDecision.WRITE;
		}
		if (this.splits && (allowed > 0 || !this.begun)) {
			take(Math.max(0, Math.min(Math.min(rest, allowed), QUANTUM)));
			this.output.queue.accept(new Part());
		}
		return (this.window > 0) ? WriteDecision.BLOCKED_BY_WINDOW : WriteDecision.BLOCKED_BY_STREAM;
	}

	private void take(int bytes) {
		this.part = bytes;
		this.window -= bytes;
		this.output.takeWindow(bytes);
	}

	/** Writes HEADERS that the message follows. */
	protected abstract void writeHeaders(ByteBuf out);

	/**
	 * Writes the rest of the message and the end of the stream from this side.
	 * @param bytes hold the body from index 0 on
	 */
	@Override
	public abstract void writeTo(ByteBuf out, byte[] bytes);

	/**
	 * Writes DATA with the admitted bytes, behind HEADERS if none were written.
	 * @param bytes hold the body from index 0 on, unless it is large
	 * @param endStream true if nothing follows from this side
	 */
	protected final void writeData(ByteBuf out, byte[] bytes, boolean endStream) {
		if (!this.begun) {
			this.begun = true;
			writeHeaders(out);
		}
		int most = Math.min(this.output.writer.maxFrameSize(), QUANTUM);
		int end = this.sent + this.part;
		while (this.sent < end) {
			int count = Math.min(most, end - this.sent);
			boolean last = this.sent + count == end;
			this.output.writer.dataHeader(out, this.streamId, count, last && endStream);
			writeRange(out, bytes, this.sent, count);
			this.sent += count;
		}
	}

	/** Writes the bytes of a {@linkplain #isWhole() whole} message without HEADERS. */
	protected final void writeMessage(ByteBuf out, byte[] bytes) {
		this.begun = true;
		writeRange(out, bytes, 0, this.part);
		this.sent = this.part;
	}

	private void writeRange(ByteBuf out, byte[] bytes, int from, int count) {
		int at = from;
		int end = from + count;
		if (at == 0 && end >= this.prefixLength && this.prefixLength > 0) {
			out.writeByte(this.flag).writeInt(this.length);
			at = this.prefixLength;
		}
		for (; at < Math.min(end, this.prefixLength); at++) { // the window ends within it
			out.writeByte((at == 0) ? this.flag : this.length >>> (Byte.SIZE * (MessagePrefix.LENGTH - 1 - at)));
		}
		if (at == end) {
			return;
		}
		if (this.chunks != null) {
			this.chunks.copyTo(out, at - this.prefixLength, end - at);
		}
		else {
			out.writeBytes(bytes, at - this.prefixLength, end - at);
		}
	}

	/** Part of a message, not the last one. */
	private final class Part extends OutboundFrame {

		Part() {
			super(NOTHING);
		}

		@Override
		public void writeHeader(ByteBuf out) {
			writeData(out, Http2Stream.this.body, false);
		}

		@Override
		public WriteDecision beforeWrite(boolean writable) {
			return WriteDecision.WRITE; // the stream has asked whether it may
		}

		@Override
		public void onRejected() {
			// the stream is rejected
		}

	}

}
