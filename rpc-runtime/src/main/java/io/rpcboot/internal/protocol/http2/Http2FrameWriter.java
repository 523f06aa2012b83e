package io.rpcboot.internal.protocol.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/**
 * Writes the frames of one direction of a connection into buffers. Frames have to be sent
 * in the order in which they are written, and HEADERS have to be written at the moment of
 * sending: their blocks depend on the blocks before. The caller keeps the rules of flow
 * control and the {@link #maxFrameSize()} of DATA.
 * <p>
 * A response, whose head comes again with the next one:
 *
 * <pre class="code">
 * int generation = writer.encoder().generation();
 * int start = out.writerIndex();
 * int headers = writer.beginHeaders(out, streamId, false);
 * writer.encoder().encode(out, ":status", "200", Indexing.FIELD);
 * writer.endHeaders(out, headers);
 * writer.data(out, streamId, body, 0, body.length, false);
 * int trailers = writer.beginHeaders(out, streamId, true);
 * writer.encoder().encode(out, "grpc-status", "0", Indexing.FIELD);
 * writer.endHeaders(out, trailers);
 * if (writer.encoder().generation() == generation) {
 *     template = FrameTemplate.capture(out, start, generation);
 * }
 * </pre>
 */
public class Http2FrameWriter {

	private final HpackEncoder encoder = new HpackEncoder();

	private int maxFrameSize = Http2Settings.DEFAULT_MAX_FRAME_SIZE;

	/** Creates a writer to a peer that has sent no SETTINGS yet. */
	public Http2FrameWriter() {
	}

	/** Returns the encoder of the header blocks of this writer. */
	public HpackEncoder encoder() {
		return this.encoder;
	}

	/** Returns the length of the longest payload that the peer reads, in bytes. */
	public int maxFrameSize() {
		return this.maxFrameSize;
	}

	/**
	 * Adopts HEADER_TABLE_SIZE and MAX_FRAME_SIZE of the peer.
	 * @param settings settings that arrived
	 */
	public void apply(Http2Settings settings) {
		this.encoder.apply(settings);
		this.maxFrameSize = (int) settings.get(Http2Settings.MAX_FRAME_SIZE, this.maxFrameSize);
	}

	/** Writes the preface of a client, which SETTINGS have to follow. */
	public void preface(ByteBuf out) {
		out.writeBytes(Http2FrameFormat.preface());
	}

	/**
	 * Writes the begin of HEADERS. The fields follow by {@link HpackEncoder#encode
	 * encode}, then {@link #endHeaders}.
	 * @param out target
	 * @param streamId id of the stream
	 * @param endStream true if nothing of the stream follows from this side
	 * @return index for {@link #endHeaders}
	 */
	public int beginHeaders(ByteBuf out, int streamId, boolean endStream) {
		int index = out.writerIndex();
		int flags = Http2FrameFormat.END_HEADERS | (endStream ? Http2FrameFormat.END_STREAM : 0);
		frame(out, 0, Http2FrameFormat.HEADERS, flags, streamId);
		this.encoder.beginBlock(out);
		return index;
	}

	/**
	 * Fills in the length of HEADERS. A block that is longer than a frame of the peer is
	 * split into CONTINUATION frames.
	 * @param out target, which ends with the block
	 * @param index result of {@link #beginHeaders}, or index of a template of HEADERS
	 * behind which fields were added
	 */
	public void endHeaders(ByteBuf out, int index) {
		int block = index + Http2FrameFormat.HEADER_LENGTH;
		int length = out.writerIndex() - block;
		out.setMedium(index, Math.min(length, this.maxFrameSize));
		if (length > this.maxFrameSize) {
			split(out, index, ByteBufUtil.getBytes(out, block, length));
		}
	}

