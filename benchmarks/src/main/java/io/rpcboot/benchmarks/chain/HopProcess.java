package io.rpcboot.benchmarks.chain;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.RpcContext;
import io.rpcboot.server.RpcServer;
import org.jspecify.annotations.Nullable;

/** A process that serves {@link Hop}. It ends with its standard input. */
public final class HopProcess implements AutoCloseable {

	private static final String PORT = "port ";

	private static final int PATIENCE_SECONDS = 10;

	private final Process process;

	private final int port;

	private HopProcess(Process process, int port) {
		this.process = process;
		this.port = port;
	}

	/**
	 * Start one.
	 * @param launcher its Java
	 * @param next port of the process that it calls, 0 for the last one
	 */
	static HopProcess start(Path launcher, int next) throws IOException {
		Process process = new ProcessBuilder(launcher.toString(), "-Xmx128m", "-XX:+UseSerialGC", "-cp",
				System.getProperty("java.class.path"), HopProcess.class.getName(), String.valueOf(next))
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		BufferedReader lines = new BufferedReader(
				new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
		for (String line = lines.readLine(); line != null; line = lines.readLine()) {
			if (line.startsWith(PORT)) {
				drain(lines);
				return new HopProcess(process, Integer.parseInt(line.substring(PORT.length())));
			}
		}
		process.destroyForcibly();
		throw new IllegalStateException("a process has ended before it had a port");
	}

	private static void drain(BufferedReader lines) {
		Thread thread = new Thread(() -> lines.lines().forEach((line) -> {
		}), "output-of-hop");
		thread.setDaemon(true);
		thread.start();
	}

	int port() {
		return this.port;
	}

	@Override
	public void close() {
		try {
			this.process.getOutputStream().close();
			if (this.process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				return;
			}
		}
		catch (IOException ignored) {
			// it has ended
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.process.destroyForcibly();
	}

	/**
	 * The process itself.
	 * @param args port of the next process, 0 for none
	 * @throws IOException if the standard input cannot be read
	 */
	public static void main(String[] args) throws IOException {
		int next = Integer.parseInt(args[0]);
		try (RpcClient client = RpcClient.builder().build()) {
			Hop further = (next == 0) ? null : client.reference(Hop.class,
					ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", next)));
			RpcServer server = RpcServer.builder()
				.port(0)
				.bindAddress("127.0.0.1")
				.service(Hop.class, new Passing(further))
				.start();
			System.out.println(PORT + server.port());
			while (System.in.read() >= 0) {
				LockSupport.parkNanos(1);
			}
			server.close();
		}
	}

	/** The service. */
	private static final class Passing implements Hop {

		private static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

		private final @Nullable Hop next;

		private final Hiccups hiccups = new Hiccups();

		private final Collection<Watch> watches = new ConcurrentLinkedQueue<>();

		Passing(@Nullable Hop next) {
			this.next = next;
		}

		@Override
		public String pass(int chain, List<Integer> pausesMillis) {
			Watch watch = new Watch(chain);
			this.watches.add(watch);
			RpcContext call = RpcContext.current();
			if (call == null) {
				throw new IllegalStateException("there is no context");
			}
			call.onCancel(() -> watch.told = System.nanoTime());
			try {
				Hop further = this.next;
				long pause = (further != null) ? TimeUnit.MILLISECONDS.toNanos(pausesMillis.get(0)) : Long.MAX_VALUE;
				while (!call.isCancelled() && System.nanoTime() - watch.start < pause) {
					LockSupport.parkNanos(BEAT_NANOS);
				}
				if (further == null || call.isCancelled()) {
					watch.asked = System.nanoTime();
					return "nobody waits";
				}
				return further.pass(chain, new ArrayList<>(pausesMillis.subList(1, pausesMillis.size())));
			}
			finally {
				watch.end = System.nanoTime();
			}
		}

		@Override
		public Report report() {
			return new Report(
					this.watches.stream().map(Watch::seen).sorted(Comparator.comparing(Execution::startNanos)).toList(),
					this.hiccups.seen());
		}

	}

	/** One execution. */
	private static final class Watch {

		private final int chain;

		private final long start = System.nanoTime();

		private volatile long told;

		private volatile long asked;

		private volatile long end;

		Watch(int chain) {
			this.chain = chain;
		}

		Hop.Execution seen() {
			return new Hop.Execution(this.chain, this.start, this.told, this.asked, this.end);
		}

	}

}
