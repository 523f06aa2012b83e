package io.rpcboot.benchmarks.streams;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.benchmarks.fork.ForkMain;
import io.rpcboot.benchmarks.fork.ProcessCounters;
import io.rpcboot.benchmarks.fork.Slice;
import io.rpcboot.benchmarks.system.BenchServer;
import org.jspecify.annotations.Nullable;

/**
 * One measured process: {@code server <system>} or {@code client <system> <port>}. It
 * obeys the lines of its standard input and ends with it: {@code begin} and {@code end}
 * (the counters), and in a client
 * {@code run <direction> <streams> <bytes of an element> <elements of a stream>}, which
 * answers the nanoseconds from the first stream to the end of the last one, and then the
 * counters. Every answer is one line.
 */
public final class StreamFork {

	private static final int PATIENCE_SECONDS = 40;

	private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

	private final PrintStream out;

	private final ProcessCounters start = ProcessCounters.atStart();

	private StreamFork(PrintStream out) {
		this.out = out;
	}

	/**
	 * Runs the process.
	 * @param args role, system and for a client the port
	 * @throws Exception if the system cannot start
	 */
	public static void main(String[] args) throws Exception {
		StreamFork fork = new StreamFork(System.out);
		System.setOut(System.err); // text that libraries print is no answer
		StreamSystem system = StreamSystem.of(args[1]);
		if (args[0].equals("server")) {
			try (BenchServer server = system.startServer()) {
				fork.answer(ForkMain.READY, String.valueOf(server.port()));
				fork.obey(null);
			}
		}
		else {
			try (StreamClient client = system.connect(Integer.parseInt(args[2]))) {
				fork.answer(ForkMain.READY, system.name());
				fork.obey(client);
			}
		}
		Runtime.getRuntime().halt(0); // not every system ends its threads
	}

	private void obey(@Nullable StreamClient client) throws IOException {
		String line;
		while ((line = this.in.readLine()) != null) {
			try {
				answer(ForkMain.RESULT, result(client, line.split(" ")));
			}
			catch (Exception ex) {
				ex.printStackTrace(System.err);
				answer(ForkMain.FAILED, ex.toString().replaceAll("\\s+", " "));
			}
		}
	}

	private String result(@Nullable StreamClient client, String[] words) throws Exception {
		return switch (words[0]) {
			case "begin" -> Slice.toLine(ProcessCounters.atStart().since(this.start));
			case "end" -> Slice.toLine(ProcessCounters.atEnd().since(this.start));
			case "run" -> run(Objects.requireNonNull(client, "client"), Direction.of(words[1]),
					Integer.parseInt(words[2]), Integer.parseInt(words[3]), Integer.parseInt(words[4]));
			default -> throw new IllegalArgumentException("command: " + words[0]);
		};
	}

	private static String run(StreamClient client, Direction direction, int streams, int bytes, int count)
			throws Exception {
		ProcessCounters before = ProcessCounters.atStart();
		long begin = System.nanoTime();
		List<CompletableFuture<Long>> open = new ArrayList<>();
		for (int i = 0; i < streams; i++) {
			open.add(client.open(direction, bytes, count));
		}
		for (CompletableFuture<Long> each : open) {
			long sum = each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
			if (sum != (long) bytes * count) {
				throw new IllegalStateException(
						"bytes of a stream: " + sum + " (expected: " + (long) bytes * count + ")");
			}
		}
		long elapsed = System.nanoTime() - begin;
		return elapsed + " " + Slice.toLine(ProcessCounters.atEnd().since(before));
	}

	private void answer(String word, String rest) {
		this.out.println(word + " " + rest);
		this.out.flush();
	}

}
