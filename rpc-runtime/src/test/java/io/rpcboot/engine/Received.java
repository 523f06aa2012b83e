package io.rpcboot.engine;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A frame that came from the other side. */
record Received(int type, int flags, int code, long callId, byte[] body) {

	static Received read(DataInputStream in) throws IOException {
		int length = in.readInt();
		int word = in.readInt();
		return new Received(word >>> 24, (word >>> 16) & 0xff, word & 0xffff, in.readLong(), in.readNBytes(length));
	}

	String text() {
		return new String(this.body, StandardCharsets.UTF_8);
	}

}
