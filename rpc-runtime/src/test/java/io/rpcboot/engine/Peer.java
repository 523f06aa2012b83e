package io.rpcboot.engine;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.protocol.Bind;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.Preface;
import io.rpcboot.internal.protocol.Window;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.contract.ContractHash;

/** A client that has introduced itself, and then says what it is told to say. */
final class Peer implements AutoCloseable {

	static final byte[] OLDER_TABLE = OlderCalls.codec().contract().text().getBytes(StandardCharsets.UTF_8);

	private static final int WAIT_MILLIS = 10_000;

	final Socket socket;

	final DataInputStream in;

	/** Frames that came while a grant was waited for. */
	private final Queue<Received> passed = new ArrayDeque<>();

	private long granted;

	private long sent;

	Peer(int port) throws IOException {
		this(port, 1 << 24);
	}

	/** A client that takes so many bytes of replies and says no more about it. */
	Peer(int port, long replyBytes) throws IOException {
		this.socket = new Garbage(port, 0).connect();
		this.socket.setSoTimeout(WAIT_MILLIS);
		this.in = new DataInputStream(this.socket.getInputStream());
		write(Garbage.greeting((out) -> window(out, 0, replyBytes)));
		this.in.readNBytes(Preface.LENGTH);
	}

	private static void window(ByteBuf out, long calls, long bytes) {
		byte[] window = Window.encode(bytes);
		Garbage.header(out, window.length, FrameType.WINDOW, calls);
		out.writeBytes(window);
	}

	/** The other way round: a server that was connected to. */
	Peer(Socket accepted) throws IOException {
		this.socket = accepted;
		this.socket.setSoTimeout(WAIT_MILLIS);
		this.in = new DataInputStream(accepted.getInputStream());
		write(Garbage.greeting((out) -> window(out, 1000, 1 << 20)));
		this.in.readNBytes(Preface.LENGTH);
	}

	void send(Consumer<ByteBuf> frames) throws IOException {
		ByteBuf out = Unpooled.buffer();
		frames.accept(out);
		write(out);
	}

	private void write(ByteBuf bytes) throws IOException {
		this.socket.getOutputStream().write(ByteBufUtil.getBytes(bytes));
	}

	/** The next frame of this type. */
	Received read(int type) throws IOException {
		Received frame = receive();
		while (frame.type() != type) {
			frame = receive();
		}
		return frame;
	}

	private Received receive() throws IOException {
		return this.passed.isEmpty() ? receiveNew() : this.passed.remove();
	}

	private Received receiveNew() throws IOException {
		Received frame = Received.read(this.in);
		if (frame.type() == FrameType.WINDOW) {
			this.granted = Window.decode(frame.body());
		}
		return frame;
	}

	/** The next frame, whatever it is, but what comes in any case. */
	Received next() throws IOException {
		Received frame = receive();
		while (frame.type() == FrameType.HELLO || frame.type() == FrameType.WINDOW || frame.type() == FrameType.NEED) {
			frame = receive();
		}
		return frame;
	}

	/** Bind the older version of the calls. */
	void bindOlder(int first, ContractHash... known) throws IOException {
		bind(first, OlderCalls.described().methods().size(), OlderCalls.codec().contract().hash(), known);
	}

	void bind(int first, int methods, ContractHash hash, ContractHash... known) throws IOException {
		Bind bind = new Bind(methods, hash, List.of(known), ServiceId.of(Calls.class).toString(), "protostuff");
		frame(FrameType.BIND, 0, first, 0, bind.encode());
	}

	void table(int first, byte[] table) throws IOException {
		frame(FrameType.CONTRACT, 0, first, 0, table);
	}

	/** Call a method of the older version. */
	void call(int first, String method, long id, Object... arguments) throws IOException {
		frame(FrameType.REQUEST, 0, first + OlderCalls.number(method), id, arguments(method, arguments));
	}

	static byte[] arguments(String method, Object... arguments) {
		OutputBuffer out = new OutputBuffer.Pool(1024).acquire();
		OlderCalls.codec().method(OlderCalls.number(method)).serializeArguments(arguments, out);
		return out.toByteArray();
	}

	static Object result(String method, Received response) {
		return OlderCalls.codec()
			.method(OlderCalls.number(method))
			.deserializeResult(response.body(), 0, response.body().length);
	}

	/** Send a frame; a long one asks for its grant and waits for it. */
	void frame(int type, int flags, int code, long id, byte[] body) throws IOException {
		placed(0, type, flags, code, id, body);
	}

	/** Send a frame, and before it where a long value lies, unless that is 0. */
	void placed(long place, int type, int flags, int code, long id, byte[] body) throws IOException {
		if (FrameType.needsGrant(type, flags)) {
			this.sent += body.length;
			if (body.length > FrameType.MAX_CONTROL_BODY) {
				awaitGrant(body.length);
			}
		}
		send((out) -> {
			if (place != 0) {
				FrameHeader.write(out, 0, FrameType.PLACE, 0, 0, place);
			}
			FrameHeader.write(out, body.length, type, flags, code, id);
			out.writeBytes(body);
		});
	}

	private void awaitGrant(int size) throws IOException {
		if (this.sent > this.granted) {
			send((out) -> FrameHeader.write(out, 0, FrameType.NEED, 0, 0, size));
		}
		while (this.sent > this.granted) {
			this.passed.add(receiveNew());
		}
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
