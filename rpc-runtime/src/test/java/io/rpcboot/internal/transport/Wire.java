package io.rpcboot.internal.transport;

import java.util.ArrayList;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.Preface;

/** Frames as bytes, and back, written down a second time for the tests. */
final class Wire {

	private Wire() {
	}

	record Frame(int type, int flags, int code, long callId, List<Byte> body) {

		static Frame of(int type, int flags, int code, long callId, byte... body) {
			List<Byte> bytes = new ArrayList<>(body.length);
			for (byte b : body) {
				bytes.add(b);
			}
			return new Frame(type, flags, code, callId, bytes);
		}

		byte[] bodyBytes() {
			byte[] result = new byte[this.body.size()];
			for (int i = 0; i < result.length; i++) {
				result[i] = this.body.get(i);
			}
			return result;
		}

	}

	static byte[] preface() {
		ByteBuf out = Unpooled.buffer();
		Preface.write(out);
		return bytes(out);
	}

	static byte[] stream(List<Frame> frames) {
		ByteBuf out = Unpooled.buffer();
		Preface.write(out);
		frames.forEach((frame) -> write(out, frame));
		return bytes(out);
	}

	static byte[] header(int length, int type) {
		ByteBuf out = Unpooled.buffer();
		FrameHeader.write(out, length, type, 0, 0, 1);
		return bytes(out);
	}

	private static void write(ByteBuf out, Frame frame) {
		FrameHeader.write(out, frame.body().size(), frame.type(), frame.flags(), frame.code(), frame.callId());
		out.writeBytes(frame.bodyBytes());
	}

	static List<Frame> parse(ByteBuf in) {
		List<Frame> result = new ArrayList<>();
		while (in.isReadable()) {
			int length = in.readInt();
			int type = in.readUnsignedByte();
			int flags = in.readUnsignedByte();
			int code = in.readUnsignedShort();
			long callId = in.readLong();
			byte[] body = new byte[length];
			in.readBytes(body);
			result.add(Frame.of(type, flags, code, callId, body));
		}
		return result;
	}

	/** All that was flushed so far, each buffer released. */
	static ByteBuf flushed(EmbeddedChannel channel) {
		ByteBuf all = Unpooled.buffer();
		for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
			all.writeBytes(next);
			next.release();
		}
		return all;
	}

	/** The sizes of the buffers flushed so far, each buffer released. */
	static List<Integer> flushedSizes(EmbeddedChannel channel) {
		List<Integer> sizes = new ArrayList<>();
		for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
			sizes.add(next.readableBytes());
			next.release();
		}
		return sizes;
	}

	private static byte[] bytes(ByteBuf buffer) {
		byte[] result = new byte[buffer.readableBytes()];
		buffer.readBytes(result);
		return result;
	}

}
