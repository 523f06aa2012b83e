package io.rpcboot.internal.protocol.http2;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongSupplier;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.limit.TokenBucket;

/**
 * Reads the frames of one direction of a connection and reports them to a
 * {@link Http2FrameListener}. Each read is copied once into an array of the event loop,
 * and its frames are found in place. Only a frame that has not arrived completely is kept
 * in an array of the connection, which is never larger than twice the bytes that arrived.
 * <p>
 * Accepts frames of up to {@value Http2Settings#DEFAULT_MAX_FRAME_SIZE} bytes, header
 * tables of up to {@value Http2Settings#DEFAULT_HEADER_TABLE_SIZE} bytes and no
 * PUSH_PROMISE, and expects that SETTINGS of this side allow nothing else. A client
 * announces ENABLE_PUSH 0.
 */
public final class Http2FrameReader {

	/** Begin of a response of HTTP/1: 'HTTP'. */
	private static final int HTTP_1 = 0x48545450;

	private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

	private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

	private static final byte[] PREFACE = Http2FrameFormat.preface();

	private static final byte[] NOTHING = {};

	private static final int MAX_FRAME_SIZE = Http2Settings.DEFAULT_MAX_FRAME_SIZE;

	/**
	 * Most frames at once, and in each second from then on, that cause work and carry
	 * none: SETTINGS, PING, GOAWAY, PRIORITY, RST_STREAM, WINDOW_UPDATE, DATA without
	 * data, unknown types.
	 */
	static final int MAX_CONTROL_FRAMES = 20_000;

	/** Streams whose windows change with the work of one control frame. */
	private static final int STREAMS_OF_A_FRAME = 16;

	/** Longest array for incomplete frames that stays with an idle connection. */
	private static final int LARGEST_KEPT = 256;

	private final boolean server;

	private final byte[] chunk;

	private final Http2FrameListener listener;

	private final HeaderBlockReader headers;

	private final LongSupplier nanoTime;

	private final TokenBucket controlFrames = new TokenBucket(MAX_CONTROL_FRAMES, MAX_CONTROL_FRAMES);

	private boolean prefaceSeen;

	/** True behind the first SETTINGS of the peer. */
	private boolean settingsSeen;

	private boolean stopped;

	/** Begin of a frame, or of the preface, that has not arrived completely. */
	private byte[] partial = NOTHING;

	private int partialLength;

	/** Number of frames and header blocks that were complete. */
	private long complete;

	private Http2FrameReader(boolean server, byte[] chunk, HeaderResolver resolver, int maxHeaderListSize,
			LongSupplier nanoTime, Http2FrameListener listener) {
		this.server = server;
		this.prefaceSeen = !server;
		this.chunk = chunk;
		this.listener = listener;
		this.headers = new HeaderBlockReader(resolver, maxHeaderListSize, listener);
		this.nanoTime = nanoTime;
	}

	/**
	 * Creates a reader for a server. The input begins with the preface of the client.
	 * @param chunk array for one read, which readers of one event loop share
	 * @param resolver resolves header fields
	 * @param maxHeaderListSize announced MAX_HEADER_LIST_SIZE, in bytes
	 * @param nanoTime clock as {@link System#nanoTime()}
	 * @param listener receives the frames
	 */
	public static Http2FrameReader server(byte[] chunk, HeaderResolver resolver, int maxHeaderListSize,
			LongSupplier nanoTime, Http2FrameListener listener) {
		return new Http2FrameReader(true, chunk, resolver, maxHeaderListSize, nanoTime, listener);
	}

	/**
	 * Creates a reader for a client.
	 * @param chunk array for one read, which readers of one event loop share
	 * @param resolver resolves header fields
	 * @param maxHeaderListSize announced MAX_HEADER_LIST_SIZE, in bytes
	 * @param nanoTime clock as {@link System#nanoTime()}
	 * @param listener receives the frames
	 */
	public static Http2FrameReader client(byte[] chunk, HeaderResolver resolver, int maxHeaderListSize,
			LongSupplier nanoTime, Http2FrameListener listener) {
		return new Http2FrameReader(false, chunk, resolver, maxHeaderListSize, nanoTime, listener);
	}

