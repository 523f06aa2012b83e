package io.rpcboot.internal.protocol.http2;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** A reader, the frames that it has reported, and frames in hex for it. */
final class ReaderFixture {

	static final String PREFACE = HexFormat.of()
		.formatHex("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

	static final String SETTINGS = frame(4, 0, 0, "");

	/** Fields of a request: POST http /. */
	static final String REQUEST = "838684";

	static final int MAX_LIST = 1000;

	final RecordedFrames frames = new RecordedFrames();

	long nanos;

	final Http2FrameReader reader;

	private ReaderFixture(boolean server, int chunk) {
		byte[] array = new byte[chunk];
		RecordingResolver resolver = new RecordingResolver();
		this.reader = server ? Http2FrameReader.server(array, resolver, MAX_LIST, () -> this.nanos, this.frames)
				: Http2FrameReader.client(array, resolver, MAX_LIST, () -> this.nanos, this.frames);
	}

	/** A server that has read nothing. */
	static ReaderFixture server() {
		return new ReaderFixture(true, 64 * 1024);
	}

	static ReaderFixture server(int chunk) {
		return new ReaderFixture(true, chunk);
	}

	static ReaderFixture client() {
		return new ReaderFixture(false, 64 * 1024);
	}

	/** A server that has read the preface and empty SETTINGS, with nothing recorded. */
	static ReaderFixture open() {
		ReaderFixture fixture = server();
		fixture.receive(PREFACE + SETTINGS);
		fixture.frames.events.clear();
		return fixture;
	}

	static String frame(int type, int flags, int streamId, String payload) {
		String compact = payload.replace(" ", "");
		return "%06x%02x%02x%08x%s".formatted(compact.length() / 2, type, flags, streamId, compact);
	}

	static byte[] bytes(String hex) {
		return HexFormat.of().parseHex(hex.replace(" ", ""));
	}

	void receive(String hex) {
		receive(bytes(hex));
	}

	void receive(byte[] bytes) {
		receive(bytes, 0, bytes.length);
	}

	void receive(byte[] bytes, int from, int to) {
		ByteBuf in = Unpooled.directBuffer(Math.max(1, to - from)).writeBytes(bytes, from, to - from);
		try {
			this.reader.read(in);
		}
		finally {
			if (in.isReadable() || in.refCnt() != 1) {
				throw new AssertionError("all bytes are read, and the buffer is the caller's");
			}
			in.release();
		}
	}

}
