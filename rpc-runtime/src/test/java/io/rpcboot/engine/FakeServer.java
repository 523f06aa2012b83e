package io.rpcboot.engine;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Accepts connections, says what it is told to say, and listens from then on. */
final class FakeServer implements AutoCloseable {

	private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

	private final AtomicInteger accepted = new AtomicInteger();

	private final AtomicInteger ended = new AtomicInteger();

	private final byte[] greeting;

	FakeServer(byte[] greeting) throws IOException {
		this.greeting = greeting;
		start("fake-server", this::accept);
	}

	private static void start(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() {
		try {
			while (true) {
				Socket socket = this.listener.accept();
				this.sockets.add(socket);
				this.accepted.incrementAndGet();
				start("fake-connection", () -> listen(socket));
			}
		}
		catch (IOException ignored) {
			// closed
		}
	}

	private void listen(Socket socket) {
		try {
			socket.getOutputStream().write(this.greeting);
			InputStream in = socket.getInputStream();
			byte[] chunk = new byte[4096];
			while (in.read(chunk) >= 0) {
				continue;
			}
		}
		catch (IOException ignored) {
			// the client has closed
		}
		this.ended.incrementAndGet();
	}

	int port() {
		return this.listener.getLocalPort();
	}

	/** Connections so far. */
	int accepted() {
		return this.accepted.get();
	}

	/** Connections that the client has ended. */
	int ended() {
		return this.ended.get();
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

}