	/**
	 * Reads bytes of the peer and reports the frames that they complete. After an
	 * exception, the connection sends GOAWAY and closes; the reader ignores more bytes.
	 * @param in bytes; all of them are read, and the caller releases the buffer
	 * @throws Http2Exception if the connection has to end
	 */
	public void read(ByteBuf in) {
		boolean failed = true;
		try {
			while (in.isReadable() && !this.stopped) {
				if (this.partialLength > 0) {
					readPartial(in);
					continue;
				}
				int count = Math.min(this.chunk.length, in.readableBytes());
				in.readBytes(this.chunk, 0, count);
				int used = decode(this.chunk, 0, count);
				if (used < count && !this.stopped) {
					this.partialLength = count - used;
					ensurePartial(space(used));
					System.arraycopy(this.chunk, used, this.partial, 0, this.partialLength);
				}
			}
			if (this.partialLength == 0 && this.partial.length > LARGEST_KEPT) {
				this.partial = NOTHING;
			}
			failed = false;
		}
		finally {
			in.skipBytes(in.readableBytes());
			if (failed) {
				stop();
			}
		}
	}

	/**
	 * Returns the space for a frame whose begin is in the chunk: all of it if half of it
	 * has arrived.
	 */
	private int space(int index) {
		int arrived = this.partialLength;
		if (!this.prefaceSeen || arrived < Http2FrameFormat.HEADER_LENGTH) {
			return arrived;
		}
		int length = Http2FrameFormat.HEADER_LENGTH + ((int) INT.get(this.chunk, index) >>> Byte.SIZE);
		return Math.min(length, 2 * arrived);
	}

	/** Ignores all further bytes, those of the current read included. */
	public void stop() {
		this.stopped = true;
		this.partial = NOTHING;
		this.partialLength = 0;
		this.headers.reset();
	}

	/**
	 * Returns true if a frame or a header block has not arrived completely. No method of
	 * the listener was called for it.
	 */
	public boolean isInFrame() {
		return this.partialLength > 0 || this.headers.isIncomplete();
	}

	/**
	 * Returns the memory of a frame and a header block that are not complete, in bytes.
	 */
	public int held() {
		return ((this.partialLength > 0) ? this.partial.length : 0) + this.headers.held();
	}

	/** Returns the number of frames and header blocks that were complete. */
	public long complete() {
		return this.complete;
	}

	/** Reads bytes of the frame that is not complete, as far as its length is known. */
	private void readPartial(ByteBuf in) {
		int needed = PREFACE.length;
		if (this.prefaceSeen) {
			needed = Http2FrameFormat.HEADER_LENGTH;
			if (this.partialLength >= needed) {
				needed += (int) INT.get(this.partial, 0) >>> Byte.SIZE;
			}
		}
		int count = Math.min(needed - this.partialLength, in.readableBytes());
		ensurePartial(this.partialLength + count);
		in.readBytes(this.partial, this.partialLength, count);
		this.partialLength += count;
		if (decode(this.partial, 0, this.partialLength) > 0) {
			this.partialLength = 0;
		}
	}

	private void ensurePartial(int length) {
		if (this.partial.length < length) {
			int doubled = Math.min(2 * this.partial.length, Http2FrameFormat.HEADER_LENGTH + MAX_FRAME_SIZE);
			this.partial = Arrays.copyOf(this.partial, Math.max(doubled, length));
		}
	}

	/** Returns a number of 31 bits. */
	static int int31(byte[] in, int index) {
		return (int) INT.get(in, index) & Http2FrameFormat.MASK_31_BITS;
	}

	/** Decodes complete frames. Returns the index behind the last one. */
	private int decode(byte[] in, int from, int to) {
		int index = from;
		if (!this.prefaceSeen) {
			if (!isPreface(in, from, to)) {
				return from;
			}
			index += PREFACE.length;
		}
		while (to - index >= Http2FrameFormat.HEADER_LENGTH && !this.stopped) {
			int word = (int) INT.get(in, index);
			int length = word >>> Byte.SIZE;
			require(this.settingsSeen || word != HTTP_1, Http2Error.PROTOCOL_ERROR, "HTTP/1 (expected: HTTP/2)");
			require(length <= MAX_FRAME_SIZE, Http2Error.FRAME_SIZE_ERROR,
					"length of a frame (expected: at most 16384, SETTINGS_MAX_FRAME_SIZE)");
			int payload = index + Http2FrameFormat.HEADER_LENGTH;
			if (to - payload < length) {
				break;
			}
			int flags = in[index + Http2FrameFormat.FLAGS];
			frame(word & 0xff, flags, int31(in, index + Http2FrameFormat.STREAM_ID), in, payload, length);
			index = payload + length;
		}
		return index;
	}

