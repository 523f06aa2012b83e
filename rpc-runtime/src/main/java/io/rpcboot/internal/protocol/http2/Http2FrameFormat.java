package io.rpcboot.internal.protocol.http2;

import java.nio.charset.StandardCharsets;

/**
 * Layout of frames (RFC 9113, sections 3.4, 4.1 and 6): preface of the client, length of
 * the header, numbers of types and flags.
 *
 * <pre>
 * +--------+------+-------+---------------------------+
 * | length | type | flags | stream id, first bit zero |
 * +--------+------+-------+---------------------------+
 *   3        1      1       4
 * </pre>
 */
final class Http2FrameFormat {

	static final int HEADER_LENGTH = 9;

	/** Indexes within a header. */
	static final int FLAGS = 4;

	static final int TYPE = 3;

	static final int STREAM_ID = 5;

	static final int DATA = 0;

	static final int HEADERS = 1;

	static final int PRIORITY = 2;

	static final int RST_STREAM = 3;

	static final int SETTINGS = 4;

	static final int PUSH_PROMISE = 5;

	static final int PING = 6;

	static final int GOAWAY = 7;

	static final int WINDOW_UPDATE = 8;

	static final int CONTINUATION = 9;

	/** DATA and HEADERS: nothing of the stream follows from this side. */
	static final int END_STREAM = 1;

	/** SETTINGS and PING: acknowledgement. */
	static final int ACK = 1;

	/** HEADERS and CONTINUATION: the header block is complete. */
	static final int END_HEADERS = 4;

	/** DATA and HEADERS: the payload begins with a length of padding and ends with it. */
	static final int PADDED = 8;

	/** HEADERS: {@link #PRIORITY_LENGTH} bytes precede the block. */
	static final int PRIORITY_FLAG = 32;

	/** Stream id and weight of a stream that another depends on. */
	static final int PRIORITY_LENGTH = 5;

	/** Mask of a stream id, a window increment or a setting of 31 bits. */
	static final int MASK_31_BITS = 0x7fffffff;

	private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

	private Http2FrameFormat() {
	}

	/** Returns the bytes that a client sends before its first frame. */
	static byte[] preface() {
		return PREFACE.getBytes(StandardCharsets.US_ASCII);
	}

}
