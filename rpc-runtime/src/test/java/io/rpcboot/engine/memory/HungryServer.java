package io.rpcboot.engine.memory;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.engine.fixture.Eventually;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.EventLoopOptions;

/** A server in a process of its own with a small heap, which it can be told to fill. */
final class HungryServer implements AutoCloseable {

	private static final String END = "## that is all";

	private final Process process;

	private final int port;

	private final StringBuffer output = new StringBuffer();

	HungryServer(Dispatch dispatch) throws IOException {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		this.process = new ProcessBuilder(java, "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
				"-Dio.netty.leakDetection.level=disabled", "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
				HungryServer.class.getName(), dispatch.name())
			.redirectErrorStream(true)
			.start();
		BufferedReader lines = new BufferedReader(
				new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8));
		String line = lines.readLine();
		while (line != null && !line.startsWith("## ")) {
			this.output.append(line).append('\n');
			line = lines.readLine();
		}
		if (line == null) {
			throw new AssertionError("the server process has ended: " + this.output);
		}
		this.port = Integer.parseInt(line.substring(3));
		Thread reader = new Thread(() -> lines.lines().forEach((each) -> this.output.append(each).append('\n')),
				"output-of-hungry-server");
		reader.setDaemon(true);
		reader.start();
	}

	int port() {
		return this.port;
	}

	/** What it has logged so far. */
	String output() {
		return this.output.toString();
	}

	/** What it has logged so far, with its state and threads as they are now. */
	String state() throws IOException {
		this.process.getOutputStream().write('?');
		this.process.getOutputStream().flush();
		Eventually.until("it tells its state", () -> this.output.toString().endsWith(END + '\n'));
		return output();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
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
		System.out.println("## " + server.port());
		while (System.in.read() >= 0) {
			tell(server);
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
		System.out.println(END);
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