	/** Returns true if the preface is complete. */
	private boolean isPreface(byte[] in, int from, int to) {
		int count = Math.min(to - from, PREFACE.length);
		require(Arrays.equals(in, from, from + count, PREFACE, 0, count), Http2Error.PROTOCOL_ERROR,
				"preface of the client (expected: PRI * HTTP/2.0)");
		this.prefaceSeen = count == PREFACE.length;
		return this.prefaceSeen;
	}

	private void frame(int type, int flags, int streamId, byte[] in, int index, int length) {
		require(type == Http2FrameFormat.CONTINUATION || !this.headers.isIncomplete(), Http2Error.PROTOCOL_ERROR,
				"frame within a header block (expected: CONTINUATION)");
		require(this.settingsSeen || (type == Http2FrameFormat.SETTINGS && (flags & Http2FrameFormat.ACK) == 0),
				Http2Error.PROTOCOL_ERROR, "first frame (expected: SETTINGS)");
		try {
			switch (type) {
				case Http2FrameFormat.DATA -> data(flags, streamId, in, index, length);
				case Http2FrameFormat.HEADERS -> headers(flags, streamId, in, index, length);
				case Http2FrameFormat.CONTINUATION ->
					this.headers.continuation(in, index, index + length, flags, streamId);
				case Http2FrameFormat.PUSH_PROMISE ->
					throw Http2Exception.connection(Http2Error.PROTOCOL_ERROR, "PUSH_PROMISE (expected: none)");
				default -> {
					countControlFrames(1);
					control(type, flags, streamId, in, index, length);
				}
			}
		}
		catch (Http2Exception ex) {
			if (ex.isConnectionError() || this.headers.isDecoding()) {
				throw ex;
			}
			this.listener.onStreamError(ex);
		}
		if (!this.headers.isIncomplete()) {
			this.complete++;
		}
	}

	private void data(int flags, int streamId, byte[] in, int index, int length) {
		require(streamId != 0, Http2Error.PROTOCOL_ERROR, "DATA: stream 0 (expected: another stream)");
		int padding = padding(flags, in, index, length);
		int count = length - padding;
		boolean endStream = (flags & Http2FrameFormat.END_STREAM) != 0;
		if (count == 0 && !endStream) {
			countControlFrames(1);
		}
		this.listener.onData(streamId, in, (padding > 0) ? index + 1 : index, count, padding, endStream);
	}

	/** Returns the number of bytes of padding, with their length in front. */
	private static int padding(int flags, byte[] in, int index, int length) {
		if ((flags & Http2FrameFormat.PADDED) == 0) {
			return 0;
		}
		require(length > 0, Http2Error.FRAME_SIZE_ERROR, "padded frame: empty (expected: length of the padding)");
		int padding = 1 + (in[index] & 0xff);
		require(padding <= length, Http2Error.PROTOCOL_ERROR, "padding: longer than its frame (expected: within it)");
		return padding;
	}

	private void headers(int flags, int streamId, byte[] in, int index, int length) {
		require(streamId != 0, Http2Error.PROTOCOL_ERROR, "HEADERS: stream 0 (expected: another stream)");
		int padding = padding(flags, in, index, length);
		int from = (padding > 0) ? index + 1 : index;
		this.headers.headers(in, from, from + length - padding, flags, streamId);
	}

	private void control(int type, int flags, int streamId, byte[] in, int index, int length) {
		switch (type) {
			case Http2FrameFormat.SETTINGS -> settings(flags, streamId, in, index, length);
			case Http2FrameFormat.PING -> ping(flags, streamId, in, index, length);
			case Http2FrameFormat.GOAWAY -> goAway(streamId, in, index, length);
			case Http2FrameFormat.PRIORITY -> priority(streamId, in, index, length);
			case Http2FrameFormat.RST_STREAM -> rstStream(streamId, in, index, length);
			case Http2FrameFormat.WINDOW_UPDATE -> windowUpdate(streamId, in, index, length);
			default -> {
				// an extension, which a receiver ignores
			}
		}
	}

