package io.rpcboot.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.protocol.Bind;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

/** Calls of {@link Calls} as bytes, for peers that are no client or server of ours. */
final class RawCalls {

	private static final ServiceDescriptor SERVICE = ServiceDescriptor.of(Calls.class);

	private static final ServiceCodec CODEC = new ProtostuffSerializer().codec(SERVICE);

	private RawCalls() {
	}

	/** Give the methods their numbers, from 0 on. */
	static void bind(Peer peer) throws IOException {
		Bind bind = new Bind(SERVICE.methods().size(), CODEC.contract().hash(), List.of(), SERVICE.id().toString(),
				"protostuff");
		peer.frame(FrameType.BIND, 0, 0, 0, bind.encode());
	}

	/** Send a call that may take so long. */
	static void call(Peer peer, String method, long id, int remainingMillis, Object... arguments) throws IOException {
		byte[] bytes = serialized(method, arguments);
		byte[] body = ByteBuffer.allocate(Integer.BYTES + bytes.length).putInt(remainingMillis).put(bytes).array();
		int type = (descriptor(method).style() == MethodDescriptor.Style.ONE_WAY) ? FrameType.ONE_WAY
				: FrameType.REQUEST;
		peer.frame(type, FrameHeader.FLAG_DEADLINE, number(method), id, body);
	}

	/** Send a call of any method as one that has no answer. */
	static void oneWay(Peer peer, String method, long id, Object... arguments) throws IOException {
		peer.frame(FrameType.ONE_WAY, 0, number(method), id, serialized(method, arguments));
	}

	private static byte[] serialized(String method, Object... arguments) {
		OutputBuffer out = new OutputBuffer.Pool(1024).acquire();
		CODEC.method(number(method)).serializeArguments(arguments, out);
		return out.toByteArray();
	}

	/** What a client of ours has sent. */
	static Object[] arguments(Received request) {
		return CODEC.method(request.code())
			.deserializeArguments(request.body(), Integer.BYTES, request.body().length - Integer.BYTES);
	}

	static int remainingMillis(Received request) {
		return ByteBuffer.wrap(request.body()).getInt();
	}

	static boolean isCallOf(Received frame, String method) {
		return (frame.type() == FrameType.REQUEST || frame.type() == FrameType.ONE_WAY)
				&& frame.code() == number(method);
	}

	/** The answer of a server to a call. */
	static void answer(Peer peer, Received request, Object result) throws IOException {
		OutputBuffer out = new OutputBuffer.Pool(1024).acquire();
		CODEC.method(request.code()).serializeResult(result, out);
		peer.frame(FrameType.RESPONSE, 0, 0, request.callId(), out.toByteArray());
	}

	private static int number(String method) {
		return descriptor(method).number();
	}

	private static MethodDescriptor descriptor(String method) {
		return SERVICE.methods().stream().filter((each) -> each.name().equals(method)).findFirst().orElseThrow();
	}

}
