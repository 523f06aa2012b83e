package io.rpcboot.benchmarks.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A way to a server on which bytes and records of TLS are counted: a record begins with
 * its type, its version and its length, RFC 8446 section 5.1.
 */
public final class RecordCounter implements AutoCloseable {

	private static final int HEADER = 5;

	private static final int BUFFER = 1 << 18;

	private final ServerSocket acceptor;

	private final int port;

	private final boolean isTls;

	private final Collection<Socket> sockets = new ConcurrentLinkedQueue<>();

	private final Direction requests = new Direction();

	private final Direction responses = new Direction();

	/**
	 * Begin to accept.
	 * @param port of the server
	 * @param isTls false if there are no records
	 * @throws IOException if there is no port
	 */
	public RecordCounter(int port, boolean isTls) throws IOException {
		this.port = port;
		this.isTls = isTls;
		this.acceptor = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	/**
	 * Bytes and records that have passed.
	 *
	 * @param requestBytes to the server
	 * @param requestRecords to the server; 0 without TLS
	 * @param responseBytes from the server
	 * @param responseRecords from the server; 0 without TLS
	 */
	public record Counts(double requestBytes, double requestRecords, double responseBytes, double responseRecords) {

		/**
		 * Returns the bytes and records of each call since then.
		 * @param before earlier counts
		 * @param calls of the time between
		 * @return the means
		 */
		public Counts perCall(Counts before, double calls) {
			return new Counts((this.requestBytes - before.requestBytes) / calls,
					(this.requestRecords - before.requestRecords) / calls,
					(this.responseBytes - before.responseBytes) / calls,
					(this.responseRecords - before.responseRecords) / calls);
		}

	}

	/** Counts of one direction; written by its thread. */
	private static final class Direction {

		private final AtomicLong bytes = new AtomicLong();

		private final AtomicLong records = new AtomicLong();

	}

	/**
	 * Returns the port that clients connect to.
	 * @return the port
	 */
	public int port() {
		return this.acceptor.getLocalPort();
	}

	/**
	 * Returns the bytes and records that have passed.
	 * @return the counts
	 */
	public Counts counts() {
		return new Counts(this.requests.bytes.get(), this.requests.records.get(), this.responses.bytes.get(),
				this.responses.records.get());
	}

	private void accept() {
		while (!this.acceptor.isClosed()) {
			try {
				Socket near = keep(this.acceptor.accept());
				Socket far = keep(new Socket(InetAddress.getLoopbackAddress(), this.port));
				start(() -> pass(near, far, this.requests));
				start(() -> pass(far, near, this.responses));
			}
			catch (IOException ignored) {
				// closed, or the next one may connect
			}
		}
	}

	private Socket keep(Socket socket) throws IOException {
		socket.setTcpNoDelay(true);
		this.sockets.add(socket);
		return socket;
	}

	private void pass(Socket from, Socket to, Direction direction) {
		byte[] bytes = new byte[BUFFER];
		RecordHeaders headers = new RecordHeaders();
		try (from; to) {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
				out.write(bytes, 0, count);
				direction.bytes.addAndGet(count);
				if (this.isTls) {
					direction.records.addAndGet(headers.read(bytes, count));
				}
			}
		}
		catch (IOException ignored) {
			// one of the two has ended
		}
	}

	/** Finds the headers of records in a stream. */
	static final class RecordHeaders {

		private final int[] header = new int[HEADER];

		private int known;

		/** Bytes of the body of a record that are still to come. */
		private int rest;

		/** Returns the number of records whose header ends in these bytes. */
		int read(byte[] bytes, int count) {
			int records = 0;
			int at = 0;
			while (at < count) {
				if (this.rest > 0) {
					int skipped = Math.min(this.rest, count - at);
					this.rest -= skipped;
					at += skipped;
					continue;
				}
				this.header[this.known++] = bytes[at++] & 0xff;
				if (this.known == HEADER) {
					this.rest = this.header[HEADER - 2] << 8 | this.header[HEADER - 1];
					this.known = 0;
					records++;
				}
			}
			return records;
		}

	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "record-counter");
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
