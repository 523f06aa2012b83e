package io.rpcboot.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.registry.Registry;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistry;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistryOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;

/** A server in a process of its own, which can be killed. */
final class ServerProcess implements AutoCloseable {

	private static final String MARK = "## ";

	/**
	 * Begins a name of which the rest is when the call is over, in milliseconds of the
	 * wall clock.
	 */
	static final String UNTIL = "until ";

	private static final String NO_REGISTRY = "-";

	private static final Duration GRACE_PERIOD = Duration.ofSeconds(10);

	private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

	private final Process process;

	private final int port;

	ServerProcess(String connectString, int handlerMicros) throws Exception {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		this.process = new ProcessBuilder(java, "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
				ServerProcess.class.getName(), connectString.isEmpty() ? NO_REGISTRY : connectString,
				String.valueOf(handlerMicros))
			.redirectErrorStream(true)
			.start();
		Thread reader = new Thread(this::read, "output-of-server-process");
		reader.setDaemon(true);
		reader.start();
		this.port = (int) next("port");
	}

	private void read() {
		try (BufferedReader lines = new BufferedReader(
				new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8))) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (line.startsWith(MARK)) {
					this.told.add(line.substring(MARK.length()));
				}
				else {
					System.out.println("server process: " + line);
				}
			}
		}
		catch (IOException ignored) {
			// killed
		}
	}

	private long next(String what) throws InterruptedException {
		String line = this.told.poll(30, TimeUnit.SECONDS);
		if (line == null || !line.startsWith(what + " ")) {
			throw new AssertionError("the server process says '%s' (expected: %s)".formatted(line, what));
		}
		return Long.parseLong(line.substring(what.length() + 1));
	}

	int port() {
		return this.port;
	}

	/** Let it stand still, as a paused container or a debugger does, or go on. */
	void suspend(boolean stands) throws Exception {
		new ProcessBuilder("kill", stands ? "-STOP" : "-CONT", String.valueOf(this.process.pid())).start().waitFor();
	}

	/** As the machine's end. */
	void kill() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
	}

	/** Ask it to end; it drains. */
	void terminate() {
		// Process.destroy() would close its output as well
		this.process.toHandle().destroy();
	}

	/**
	 * Wait for the end that was asked for; returns the one-way calls that it executed.
	 */
	long awaitEnd() throws InterruptedException {
		long oneWayCalls = next("noticed");
		if (next("cut") != 0) {
			throw new AssertionError("calls were cut");
		}
		if (!this.process.waitFor(20, TimeUnit.SECONDS)) {
			throw new AssertionError("the server process does not end");
		}
		return oneWayCalls;
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	/**
	 * The process itself. Ends when its input ends or when it is terminated.
	 * @param arguments connect string or "-", microseconds that a call takes
	 */
	public static void main(String[] arguments) throws IOException {
		long handlerNanos = TimeUnit.MICROSECONDS.toNanos(Long.parseLong(arguments[1]));
		SlowCalls calls = new SlowCalls(handlerNanos);
		RpcServerBuilder builder = RpcServer.builder().port(0).applicationName("victim").service(Calls.class, calls);
		Registry registry = arguments[0].equals(NO_REGISTRY) ? null
				: new ZooKeeperRegistry(ZooKeeperRegistryOptions.defaults(arguments[0]));
		if (registry != null) {
			builder.registry(registry);
		}
		RpcServer server = builder.build().start();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			int cut = server.shutdown(GRACE_PERIOD).cutCalls();
			System.out.println(MARK + "noticed " + calls.noticed.size());
			System.out.println(MARK + "cut " + cut);
			if (registry != null) {
				registry.close();
			}
		}));
		System.out.println(MARK + "port " + server.port());
		while (System.in.read() >= 0) {
			LockSupport.parkNanos(1);
		}
		server.close();
	}

	/** Takes a while for each call. */
	static final class SlowCalls extends CallsImpl {

		private final long nanos;

		SlowCalls(long nanos) {
			this.nanos = nanos;
		}

		/** Calls that began after the time that their name says. */
		private final AtomicInteger late = new AtomicInteger();

		@Override
		public int add(int left, int right) {
			return this.late.get();
		}

		@Override
		public String greet(String name) {
			if (name.startsWith(UNTIL) && System.currentTimeMillis() > Long.parseLong(name.substring(UNTIL.length()))) {
				this.late.incrementAndGet();
			}
			Eventually.passed(System.nanoTime() + this.nanos);
			return super.greet(name);
		}

	}

}
