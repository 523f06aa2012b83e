package io.rpcboot.internal.transport.http2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.internal.transport.fixture.Wire;

/** Frame of HTTP/2 that was sent, read a second time for the tests. */
record SentFrame(Type type, int flags, int streamId, byte[] payload) {

	enum Type {

		DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION

	}

	/** Returns what was flushed since the last time. */
	static List<SentFrame> all(EmbeddedChannel channel) {
		channel.runPendingTasks();
		List<SentFrame> frames = new ArrayList<>();
		ByteBuf in = Wire.flushed(channel);
		while (in.isReadable()) {
			int length = in.readUnsignedMedium();
			Type type = Type.values()[in.readUnsignedByte()];
			int flags = in.readUnsignedByte();
			int streamId = in.readInt();
			frames.add(new SentFrame(type, flags, streamId, ByteBufUtil.getBytes(in.readSlice(length))));
		}
		return frames;
	}

	boolean endsStream() {
		return (this.type == Type.DATA || this.type == Type.HEADERS) && (this.flags & 1) != 0;
	}

	/** Type, stream and, for DATA, length. */
	@Override
	public String toString() {
		String length = (this.type == Type.DATA) ? " " + this.payload.length : "";
		return this.type + " " + this.streamId + length + (endsStream() ? " END" : "");
	}

	/** Joins payloads. */
	static byte[] join(byte[] first, byte[] second) {
		byte[] all = Arrays.copyOf(first, first.length + second.length);
		System.arraycopy(second, 0, all, first.length, second.length);
		return all;
	}

}
