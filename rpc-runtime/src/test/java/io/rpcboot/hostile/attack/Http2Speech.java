package io.rpcboot.hostile.attack;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Frames of HTTP/2 and requests of gRPC, for attackers. */
final class Http2Speech {

	static final int DATA = 0;

	static final int HEADERS = 1;

	static final int PRIORITY = 2;

	static final int RST_STREAM = 3;

	static final int SETTINGS = 4;

	static final int PING = 6;

	static final int WINDOW_UPDATE = 8;

	static final int CONTINUATION = 9;

	static final int UNKNOWN = 99;

	static final int END_STREAM = 1;

	static final int END_HEADERS = 4;

	static final int INITIAL_WINDOW_SIZE = 4;

	static final byte[] NOTHING = {};

	private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final int HEADER = 9;

	private static final int PREFIX = 5;

	/** POST and http, by their indexes in the static table. */
	private static final byte[] POST = { (byte) 0x83, (byte) 0x86 };

	private static final int PATH = 0x04;

	/** The name content-type, without indexing. */
	private static final byte[] CONTENT_TYPE = { 0x0f, 0x10 };

	private Http2Speech() {
	}

	static ByteBuffer preface() {
		return ByteBuffer.wrap(PREFACE);
	}

	static byte[] frame(int type, int flags, int streamId, byte... payload) {
		return ByteBuffer.allocate(HEADER + payload.length)
			.putInt(payload.length << Byte.SIZE | type)
			.put((byte) flags)
			.putInt(streamId)
			.put(payload)
			.array();
	}

	static byte[] settings(int parameter, int value) {
		return frame(SETTINGS, 0, 0, ByteBuffer.allocate(6).putShort((short) parameter).putInt(value).array());
	}

	/** Returns the header fields of a call. */
	static byte[] request(String path) {
		return request(path, "application/grpc");
	}

	static byte[] request(String path, String contentType) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.writeBytes(POST);
		out.write(PATH);
		text(out, path);
		out.writeBytes(CONTENT_TYPE);
		text(out, contentType);
		return out.toByteArray();
	}

	/** Writes a text of at most 2^14 bytes. */
	static void text(ByteArrayOutputStream out, String text) {
		int length = text.length();
		if (length < 0x7f) {
			out.write(length);
		}
		else {
			out.write(0x7f);
			out.write((length - 0x7f) % 0x80 | 0x80);
			out.write((length - 0x7f) / 0x80);
		}
		out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
	}

	static byte[] headers(int streamId, String path) {
		return frame(HEADERS, END_HEADERS, streamId, request(path));
	}

	/** Returns the path of a method of the victim. */
	static String path(String method) {
		return "/io.rpcboot.hostile.victim.VictimService/" + method;
	}

	/** Returns DATA with a message, or the begin of one. */
	static byte[] message(int streamId, int length, int flags, byte... bytes) {
		return frame(DATA, flags, streamId,
				ByteBuffer.allocate(PREFIX + bytes.length).put((byte) 0).putInt(length).put(bytes).array());
	}

	/** Returns a whole call with a number as its argument. */
	static byte[] call(int streamId, String path, int argument) {
		byte[] head = headers(streamId, path);
		byte[] data = message(streamId, 6, END_STREAM, (byte) 8, (byte) (argument | 0x80),
				(byte) (argument >>> 7 | 0x80), (byte) (argument >>> 14 | 0x80), (byte) (argument >>> 21 | 0x80),
				(byte) 0);
		return ByteBuffer.allocate(head.length + data.length).put(head).put(data).array();
	}

}
