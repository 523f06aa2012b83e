package io.rpcboot.internal.transport.http2;

import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.protocol.http2.Http2Limits;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.internal.transport.frame.ChunkedBody;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import org.jspecify.annotations.Nullable;

/**
 * Stream of HTTP/2: an exchange of HEADERS, DATA and what ends it. Knows windows and the
 * states of a stream, and not what the bytes mean.
 * <p>
 * HEADERS, one body as DATA and the end leave from this side. If windows allow, all of it
 * is one frame of the write queue. If not, the body leaves in parts, each a frame of its
 * own, HEADERS at once, and the stream waits in {@link Http2BlockedFrames} between them.
 * Event loop only once it is in the queue.
 * <p>
 * The body of the peer arrives as parts of the read buffer, see {@link #onBody}.
 */
public abstract class Http2Stream extends OutboundFrame {

	/** Longest time to send a request without a deadline. */
	private static final long REQUEST_NANOS = TimeUnit.SECONDS.toNanos(60);

	/**
	 * Largest part of a body, so that streams take turns. A message with a body of 64 KiB
	 * is one part, so that its receiver holds few that are incomplete.
	 */
	private static final int QUANTUM = 5 * Http2Settings.DEFAULT_MAX_FRAME_SIZE;

	protected final Http2Output output;

	/** Id of the stream, an odd number; 0 before it is open. */
	public int streamId;

	/** Bytes of DATA that the peer takes on this stream; negative after it shrank. */
	private int window;

	/** True once HEADERS of this side are written. */
	private boolean begun;

	/** Bytes of the body, with its prefix, that are written. */
	private int sent;

	/** Bytes that the next frame writes. */
	private int part;

	/** True once the body is in this frame, so that it may leave in parts. */
	private boolean splits;

	/** Large body while it is sent; a part of it is copied at a time. */
	private @Nullable ChunkedBody chunks;

	/** Time of HEADERS of the peer, as {@link System#nanoTime()}. */
	private final long beganNanos;

	/** Time allowed from there; {@link Long#MAX_VALUE} without a deadline. */
	public final long allowedNanos;

	/** Bytes of the body that the peer has announced and not sent, -1 if unknown. */
	private long announced = -1;

	/** Bytes of DATA that the peer may send. */
	private int receiveWindow = Http2Limits.STREAM_WINDOW;

	/** True once the peer sends no more. */
	public boolean remoteClosed;

	/** True once the peer, or an error of it, has reset the stream. */
	public boolean reset;

	/** True if more of the body is ignored, because the outcome is known. */
	public boolean discards;

