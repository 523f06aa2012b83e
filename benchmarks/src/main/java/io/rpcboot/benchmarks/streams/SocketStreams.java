package io.rpcboot.benchmarks.streams;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.benchmarks.system.BenchServer;

/**
 * Copy of bytes through a blocking socket: the limit of a file in one stream.
 */
final class SocketStreams implements StreamSystem {

	private static final int BUFFER = 64 * 1024;

	@Override
	public String name() {
		return "socket";
	}

	@Override
	public String settings() {
		return "windows: of TCP; buffers: " + BUFFER / 1024 + " KB; executors: a blocking thread on each side";
	}

	@Override
	public boolean supports(Direction direction) {
		return direction == Direction.BYTES;
	}

	@Override
	public BenchServer startServer() throws IOException {
		return new Server();
	}

	@Override
	public StreamClient connect(int port) {
		return new Client(port);
	}

	private static final class Server implements BenchServer {

		private final ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());

		Server() throws IOException {
			Thread thread = new Thread(this::accept, "socket");
			thread.setDaemon(true);
			thread.start();
		}

		private void accept() {
			while (!this.socket.isClosed()) {
				try (Socket accepted = this.socket.accept()) {
					serve(accepted);
				}
				catch (IOException ex) {
					ex.printStackTrace();
				}
			}
		}

		private static void serve(Socket accepted) throws IOException {
			InputStream file = Elements.stream(new DataInputStream(accepted.getInputStream()).readLong());
			byte[] buffer = new byte[BUFFER];
			int read;
			while ((read = file.read(buffer, 0, buffer.length)) >= 0) {
				accepted.getOutputStream().write(buffer, 0, read);
			}
		}

		@Override
		public int port() {
			return this.socket.getLocalPort();
		}

		@Override
		public void close() {
			try {
				this.socket.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

	private record Client(int port) implements StreamClient {

		@Override
		public CompletableFuture<Long> open(Direction direction, int bytes, int count) {
			return CompletableFuture.supplyAsync(() -> copy((long) bytes * count));
		}

		private long copy(long length) {
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
				new DataOutputStream(socket.getOutputStream()).writeLong(length);
				return Elements.readAll(socket.getInputStream());
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public void close() {
			// a copy has a connection of its own
		}

	}

}
