package io.rpcboot.engine.memory;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.fixture.ChildProcess;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.EventLoopOptions;

/** A server in a process of its own with a small heap, which it can be told to fill. */
final class HungryServer implements AutoCloseable {

	private static final Duration ANSWER = Duration.ofSeconds(60);

	private final ChildProcess process;

	private final int port;

	HungryServer(Dispatch dispatch) throws IOException {
		this.process = ChildProcess.start(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
				"-Dio.netty.leakDetection.level=disabled"), HungryServer.class, dispatch.name());
		this.port = Integer.parseInt(this.process.firstAnswer("port"));
	}

	int port() {
		return this.port;
	}

	/** Returns its log so far. */
	String output() {
		return this.process.output();
	}

	/** Returns its log so far, with its present state and threads. */
	String state() {
		this.process.command("state");
		this.process.answer("state", ANSWER);
		return output();
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
		RpcServer server = RpcServer.builder()
			.port(0)
			.eventLoop(EventLoopOptions.defaults().withThreads(1))
			.dispatch(Dispatch.valueOf(arguments[0]))
			.service(Hunger.class, new Eater())
			.start();
		System.out.println(ChildProcess.MARK + "port " + server.port());
		for (int read = System.in.read(); read >= 0; read = System.in.read()) {
			if (read == '\n') {
				tell(server);
			}
		}
		server.close();
	}

	private static void tell(RpcServer server) {
		System.out.println("in flight: " + server.inFlightCalls() + "\n" + server.pool());
		server.connections().forEach(System.out::println);
		Thread.getAllStackTraces().forEach((thread, stack) -> {
			System.out.println("\"" + thread.getName() + "\" " + thread.getState());
			Arrays.stream(stack).forEach((frame) -> System.out.println("\tat " + frame));
		});
		System.out.println(ChildProcess.MARK + "state complete");
	}

	/** A contract. */
	public interface Hunger {

		/** Allocates until nothing is left, and throws. */
		int eat();

		/** The same on another thread, which keeps all of it for a while. */
		void starveOthers(int millis);

		/** Threads of the engine, each with its identity. */
		List<String> threads();

	}

	/** Eats. */
	static final class Eater implements Hunger {

		@Override
		public int eat() {
			List<byte[]> eaten = new ArrayList<>();
			while (true) {
				eaten.add(new byte[1 << 20]);
			}
		}

		@Override
		public void starveOthers(int millis) {
			Thread thread = new Thread(() -> starve(millis), "hungry");
			thread.setDaemon(true);
			thread.start();
		}

		private static void starve(int millis) {
			Object[] eaten = null;
			long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
			for (int size = 1 << 20; System.nanoTime() < end; size = Math.max(64, size / 2)) {
				try {
					while (System.nanoTime() < end) {
						eaten = new Object[] { eaten, new byte[size] };
					}
				}
				catch (OutOfMemoryError ex) {
					LockSupport.parkNanos((size == 64) ? TimeUnit.MILLISECONDS.toNanos(1) : 1);
				}
			}
			if (eaten == null) {
				throw new IllegalStateException("nothing was eaten");
			}
		}

		@Override
		public List<String> threads() {
			return Thread.getAllStackTraces()
				.keySet()
				.stream()
				.filter((thread) -> thread.getName().matches("rpc-server-(loop|acceptor)-\\d+"))
				.map((thread) -> thread.getName() + "@" + thread.getId())
				.sorted()
				.toList();
		}

	}

}