	/**
	 * Creates a stream that is not open yet.
	 * @param beganNanos time from which the allowed time counts
	 * @param allowedNanos time to send the request; {@link Long#MAX_VALUE} without a
	 * deadline
	 */
	protected Http2Stream(Http2Output output, long beganNanos, long allowedNanos) {
		super(NOTHING);
		this.output = output;
		this.beganNanos = beganNanos;
		this.allowedNanos = allowedNanos;
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

	/**
	 * Sets what HEADERS of the peer announce.
	 * @param length bytes of all DATA, -1 if unknown
	 */
	protected final void announced(long length) {
		this.announced = length;
	}

	/** Returns the number of bytes before the body, which the framing writes. */
	protected int prefixLength() {
		return 0;
	}

	/** Writes bytes before the body: those from one index to before another. */
	protected void writePrefix(ByteBuf out, int from, int to) {
	}

	/**
	 * Allows parts, because {@link #body} or {@link #large} has all bytes of the body.
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

	/** Returns true if HEADERS and the whole body are written next, in one DATA. */
	protected final boolean isWhole() {
		return !this.begun && this.part == prefixLength() + this.length
				&& this.part <= Http2Settings.DEFAULT_MAX_FRAME_SIZE;
	}

	/** Begins another body. */
	protected final void nextBody(byte[] next) {
		nextBody(next, next.length);
	}

	/**
	 * Begins another body.
	 * @param next begins with it
	 * @param count its length in bytes
	 */
	protected final void nextBody(byte[] next, int count) {
		body(next, count);
		this.sent = 0;
		splits();
	}

	/**
	 * Sends as much of the body as windows allow.
	 * @return WRITE if this frame has all that is left of it
	 */
	protected final WriteDecision admitBody() {
		int rest = prefixLength() + this.length - this.sent;
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

	/**
	 * Takes windows for DATA that another frame writes next.
	 * @return false if they do not allow it
	 */
	protected final boolean takesWindow(int bytes) {
		if (bytes > Math.min(this.window, this.output.window())) {
			return false;
		}
		this.window -= bytes;
		this.output.takeWindow(bytes);
		return true;
	}

	private void take(int bytes) {
		this.part = bytes;
		this.window -= bytes;
		this.output.takeWindow(bytes);
	}

	/** Writes HEADERS that the body follows. */
	protected abstract void writeHeaders(ByteBuf out);

	/**
	 * Writes the rest of the body and the end of the stream from this side.
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
		begin(out);
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

	/** Writes HEADERS alone, if none were written. */
	protected final void begin(ByteBuf out) {
		if (!this.begun) {
			this.begun = true;
			writeHeaders(out);
		}
	}

	/** Writes the bytes of a {@linkplain #isWhole() whole} body without HEADERS. */
	protected final void writeBody(ByteBuf out, byte[] bytes) {
		this.begun = true;
		writeRange(out, bytes, 0, this.part);
		this.sent = this.part;
	}

	private void writeRange(ByteBuf out, byte[] bytes, int from, int count) {
		int at = from;
		int end = from + count;
		int prefix = prefixLength();
		if (at < prefix) { // and perhaps the window ends within it
			int next = Math.min(end, prefix);
			writePrefix(out, at, next);
			at = next;
		}
		if (at == end) {
			return;
		}
		if (this.chunks != null) {
			this.chunks.copyTo(out, at - prefix, end - at);
		}
		else {
			out.writeBytes(bytes, at - prefix, end - at);
		}
	}

	/** Receives DATA. */
	public final void onData(byte[] in, int offset, int count, int padding, boolean endStream) {
		this.receiveWindow -= count + padding;
		if (this.receiveWindow < 0) {
			throw Http2Exception.stream(this.streamId, Http2Error.FLOW_CONTROL_ERROR,
					"DATA beyond the window of its stream (expected: within it)");
		}
		this.remoteClosed = endStream;
		countAnnounced(count, endStream);
		onBody(in, offset, offset + count);
	}

	/** Receives the end of the stream in trailers or in HEADERS. */
	public final void endStream() {
		this.remoteClosed = true;
		countAnnounced(0, true);
		onBody(NOTHING, 0, 0);
	}

	/** Checks what the peer has announced as {@code content-length}. */
	private void countAnnounced(int count, boolean endStream) {
		if (this.announced < 0) {
			return;
		}
		this.announced -= count;
		if (this.announced < 0 || (endStream && this.announced > 0)) {
			throw Http2Exception.stream(this.streamId, Http2Error.PROTOCOL_ERROR,
					"content-length (expected: length of all DATA)");
		}
	}

	/** Returns the bytes of DATA that the peer may send now. */
	protected final int receiveWindow() {
		return this.receiveWindow;
	}

	/** Raises the window of the peer to a number of bytes. */
	protected final void raiseWindow(int bytes) {
		if (this.receiveWindow < bytes) {
			this.output.windowUpdate(this.streamId, bytes - this.receiveWindow);
			this.receiveWindow = bytes;
		}
	}

	/**
	 * Returns the time that is left since HEADERS of the peer; negative if it is over.
	 * @param now as {@link System#nanoTime()}
	 */
	protected final long leftNanos(long now) {
		return (this.allowedNanos == Long.MAX_VALUE) ? Long.MAX_VALUE : this.allowedNanos - (now - this.beganNanos);
	}

	/** Returns true if the time to send the request is over. */
	public boolean isOverdue(long now) {
		return !this.remoteClosed && !this.discards
				&& now - this.beganNanos > Math.min(this.allowedNanos, REQUEST_NANOS);
	}

	/**
	 * Receives a part of the body, or its end if {@link #remoteClosed}; or both.
	 * @param in holds the part until this method returns
	 * @param from index of its first byte
	 * @param to index behind its last byte
	 */
	protected abstract void onBody(byte[] in, int from, int to);

	/** Returns true if the peer may leave its window empty for as long as it likes. */
	protected boolean mayPause() {
		return false;
	}

	/** Sends the response without the body of the request, if it is known. */
	public void answerEarly() {
	}

	/** Returns true if the outcome is known, or is told without more work. */
	public boolean isAnswered() {
		return this.discards;
	}

	/** Ends the stream with an error, because this side cannot take a message now. */
	public void refuse(RpcStatus status, String why) {
		reject(status, why);
	}

	/** Ends the stream with an error, because of its request. */
	public abstract void reject(RpcStatus status, String why);

	/** Ends the stream, because the peer or an error of it has reset it. */
	public abstract void onReset();

	/** Ends the stream, because the connection is closed. */
	public abstract void onConnectionClosed();

	/** Gives memory back: the stream is removed from its connection. */
	public void onRemoved() {
	}

	/** Part of a body, not the last one. */
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
