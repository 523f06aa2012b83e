package io.rpcboot.engine.memory;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.fixture.ChildProcess;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;

/**
 * A server with long results in a process of its own, which ends with its small heap.
 */
final class ReportServer implements AutoCloseable {

	private final ChildProcess process;

	private final int port;

	ReportServer(Dispatch dispatch) throws IOException {
		this.process = ChildProcess.start(
				List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError"),
				ReportServer.class, dispatch.name());
		this.port = Integer.parseInt(this.process.firstAnswer("port"));
	}

	int port() {
		return this.port;
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	@Override
	public void close() {
		this.process.close();
	}

	/**
	 * The process itself. Ends when its input ends.
	 * @param arguments the dispatch
	 */
	public static void main(String[] arguments) throws IOException {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.dispatch(Dispatch.valueOf(arguments[0]))
			.service(Reports.class, new Printer())
			.start()) {
			System.out.println(ChildProcess.MARK + "port " + server.port());
			System.in.read();
		}
	}

	/** A contract. */
	public interface Reports {

		/** Makes a long result, and keeps it for a while before it returns. */
		byte[] print(int length, int millis);

		/** Returns the most calls of {@link #print} that ran at the same time. */
		int most();

	}

	/** Prints. */
	static final class Printer implements Reports {

		private final AtomicInteger running = new AtomicInteger();

		private final AtomicInteger most = new AtomicInteger();

		@Override
		public byte[] print(int length, int millis) {
			this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
			try {
				byte[] report = new byte[length];
				Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
				return report;
			}
			finally {
				this.running.decrementAndGet();
			}
		}

		@Override
		public int most() {
			return this.most.getAndSet(0);
		}

	}

}
