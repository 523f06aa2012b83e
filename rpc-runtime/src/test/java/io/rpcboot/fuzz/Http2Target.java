package io.rpcboot.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rpcboot.internal.protocol.http2.HpackEncoder.Indexing;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.protocol.http2.Http2FrameReader;
import io.rpcboot.internal.protocol.http2.Http2FrameWriter;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.internal.protocol.http2.RecordedFrames;
import io.rpcboot.internal.protocol.http2.RecordingResolver;

/**
 * Reads frames of HTTP/2, at once and in pieces: what is reported and how it ends must
 * not depend on the cuts. The first byte of an input is the size of the pieces; from 128
 * on, the reader is that of a client.
 */
public final class Http2Target implements FuzzTarget {

	private static final int MAX_LIST = 2048;

	private static final int CLIENT = 128;

	/** Text of each event, and fields. */
	private static final int EVENTS = 200;

	@Override
	public void run(byte[] input) {
		if (input.length == 0) {
			return;
		}
		Bounds.check(EVENTS * input.length, () -> read(input));
	}

	private static void read(byte[] input) {
		int first = Byte.toUnsignedInt(input[0]);
		byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
		List<String> whole = events(bytes, first >= CLIENT, bytes.length);
		List<String> pieces = events(bytes, first >= CLIENT, Math.max(1, first % CLIENT));
		if (!whole.equals(pieces)) {
			throw new AssertionError("at once: %s%nin pieces: %s".formatted(whole, pieces));
		}
	}

	private static List<String> events(byte[] bytes, boolean client, int size) {
		RecordedFrames frames = new RecordedFrames();
		frames.validation = (validator) -> {
			validator.requireTrailers(1);
			validator.requireRequest(1);
		};
		RecordingResolver resolver = new RecordingResolver();
		Http2FrameReader reader = client
				? Http2FrameReader.client(new byte[1 << 16], resolver, MAX_LIST, () -> 0, frames)
				: Http2FrameReader.server(new byte[1 << 16], resolver, MAX_LIST, () -> 0, frames);
		try {
			for (int i = 0; i < bytes.length; i += size) {
				reader.read(Unpooled.wrappedBuffer(bytes, i, Math.min(size, bytes.length - i)));
			}
		}
		catch (Http2Exception ex) {
			if (!ex.isConnectionError() || reader.isInFrame()) {
				throw new AssertionError("the reader has not ended", ex);
			}
			frames.events.add(ex.error() + ": " + ex.getMessage());
		}
		return frames.events;
	}

	@Override
	public List<byte[]> seeds() {
		List<byte[]> seeds = new ArrayList<>();
		for (int first : new int[] { 0, 1, 7, 64, CLIENT, CLIENT + 5 }) {
			Http2FrameWriter writer = new Http2FrameWriter();
			ByteBuf out = Unpooled.buffer();
			out.writeByte(first);
			if (first < CLIENT) {
				writer.preface(out);
			}
			writer.settings(out, new Http2Settings().set(Http2Settings.HEADER_TABLE_SIZE, 4096)
				.set(Http2Settings.INITIAL_WINDOW_SIZE, 65_535));
			writer.settingsAck(out);
			for (int id = 1; id < 6; id += 2) {
				message(writer, out, id, first < CLIENT);
			}
			writer.apply(new Http2Settings().set(Http2Settings.HEADER_TABLE_SIZE, 100));
			message(writer, out, 7, first < CLIENT);
			out.writeBytes(ByteBufUtil.decodeHexDump("0000030100000000098286840000020904000000098488"));
			out.writeBytes(ByteBufUtil.decodeHexDump("00000c012d0000000b01000000031082868d42e41f00"));
			writer.rstStream(out, 5, Http2Error.CANCEL);
			writer.ping(out, 1);
			writer.pingAck(out, 2);
			writer.windowUpdate(out, 0, 1000);
			writer.windowUpdate(out, 3, 1000);
			writer.goAway(out, 7, Http2Error.NO_ERROR, "bye");
			seeds.add(ByteBufUtil.getBytes(out));
		}
		return seeds;
	}

	private static void message(Http2FrameWriter writer, ByteBuf out, int streamId, boolean request) {
		int index = writer.beginHeaders(out, streamId, false);
		if (request) {
			writer.encoder().encode(out, ":method", "POST", Indexing.FIELD);
			writer.encoder().encode(out, ":scheme", "http", Indexing.FIELD);
			writer.encoder().encode(out, ":path", "/com.example.Service/Method", Indexing.FIELD);
			writer.encoder().encode(out, "te", "trailers", Indexing.FIELD);
			writer.encoder().encode(out, "grpc-timeout", streamId + "m", Indexing.NAME);
			writer.encoder().encode(out, "authorization", "secret", Indexing.NEVER);
		}
		else {
			writer.encoder().encode(out, ":status", "200", Indexing.FIELD);
		}
		writer.encoder().encode(out, "content-type", "application/grpc", Indexing.FIELD);
		writer.endHeaders(out, index);
		writer.data(out, streamId, new byte[] { 0, 0, 0, 0, 2, 8, 1 }, 0, 7, request);
		if (!request) {
			int trailers = writer.beginHeaders(out, streamId, true);
			writer.encoder().encode(out, "grpc-status", "0", Indexing.FIELD);
			writer.encoder().encode(out, "x-trailer", "any", Indexing.NONE);
			writer.endHeaders(out, trailers);
		}
	}

}