	private void split(ByteBuf out, int index, byte[] block) {
		int streamId = out.getInt(index + Http2FrameFormat.STREAM_ID);
		int flags = out.getByte(index + Http2FrameFormat.FLAGS);
		out.setByte(index + Http2FrameFormat.FLAGS, flags & ~Http2FrameFormat.END_HEADERS);
		out.writerIndex(index + Http2FrameFormat.HEADER_LENGTH + this.maxFrameSize);
		for (int i = this.maxFrameSize; i < block.length; i += this.maxFrameSize) {
			int length = Math.min(this.maxFrameSize, block.length - i);
			boolean last = i + length == block.length;
			frame(out, length, Http2FrameFormat.CONTINUATION, last ? Http2FrameFormat.END_HEADERS : 0, streamId);
			out.writeBytes(block, i, length);
		}
	}

	/**
	 * Writes the header of DATA. The data has to follow.
	 * @param out target
	 * @param streamId id of the stream
	 * @param length length of the data, in bytes
	 * @param endStream true if nothing of the stream follows from this side
	 */
	public void dataHeader(ByteBuf out, int streamId, int length, boolean endStream) {
		frame(out, length, Http2FrameFormat.DATA, endStream ? Http2FrameFormat.END_STREAM : 0, streamId);
	}

	/**
	 * Writes DATA.
	 * @param out target
	 * @param streamId id of the stream
	 * @param bytes array with the data
	 * @param offset index of the data
	 * @param length length of the data, in bytes
	 * @param endStream true if nothing of the stream follows from this side
	 */
	public void data(ByteBuf out, int streamId, byte[] bytes, int offset, int length, boolean endStream) {
		dataHeader(out, streamId, length, endStream);
		out.writeBytes(bytes, offset, length);
	}

	/**
	 * Writes RST_STREAM.
	 * @param out target
	 * @param streamId id of the stream that ends
	 * @param error reason
	 */
	public void rstStream(ByteBuf out, int streamId, Http2Error error) {
		frame(out, Integer.BYTES, Http2FrameFormat.RST_STREAM, 0, streamId);
		out.writeInt(error.code());
	}

	/** Writes SETTINGS of this side. */
	public void settings(ByteBuf out, Http2Settings settings) {
		frame(out, settings.length(), Http2FrameFormat.SETTINGS, 0, 0);
		settings.write(out);
	}

	/** Writes the acknowledgement of the oldest SETTINGS that have none. */
	public void settingsAck(ByteBuf out) {
		frame(out, 0, Http2FrameFormat.SETTINGS, Http2FrameFormat.ACK, 0);
	}

	/** Returns true if the peer answers PINGs. */
	public boolean hasPing() {
		return true;
	}

	/**
	 * Writes PING.
	 * @param out target
	 * @param data eight bytes that come back
	 */
	public void ping(ByteBuf out, long data) {
		frame(out, Long.BYTES, Http2FrameFormat.PING, 0, 0);
		out.writeLong(data);
	}

	/**
	 * Writes the answer to PING.
	 * @param out target
	 * @param data eight bytes of the PING
	 */
	public void pingAck(ByteBuf out, long data) {
		frame(out, Long.BYTES, Http2FrameFormat.PING, Http2FrameFormat.ACK, 0);
		out.writeLong(data);
	}

	/**
	 * Writes GOAWAY.
	 * @param out target
	 * @param lastStreamId highest id of a stream of the peer that this side processes,
	 * 2^31 - 1 for all
	 * @param error reason
	 * @param debug ASCII text for the peer's log, may be empty
	 */
	public void goAway(ByteBuf out, int lastStreamId, Http2Error error, String debug) {
		frame(out, 2 * Integer.BYTES + debug.length(), Http2FrameFormat.GOAWAY, 0, 0);
		out.writeInt(lastStreamId).writeInt(error.code());
		ByteBufUtil.writeAscii(out, debug);
	}

	/**
	 * Writes WINDOW_UPDATE.
	 * @param out target
	 * @param streamId id of the stream, 0 for the connection
	 * @param increment number of bytes that the peer may send in addition, from 1
	 */
	public void windowUpdate(ByteBuf out, int streamId, int increment) {
		frame(out, Integer.BYTES, Http2FrameFormat.WINDOW_UPDATE, 0, streamId);
		out.writeInt(increment);
	}

	private static void frame(ByteBuf out, int length, int type, int flags, int streamId) {
		out.writeInt((length << Byte.SIZE) | type);
		out.writeByte(flags);
		out.writeInt(streamId);
	}

}
