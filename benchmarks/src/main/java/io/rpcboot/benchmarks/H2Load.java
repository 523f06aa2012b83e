package io.rpcboot.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.rpcboot.benchmarks.fork.ProcessCounters;
import io.rpcboot.benchmarks.fork.Slice;

/**
 * Lets {@code h2load} call the echo of the gRPC servers, one connection with 1,024
 * streams: a client that takes so little that it shows what a server can do. Servers take
 * turns.
 */
final class H2Load {

	/** Name of the tool in options. */
	static final String NAME = "h2load";

	/** Every server, and the path of its echo. */
	private static final Map<String, String> PATHS = new LinkedHashMap<>();

	static {
		PATHS.put("ours-h2-loop", "/io.rpcboot.benchmarks.workload.BenchService/Echo");
		PATHS.put("grpc-direct", "/io.rpcboot.benchmarks.Bench/Echo");
		PATHS.put("ours-h2", "/io.rpcboot.benchmarks.workload.BenchService/Echo");
	}

	private static final int REQUESTS = 300_000;

	private static final int STREAMS = 1024;

	private static final int BODY = 128;

	/** Head of the message of gRPC, tag and length of the field, and its bytes. */
	private static final int MESSAGE = 5 + 3 + BODY;

	private static final int WARMUPS = 2;

	private static final int ROUNDS = 3;

	private static final Duration PATIENCE = Duration.ofSeconds(45);

	private static final Pattern SPEED = Pattern.compile("finished in [^,]*, ([0-9.]+) req/s");

	private static final Pattern SUCCEEDED = Pattern.compile("([0-9]+) succeeded");

	private static final Pattern DATA = Pattern.compile("\\(([0-9]+)\\) data");

	private final Environment environment;

	private final Map<String, Fork> servers = new LinkedHashMap<>();

	private final List<Row> rows = new ArrayList<>();

	H2Load(Environment environment) {
		this.environment = environment;
	}

	/**
	 * One server in one round.
	 *
	 * @param system whose server
	 * @param callsPerSecond answered calls
	 * @param cpuMicros processor time of the server for a call
	 * @param allocated bytes on the heap of the server for a call
	 */
	record Row(String system, double callsPerSecond, double cpuMicros, double allocated) {

	}

	/** Whether the tool is there. */
	static boolean isThere() throws InterruptedException {
		try {
			Process process = new ProcessBuilder(NAME, "--version").redirectErrorStream(true).start();
			process.getInputStream().readAllBytes();
			return process.waitFor() == 0;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Run all rounds.
	 * @return one row for each server and round
	 * @throws BenchmarkException if a server fails a call
	 */
	List<Row> run() throws IOException, InterruptedException {
		Path body = this.environment.output().resolve("h2load-body.bin");
		Files.write(body, message());
		try {
			for (String name : PATHS.keySet()) {
				MeasuredSystem system = this.environment.system(name);
				Fork server = Fork.start(this.environment, system, NAME + "-server", "server");
				this.servers.put(name, server);
				server.awaitReady();
			}
			for (int round = -WARMUPS; round < ROUNDS; round++) {
				for (String name : PATHS.keySet()) {
					Row row = turn(name, body);
					if (round >= 0) {
						this.rows.add(row);
					}
				}
			}
			return this.rows;
		}
		finally {
			this.servers.values().forEach(Fork::close);
		}
	}

	private Row turn(String name, Path body) throws IOException, InterruptedException {
		Fork server = Objects.requireNonNull(this.servers.get(name), name);
		ProcessCounters before = Slice.parseCounters(server.ask("begin", PATIENCE));
		Process process = new ProcessBuilder(NAME, "-n", String.valueOf(REQUESTS), "-c", "1", "-m",
				String.valueOf(STREAMS), "-t", "1", "-d", body.toString(), "-H", "content-type: application/grpc", "-H",
				"te: trailers", "http://127.0.0.1:" + server.ready() + PATHS.get(name))
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		ProcessCounters used = Slice.parseCounters(server.ask("end", PATIENCE)).since(before);
		return new Row(name, parse(output), used.cpuNanos() / 1e3 / REQUESTS,
				(double) used.allocatedBytes() / REQUESTS);
	}

	/**
	 * Read what the tool prints. It counts a call that failed as one that succeeded,
	 * since its status is in the trailers; but such an answer has no message.
	 * @return calls per second
	 * @throws BenchmarkException if not every call was answered with a message
	 */
	static double parse(String output) {
		double calls = number(SUCCEEDED, output);
		if (calls != REQUESTS || number(DATA, output) < calls * MESSAGE) {
			throw new BenchmarkException(
					NAME + ": " + output.replaceAll("\\s+", " ") + " (expected: every call answered with a message)");
		}
		return number(SPEED, output);
	}

	/**
	 * The ratios of calls per second within each round, ours with event loops to
	 * grpc-java with a direct executor.
	 * @return NaN of no rounds
	 */
	static Spread ratio(List<Row> rows) {
		double[] ours = calls(rows, "ours-h2-loop");
		double[] grpc = calls(rows, "grpc-direct");
		return Spread
			.of(IntStream.range(0, Math.min(ours.length, grpc.length)).mapToDouble((i) -> ours[i] / grpc[i]).toArray());
	}

	private static double[] calls(List<Row> rows, String system) {
		return rows.stream().filter((row) -> row.system().equals(system)).mapToDouble(Row::callsPerSecond).toArray();
	}

	private static double number(Pattern pattern, String output) {
		Matcher matcher = pattern.matcher(output);
		return matcher.find() ? Double.parseDouble(matcher.group(1)) : -1;
	}

	private static byte[] message() {
		byte[] message = new byte[MESSAGE];
		message[4] = (byte) (MESSAGE - 5); // not compressed, and its length
		message[5] = 1 << 3 | 2; // field 1, with a length
		message[6] = (byte) (BODY | 0x80);
		message[7] = BODY >> 7;
		return message;
	}

}
