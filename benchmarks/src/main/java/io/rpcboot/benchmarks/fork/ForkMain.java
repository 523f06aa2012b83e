package io.rpcboot.benchmarks.fork;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * One measured process: {@code server <system>} or {@code client <system> <port>}. It
 * obeys the lines of its standard input and ends with it. A server understands
 * {@code counters}; a client {@code run <call> blocking|async <concurrency> <millis>}.
 * Every answer is one line.
 */
public final class ForkMain {

	/** Begins the line that says that the process is ready. */
	public static final String READY = "ready";

	/** Begins a line with a result. */
	public static final String RESULT = "result";

	/** Begins a line that says why there is no result. */
	public static final String FAILED = "failed";

	private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

	private final PrintStream out;

	private ForkMain(PrintStream out) {
		this.out = out;
	}

	/**
	 * Run the process.
	 * @param args role, system and for a client the port
	 * @throws Exception if the system cannot start
	 */
	public static void main(String[] args) throws Exception {
		ForkMain fork = new ForkMain(System.out);
		System.setOut(System.err); // what libraries print is no answer
		RpcSystem system = RpcSystem.of(args[1]);
		if (args[0].equals("server")) {
			fork.serve(system);
		}
		else {
			fork.call(system, Integer.parseInt(args[2]));
		}
	}

	private void serve(RpcSystem system) throws Exception {
		try (BenchServer server = system.startServer()) {
			answer(READY, String.valueOf(server.port()));
			ProcessCounters start = ProcessCounters.atStart();
			while (this.in.readLine() != null) {
				ProcessCounters used = ProcessCounters.atEnd().since(start);
				answer(RESULT, Slice.toLine(used));
			}
		}
	}

	private void call(RpcSystem system, int port) throws Exception {
		try (BenchClient client = system.connect(port)) {
			answer(READY, "");
			String line;
			while ((line = this.in.readLine()) != null) {
				run(client, line.split(" "));
			}
		}
	}

	private void run(BenchClient client, String[] words) throws IOException {
		int concurrency = Integer.parseInt(words[3]);
		Load load = words[2].equals("async") ? new AsyncLoad(concurrency) : new BlockingLoad(concurrency);
		long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[4]));
		try {
			answer(RESULT, load.run(client.service(), BenchCall.of(words[1]), nanos).toLine());
		}
		catch (Exception ex) {
			ex.printStackTrace(System.err);
			answer(FAILED, String.valueOf(ex.getMessage()).replaceAll("\\s+", " "));
		}
	}

	private void answer(String word, String rest) {
		this.out.println(word + " " + rest);
		this.out.flush();
	}

}
