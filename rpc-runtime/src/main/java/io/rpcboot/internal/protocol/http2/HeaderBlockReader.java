package io.rpcboot.internal.protocol.http2;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Reads header blocks: a HEADERS frame, and the CONTINUATION frames that follow if the
 * block is longer. A block in one frame is decoded in place; the parts of others are
 * gathered first.
 */
final class HeaderBlockReader {

	/** Number of CONTINUATION frames that a block may have. */
	static final int MAX_CONTINUATIONS = 16;

	/** Longest block in several frames, in limits of the decoded list. */
	static final int MAX_LISTS = 2;

	private static final byte[] NOTHING = {};

	private final HpackDecoder decoder;

	private final Http2FrameListener listener;

	private final HeaderValidator validator = new HeaderValidator();

	private final Consumer<HeaderField> fields = this::acceptField;

	private final long maxLength;

	/** Stream of the block that is not complete, 0 if there is none. */
	private int streamId;

	/** True if HEADERS of this block ended its stream. */
	private boolean endStream;

	/** True if HEADERS of this block made its stream depend on itself. */
	private boolean selfDependent;

	private byte[] block = NOTHING;

	private int length;

	private int continuations;

	private boolean decoding;

	HeaderBlockReader(HeaderResolver resolver, int maxListSize, Http2FrameListener listener) {
		this.decoder = new HpackDecoder(resolver, maxListSize);
		this.maxLength = (long) MAX_LISTS * maxListSize;
		this.listener = listener;
	}

	private void acceptField(HeaderField field) {
		this.validator.accept(field);
		this.listener.onHeader(field);
	}

	/** Returns true if only CONTINUATION may follow. */
	boolean isIncomplete() {
		return this.streamId != 0;
	}

	/** Returns the memory of a block that is not complete, in bytes. */
	int held() {
		return this.block.length;
	}

	/** Returns true if a block failed before its end. */
	boolean isDecoding() {
		return this.decoding;
	}

	/**
	 * Reads a HEADERS frame.
	 * @param in holds the payload without padding
	 * @param from index of its first byte
	 * @param to index behind its last byte
	 * @param flags flags of the frame
	 * @param id id of its stream
	 */
	void headers(byte[] in, int from, int to, int flags, int id) {
		int start = from;
		this.selfDependent = false;
		if ((flags & Http2FrameFormat.PRIORITY_FLAG) != 0) {
			start += Http2FrameFormat.PRIORITY_LENGTH;
			if (start > to) {
				throw Http2Exception.connection(Http2Error.FRAME_SIZE_ERROR, "HEADERS: shorter than its priority");
			}
			this.selfDependent = Http2FrameReader.int31(in, from) == id;
		}
		this.endStream = (flags & Http2FrameFormat.END_STREAM) != 0;
		if ((flags & Http2FrameFormat.END_HEADERS) != 0) {
			decode(in, start, to, id);
			return;
		}
		this.streamId = id;
		this.continuations = 0;
		this.length = 0;
		append(in, start, to);
	}

	private void append(byte[] in, int from, int to) {
		int count = to - from;
		if (this.block.length < this.length + count) {
			this.block = Arrays.copyOf(this.block, Math.max(2 * this.block.length, this.length + count));
		}
		System.arraycopy(in, from, this.block, this.length, count);
		this.length += count;
	}

	/**
	 * Reads a CONTINUATION frame.
	 * @param in holds the payload
	 * @param from index of its first byte
	 * @param to index behind its last byte
	 * @param flags flags of the frame
	 * @param id id of its stream
	 */
	void continuation(byte[] in, int from, int to, int flags, int id) {
		if (this.streamId == 0 || id != this.streamId) {
			throw Http2Exception.connection(Http2Error.PROTOCOL_ERROR,
					"CONTINUATION: does not follow a header block of its stream (expected: HEADERS before it)");
		}
		this.continuations++;
		if (this.continuations > MAX_CONTINUATIONS || (long) this.length + to - from > this.maxLength) {
			throw Http2Exception.connection(Http2Error.ENHANCE_YOUR_CALM,
					"CONTINUATION: too long a block (expected: 16 frames, twice the limit of the header list)");
		}
		append(in, from, to);
		if ((flags & Http2FrameFormat.END_HEADERS) != 0) {
			byte[] complete = this.block;
			reset();
			decode(complete, 0, this.length, id);
		}
	}

	/** Forgets a block that is not complete. */
	void reset() {
		this.streamId = 0;
		this.block = NOTHING;
	}

	private void decode(byte[] in, int from, int to, int id) {
		this.decoding = true;
		this.validator.begin();
		if (this.selfDependent) {
			this.validator.reject("HEADERS: stream depends on itself (expected: another stream)");
		}
		this.listener.onHeadersBegin(id);
		boolean complete = this.decoder.decode(in, from, to, this.fields);
		this.decoding = false;
		this.listener.onHeadersEnd(id, this.endStream, !complete, this.validator);
	}

}
