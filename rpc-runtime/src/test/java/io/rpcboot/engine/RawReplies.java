package io.rpcboot.engine;

import java.util.Map;

import io.netty.buffer.ByteBuf;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.protocol.BindReply;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.Window;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

/** What a server says to clients of {@link Calls}, as bytes. */
final class RawReplies {

	private RawReplies() {
	}

	/** The body of a BIND_REPLY: every method is there. */
	static byte[] bound() {
		return new BindReply(new ProtostuffSerializer().codec(ServiceDescriptor.of(Calls.class)).contract().hash(),
				Map.of())
			.encode();
	}

	static void window(ByteBuf out, long calls, long bytes) {
		byte[] body = Window.encode(bytes);
		FrameHeader.write(out, body.length, FrameType.WINDOW, 0, 0, calls);
		out.writeBytes(body);
	}

}
