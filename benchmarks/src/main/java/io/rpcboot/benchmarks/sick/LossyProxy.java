package io.rpcboot.benchmarks.sick;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A way to an instance that loses packets. What TCP makes of a loss is a pause, after
 * which everything that was lost and all that came behind it arrives: 200 ms, and twice
 * as long for each time that it is lost again.
 */
final class LossyProxy implements AutoCloseable {

	private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1600);

	private static final int PACKET = 1 << 16;

	private final ServerSocket acceptor;

	private final int port;

	private final Collection<Socket> sockets = new ConcurrentLinkedQueue<>();

	private volatile double loss;

	/**
	 * Begin without loss.
	 * @param port of the instance
	 */
	LossyProxy(int port) throws IOException {
		this.port = port;
		this.acceptor = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	int port() {
		return this.acceptor.getLocalPort();
	}

	/** Lose a share of the packets in both directions. */
	void lose(double share) {
		this.loss = share;
	}

	private void accept() {
		while (true) {
			try {
				Socket near = keep(this.acceptor.accept());
				Socket far = keep(new Socket(InetAddress.getLoopbackAddress(), this.port));
				start(() -> pass(near, far));
				start(() -> pass(far, near));
			}
			catch (IOException ex) {
				if (this.acceptor.isClosed()) {
					return;
				}
			}
		}
	}

	private Socket keep(Socket socket) throws IOException {
		socket.setTcpNoDelay(true);
		this.sockets.add(socket);
		return socket;
	}

	private void pass(Socket from, Socket to) {
		byte[] bytes = new byte[PACKET];
		try (from; to) {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
				long pause = FIRST_PAUSE_NANOS;
				while (ThreadLocalRandom.current().nextDouble() < this.loss) {
					LockSupport.parkNanos(pause);
					pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
				}
				out.write(bytes, 0, count);
			}
		}
		catch (IOException ignored) {
			// one of the two has ended
		}
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "lossy-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.acceptor.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

}
