package io.rpcboot.engine.access;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.internal.protocol.binary.Bind;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Hello;
import io.rpcboot.internal.protocol.binary.Preface;
import io.rpcboot.internal.protocol.binary.Window;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.ContractHash;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import org.jspecify.annotations.Nullable;
import java.util.HashMap;
import java.util.Map;

/** Client of {@link Guarded} that sends what the test says. */
final class RawClient implements AutoCloseable {

	static final ServiceDescriptor SERVICE = ServiceDescriptor.of(Guarded.class);

	static final ServiceCodec CODEC = new ProtostuffSerializer().codec(SERVICE);

	private final Socket socket;

	private final DataInputStream in;

	/** Responses to other calls than that of the test. */
	private final Map<Long, Received> early = new HashMap<>();

	private long lastId;

	private boolean prefaceRead;

	private boolean introduced;

	RawClient(int port, @Nullable String credentials) throws IOException {
		this.socket = new Socket("127.0.0.1", port);
		this.socket.setSoTimeout(30_000);
		this.in = new DataInputStream(this.socket.getInputStream());
		ByteBuf preface = Unpooled.buffer();
		Preface.write(preface);
		this.socket.getOutputStream().write(ByteBufUtil.getBytes(preface));
		if (credentials != null) {
			authenticate(credentials);
		}
		frame(FrameType.HELLO, 0, 0, new Hello(1 << 20, List.of("protostuff"), "raw", 0).encode());
		frame(FrameType.WINDOW, 0, 0, Window.encode(1 << 20));
		bind(0, SERVICE.id().toString(), CODEC.contract().hash());
	}

	void bind(int first, String service, ContractHash contract) throws IOException {
		frame(FrameType.BIND, first, 0,
				new Bind(SERVICE.methods().size(), contract, List.of(), service, "protostuff").encode());
	}

	void authenticate(String credentials) throws IOException {
		byte[] text = credentials.getBytes(StandardCharsets.US_ASCII);
		int half = text.length / 2;
		frame(FrameType.AUTH, 1, 0, Arrays.copyOf(text, half));
		frame(FrameType.AUTH, 0, 0, Arrays.copyOfRange(text, half, text.length));
	}

	void frame(int type, int code, long callId, byte[] body) throws IOException {
		ByteBuf out = Unpooled.buffer();
		FrameHeader.write(out, body.length, type, 0, code, callId);
		out.writeBytes(body);
		this.socket.getOutputStream().write(ByteBufUtil.getBytes(out));
	}

	Received read(int type) throws IOException {
		if (!this.prefaceRead) {
			this.prefaceRead = true;
			this.in.readNBytes(Preface.LENGTH);
		}
		while (true) {
			Received frame = Received.read(this.in);
			this.introduced |= frame.type() == FrameType.HELLO;
			if (frame.type() == type) {
				return frame;
			}
		}
	}

	/** Name of the caller, or the status of the refusal. */
	String caller() throws IOException {
		return result(call("caller"));
	}

	/** Sends a call; returns its number. */
	long call(String method) throws IOException {
		if (!this.introduced) {
			read(FrameType.HELLO);
		}
		frame(FrameType.REQUEST, number(method), ++this.lastId, new byte[0]);
		return this.lastId;
	}

	private static int number(String method) {
		return SERVICE.methods()
			.stream()
			.filter((each) -> each.name().equals(method))
			.findFirst()
			.orElseThrow()
			.number();
	}

	/** The text that a call returned, or its status, with a mark if it has run. */
	String result(long callId) throws IOException {
		Received response = this.early.remove(callId);
		while (response == null) {
			Received next = read(FrameType.RESPONSE);
			if (next.callId() == callId) {
				response = next;
			}
			else {
				this.early.put(next.callId(), next);
			}
		}
		if (response.code() == 0) {
			return String.valueOf(CODEC.method(0).deserializeResult(response.body(), 0, response.body().length));
		}
		boolean hasRun = (response.flags() & FrameHeader.FLAG_NOT_EXECUTED) == 0;
		return RpcStatus.ofCode(response.code()) + (hasRun ? " after it ran" : "");
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