	private void settings(int flags, int streamId, byte[] in, int index, int length) {
		require(streamId == 0, Http2Error.PROTOCOL_ERROR, "SETTINGS: stream id (expected: 0)");
		if ((flags & Http2FrameFormat.ACK) != 0) {
			require(length == 0, Http2Error.FRAME_SIZE_ERROR, "SETTINGS with ACK: length (expected: 0)");
			this.listener.onSettingsAck();
			return;
		}
		require(length % Http2Settings.ENTRY_LENGTH == 0, Http2Error.FRAME_SIZE_ERROR,
				"SETTINGS: length (expected: a multiple of 6)");
		Http2Settings settings = new Http2Settings();
		for (int i = index; i < index + length; i += Http2Settings.ENTRY_LENGTH) {
			int parameter = ((in[i] & 0xff) << Byte.SIZE) | (in[i + 1] & 0xff);
			settings.set(parameter, (int) INT.get(in, i + 2) & 0xffffffffL);
		}
		require(this.server || settings.get(Http2Settings.ENABLE_PUSH, 0) == 0, Http2Error.PROTOCOL_ERROR,
				"ENABLE_PUSH of a server (expected: 0)");
		this.settingsSeen = true;
		int streams = this.listener.onSettings(settings);
		countControlFrames(streams / STREAMS_OF_A_FRAME);
	}

	/** Counts frames, or work that is as much. */
	private void countControlFrames(int frames) {
		if (!this.controlFrames.tryTake(frames, this.nanoTime.getAsLong())) {
			throw Http2Exception.connection(Http2Error.ENHANCE_YOUR_CALM,
					"control frames: over 20,000 in a second, or as much work (expected: fewer)");
		}
	}

	private void ping(int flags, int streamId, byte[] in, int index, int length) {
		require(streamId == 0, Http2Error.PROTOCOL_ERROR, "PING: stream id (expected: 0)");
		require(length == Long.BYTES, Http2Error.FRAME_SIZE_ERROR, "PING: length (expected: 8)");
		long data = (long) LONG.get(in, index);
		if ((flags & Http2FrameFormat.ACK) != 0) {
			this.listener.onPingAck(data);
		}
		else {
			this.listener.onPing(data);
		}
	}

	private void goAway(int streamId, byte[] in, int index, int length) {
		require(streamId == 0, Http2Error.PROTOCOL_ERROR, "GOAWAY: stream id (expected: 0)");
		require(length >= 8, Http2Error.FRAME_SIZE_ERROR, "GOAWAY: length (expected: at least 8)");
		this.listener.onGoAway(int31(in, index), (int) INT.get(in, index + 4), in, index + 8, length - 8);
	}

	/** Priorities have no effect (RFC 9113, section 5.3.2). */
	private static void priority(int streamId, byte[] in, int index, int length) {
		require(streamId != 0, Http2Error.PROTOCOL_ERROR, "PRIORITY: stream 0 (expected: another stream)");
		if (length != Http2FrameFormat.PRIORITY_LENGTH) {
			throw Http2Exception.stream(streamId, Http2Error.FRAME_SIZE_ERROR, "PRIORITY: length (expected: 5)");
		}
		if (int31(in, index) == streamId) {
			throw Http2Exception.stream(streamId, Http2Error.PROTOCOL_ERROR,
					"PRIORITY: stream depends on itself (expected: another stream)");
		}
	}

	private void rstStream(int streamId, byte[] in, int index, int length) {
		require(streamId != 0, Http2Error.PROTOCOL_ERROR, "RST_STREAM: stream 0 (expected: another stream)");
		require(length == Integer.BYTES, Http2Error.FRAME_SIZE_ERROR, "RST_STREAM: length (expected: 4)");
		this.listener.onRstStream(streamId, (int) INT.get(in, index));
	}

	private void windowUpdate(int streamId, byte[] in, int index, int length) {
		require(length == Integer.BYTES, Http2Error.FRAME_SIZE_ERROR, "WINDOW_UPDATE: length (expected: 4)");
		int increment = int31(in, index);
		if (increment == 0) {
			throw Http2Exception.stream(streamId, Http2Error.PROTOCOL_ERROR,
					"WINDOW_UPDATE: increment 0 (expected: at least 1)");
		}
		this.listener.onWindowUpdate(streamId, increment);
	}

	private static void require(boolean valid, Http2Error error, String message) {
		if (!valid) {
			throw Http2Exception.connection(error, message);
		}
	}

}
