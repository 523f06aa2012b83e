package io.rpcboot.benchmarks.fork;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.CapacityService;
import io.rpcboot.benchmarks.workload.MeasuredCall;
import io.rpcboot.benchmarks.workload.PayloadEcho;
import io.rpcboot.benchmarks.workload.SleepCall;
import org.jspecify.annotations.Nullable;

/**
 * One measured process: {@code server <system>}, perhaps with the word of a
 * {@link CapacityService}, or {@code client <system> <port> <clients>}, perhaps with the
 * timeout of a call in milliseconds. It obeys the lines of its standard input and ends
 * with it: {@code begin} and {@code end} (the counters as a span begins and ends, so that
 * reading them is not in it), {@code heap}, and in a client
 * {@code run <call> <load> <millis>}, {@code count <call> <threads> <calls>},
 * {@code fire <call> <timeout millis> <millis>} and
 * {@code goodput <load> <millis of a handler> <timeout millis> <millis>}; in a server
 * with a capacity {@code executed}. Every answer is one line.
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

	private final ProcessCounters start = ProcessCounters.atStart();

	private final List<BenchService> services = new ArrayList<>();

	private @Nullable CapacityService capacity;

	private Function<Throwable, String> status = Throwable::toString;

	private ForkMain(PrintStream out) {
		this.out = out;
	}

	/**
	 * Run the process.
	 * @param args role, system and for a client the port and the number of clients
	 * @throws Exception if the system cannot start
	 */
	public static void main(String[] args) throws Exception {
		ForkMain fork = new ForkMain(System.out);
		System.setOut(System.err); // what libraries print is no answer
		RpcSystem system = RpcSystem.of(args[1]);
		if (args[0].equals("server")) {
			fork.serve(system, (args.length > 2) ? CapacityService.of(args[2]) : null);
		}
		else {
			fork.call(system, clients(system, args));
		}
		Runtime.getRuntime().halt(0); // not every system ends its threads
	}

	private void serve(RpcSystem system, @Nullable CapacityService service) throws Exception {
		this.capacity = service;
		try (BenchServer server = (service != null) ? system.startServer(service) : system.startServer()) {
			answer(READY, String.valueOf(server.port()));
			obey();
		}
	}

	private static List<BenchClient> clients(RpcSystem system, String[] args) throws Exception {
		int port = Integer.parseInt(args[2]);
		List<BenchClient> clients = new ArrayList<>();
		for (int i = 0; i < Integer.parseInt(args[3]); i++) {
			clients.add((args.length > 4) ? system.connect(port, Duration.ofMillis(Long.parseLong(args[4])))
					: system.connect(port));
		}
		return clients;
	}

	private void call(RpcSystem system, List<BenchClient> clients) throws Exception {
		this.status = system::status;
		clients.forEach((client) -> this.services.add(client.service()));
		answer(READY,
				Arrays.stream(BenchCall.values())
					.filter(system::supports)
					.map(BenchCall::label)
					.collect(Collectors.joining(",")));
		obey();
		clients.forEach(BenchClient::close);
	}

	private void obey() throws IOException {
		String line;
		while ((line = this.in.readLine()) != null) {
			try {
				answer(RESULT, result(line.split(" ")));
			}
			catch (Exception ex) {
				ex.printStackTrace(System.err);
				answer(FAILED, String.valueOf(ex.getMessage()).replaceAll("\\s+", " "));
			}
		}
	}

	private String result(String[] words) throws Exception {
		return switch (words[0]) {
			case "begin" -> Slice.toLine(ProcessCounters.atStart().since(this.start));
			case "end" -> Slice.toLine(ProcessCounters.atEnd().since(this.start));
			case "heap" -> String.valueOf(ProcessCounters.usedHeap());
			case "run" -> run(LoadSpec.parse(words[2]), call(words), nanos(words[3])).toLine();
			case "count" -> new CountedLoad(Integer.parseInt(words[2]), Integer.parseInt(words[3]))
				.run(this.services.get(0), call(words))
				.toLine();
			case "fire" ->
				new FiringLoad(call(words), nanos(words[2])).run(this.services.get(0), nanos(words[3])).toLine();
			case "goodput" -> new GoodputLoad(LoadSpec.parse(words[1]), new SleepCall(Integer.parseInt(words[2])),
					nanos(words[3]), this.status)
				.run(this.services, nanos(words[4]))
				.toLine();
			case "executed" -> {
				CapacityService service = Objects.requireNonNull(this.capacity, "capacity");
				long running = service.running();
				yield service.executed() + " " + running;
			}
			default -> throw new IllegalArgumentException("command: " + words[0]);
		};
	}

	private Slice run(LoadSpec load, BenchCall call, long nanos) throws Exception {
		MeasuredCall measured = (load.bodyBytes() > 0) ? new PayloadEcho(load.bodyBytes()) : call;
		return Load.of(load).run(this.services, measured, nanos);
	}

	private static BenchCall call(String[] words) {
		return BenchCall.of(words[1]);
	}

	private static long nanos(String millis) {
		return TimeUnit.MILLISECONDS.toNanos(Long.parseLong(millis));
	}

	private void answer(String word, String rest) {
		this.out.println(word + " " + rest);
		this.out.flush();
	}

}
