package io.rpcboot.internal.protocol.http2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/**
 * Frames of a message that are the same bytes on each stream, except for ids and the
 * length of the data: HEADERS and DATA of a request; HEADERS, DATA and trailers of a
 * response; HEADERS alone. Valid while the {@link HpackEncoder#generation()} is that of
 * the template.
 */
public final class FrameTemplate {

	/** Frames up to the header of DATA, or all frames. */
	private final byte[] head;

	/** Frames behind the data. */
	private final byte[] tail;

	/** Indexes of the stream ids, in {@link #head} and {@link #tail}. */
	private final int[] headIds;

	private final int[] tailIds;

	/** Index of the header of DATA in {@link #head}, -1 if there is none. */
	private final int data;

	private final int generation;

	private FrameTemplate(byte[] head, byte[] tail, int data, int generation) {
		this.head = head;
		this.tail = tail;
		this.headIds = streamIds(head, data);
		this.tailIds = streamIds(tail, -1);
		this.data = data;
		this.generation = generation;
	}

	/** Returns the indexes of the ids; nothing follows the header of DATA. */
	private static int[] streamIds(byte[] frames, int data) {
		List<Integer> ids = new ArrayList<>();
		int index = 0;
		while (index < frames.length) {
			ids.add(index + Http2FrameFormat.STREAM_ID);
			index += Http2FrameFormat.HEADER_LENGTH + ((index == data) ? 0 : length(frames, index));
		}
		return ids.stream().mapToInt(Integer::intValue).toArray();
	}

	private static int length(byte[] frames, int index) {
		return ((frames[index] & 0xff) << 16) | ((frames[index + 1] & 0xff) << 8) | (frames[index + 2] & 0xff);
	}

	/**
	 * Creates a template from frames of one stream.
	 * @param frames buffer that ends with the frames: HEADERS, at most one DATA, HEADERS
	 * @param start index of the first frame
	 * @param generation generation of the encoder before and after they were encoded
	 */
	public static FrameTemplate capture(ByteBuf frames, int start, int generation) {
		byte[] all = ByteBufUtil.getBytes(frames, start, frames.writerIndex() - start);
		int data = -1;
		int headEnd = all.length;
		int tailStart = all.length;
		for (int i = 0; i < all.length; i += Http2FrameFormat.HEADER_LENGTH + length(all, i)) {
			if (all[i + Http2FrameFormat.TYPE] != Http2FrameFormat.DATA) {
				continue;
			}
			if (data >= 0) {
				throw new IllegalArgumentException("frames of a template: two DATA (expected: at most one)");
			}
			data = i;
			headEnd = i + Http2FrameFormat.HEADER_LENGTH;
			tailStart = headEnd + length(all, i);
		}
		return new FrameTemplate(Arrays.copyOf(all, headEnd), Arrays.copyOfRange(all, tailStart, all.length), data,
				generation);
	}

	/** Returns the generation of the encoder for which this template is valid. */
	public int generation() {
		return this.generation;
	}

	/**
	 * Writes the frames up to the data, the header of DATA included. The data has to
	 * follow, and {@link #writeTail}.
	 * @param out target
	 * @param streamId id of the stream
	 * @param dataLength length of the data in bytes, any number if there is no DATA
	 */
	public void writeHead(ByteBuf out, int streamId, int dataLength) {
		int index = out.writerIndex();
		write(out, this.head, this.headIds, streamId);
		if (this.data >= 0) {
			out.setMedium(index + this.data, dataLength);
		}
	}

	/**
	 * Writes the frames behind the data, if there are any.
	 * @param out target
	 * @param streamId id of the stream
	 */
	public void writeTail(ByteBuf out, int streamId) {
		write(out, this.tail, this.tailIds, streamId);
	}

	private static void write(ByteBuf out, byte[] frames, int[] ids, int streamId) {
		int index = out.writerIndex();
		out.writeBytes(frames);
		for (int id : ids) {
			out.setInt(index + id, streamId);
		}
	}

}
