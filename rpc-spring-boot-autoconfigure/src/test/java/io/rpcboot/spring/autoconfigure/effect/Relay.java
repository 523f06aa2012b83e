package io.rpcboot.spring.autoconfigure.effect;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A network between clients and a server that withholds bytes: it delivers some of each
 * connection and then nothing, but keeps the connection open.
 */
final class Relay implements AutoCloseable {

	private final ServerSocket listener;

	private volatile int target;

	private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

	/** Number of times that bytes of a client arrived. */
	final AtomicLong reads = new AtomicLong();

	private volatile long mostUp = Long.MAX_VALUE;

	private volatile long mostDown = Long.MAX_VALUE;

	Relay(int target) throws IOException {
		this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		this.target = target;
		start(this::accept);
	}

	int port() {
		return this.listener.getLocalPort();
	}

	/** Connects clients to another server from now on. */
	void target(int port) {
		this.target = port;
	}

	/**
	 * Delivers only the first bytes of each connection.
	 * @param up bytes to the server
	 * @param down bytes to the client
	 */
	void withholdAfter(long up, long down) {
		this.mostUp = up;
		this.mostDown = down;
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "relay");
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.listener.accept();
				this.sockets.add(client);
				Socket server = new Socket(this.listener.getInetAddress(), this.target);
				this.sockets.add(server);
				start(() -> deliver(client, server, true));
				start(() -> deliver(server, client, false));
			}
		}
		catch (IOException ex) {
			close();
		}
	}

	private void deliver(Socket from, Socket to, boolean up) {
		byte[] buffer = new byte[8192];
		long delivered = 0;
		try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
			for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
				if (up) {
					this.reads.incrementAndGet();
				}
				int passed = (int) Math.min(read, Math.max(0, (up ? this.mostUp : this.mostDown) - delivered));
				out.write(buffer, 0, passed);
				delivered += passed;
			}
		}
		catch (IOException ex) {
			// closed, as the end of both sockets
		}
	}

	@Override
	public void close() {
		try {
			this.listener.close();
			for (Socket each : this.sockets) {
				each.close();
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
