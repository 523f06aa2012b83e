package io.rpcboot.engine;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.Hello;
import io.rpcboot.internal.protocol.Preface;

/** Connections that no client of ours would make. */
final class Garbage {

	static final int KINDS = 9;

	private static final int WAIT_MILLIS = 10_000;

	private final int port;

	private final Random random;

	Garbage(int port, long seed) {
		this.port = port;
		this.random = new Random(seed);
	}

	/** Make a connection that must be ended by the server or ends by itself. */
	void send(int kind) throws IOException {
		switch (kind % KINDS) {
			case 0 -> expectClose(Unpooled.wrappedBuffer(bytes(1 + this.random.nextInt(500), 8)));
			case 1 -> expectClose(
					Unpooled.wrappedBuffer("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
			case 2 -> expectClose(frames((out) -> header(out, Integer.MAX_VALUE, FrameType.REQUEST, 1)));
			case 3 -> expectClose(frames((out) -> header(out, -1, FrameType.HELLO, 0)));
			case 4 -> expectClose(greeting((out) -> header(out, 0, 17 + this.random.nextInt(239), 0)));
			case 5 -> expectClose(greeting((out) -> out.writeBytes(bytes(16 + this.random.nextInt(2000), 16))));
			case 6 -> truncated();
			case 7 -> expectClose(greeting((out) -> {
				header(out, 2, FrameType.REQUEST, 1);
				out.writeShort(0);
			}));
			default -> expectClose(greeting((out) -> {
				header(out, 5, FrameType.BIND, 0);
				out.writeBytes(bytes(5, 5));
			}));
		}
	}

	/** At least so many bytes, so that the server has something to judge. */
	private byte[] bytes(int length, int least) {
		byte[] result = new byte[Math.max(length, least)];
		this.random.nextBytes(result);
		// no preface and no known frame begins like this
		result[0] = (byte) 0xff;
		return result;
	}

	static ByteBuf frames(Consumer<ByteBuf> more) {
		ByteBuf out = Unpooled.buffer();
		Preface.write(out);
		more.accept(out);
		return out;
	}

	static ByteBuf greeting(Consumer<ByteBuf> more) {
		return frames((out) -> {
			byte[] hello = new Hello(1 << 20, List.of("protostuff"), "garbage", 0, false).encode();
			header(out, hello.length, FrameType.HELLO, 0);
			out.writeBytes(hello);
			more.accept(out);
		});
	}

	static void header(ByteBuf out, int length, int type, long callId) {
		FrameHeader.write(out, length, type, (type == FrameType.REQUEST) ? FrameHeader.FLAG_DEADLINE : 0, 0, callId);
	}

	/** The client goes away in the middle of a frame. */
	private void truncated() throws IOException {
		ByteBuf whole = greeting((out) -> {
			header(out, 1000, FrameType.REQUEST, 1);
			out.writeZero(1000);
		});
		int length = 1 + this.random.nextInt(whole.readableBytes() - 1);
		try (Socket socket = connect()) {
			socket.getOutputStream().write(whole.array(), 0, length);
		}
	}

	private void expectClose(ByteBuf bytes) throws IOException {
		try (Socket socket = connect()) {
			try {
				socket.getOutputStream().write(bytes.array(), bytes.readerIndex(), bytes.readableBytes());
			}
			catch (IOException ignored) {
				return;
			}
			awaitClose(socket);
		}
	}

	/** Wait until the server has closed; fails after ten seconds. */
	static void awaitClose(Socket socket) throws IOException {
		socket.setSoTimeout(WAIT_MILLIS);
		InputStream in = socket.getInputStream();
		byte[] chunk = new byte[4096];
		try {
			while (in.read(chunk) >= 0) {
				continue;
			}
		}
		catch (SocketTimeoutException ex) {
			throw new AssertionError("the server does not close " + socket, ex);
		}
		catch (IOException ignored) {
			// reset: closed as well
		}
	}

	Socket connect() throws IOException {
		return new Socket(InetAddress.getLoopbackAddress(), this.port);
	}

}
