package io.rpcboot.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.benchmarks.fork.Slice;
import io.rpcboot.benchmarks.tls.IdleConnections;
import io.rpcboot.benchmarks.tls.RecordCounter;

/**
 * Costs of TLS beside the calls: handshakes, memory of connections that do nothing, and
 * bytes and records of calls. The servers live all the time and take turns.
 */
final class TlsCosts {

	/** Name of this part in options. */
	static final String NAME = "tls-costs";

	private static final int ROUNDS = 3;

	private static final int CONNECTIONS = 1_000;

	private static final Duration HANDSHAKES = Duration.ofSeconds(2);

	/** Before the first handshakes that count; the JDK's code is compiled late. */
	private static final Duration FIRST_HANDSHAKES = Duration.ofSeconds(8);

	private static final Duration WARMUP = Duration.ofSeconds(4);

	private static final Duration COUNTED = Duration.ofSeconds(1);

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/**
	 * The whole heap is resident from the start, so that all that grows is outside of it.
	 */
	private static final List<String> JVM_ARGS = List.of("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch");

	private static final String RESIDENT = "VmRSS:";

	private final Environment environment;

	private final List<Row> rows = new ArrayList<>();

	private final List<Wire> wires = new ArrayList<>();

	TlsCosts(Environment environment) {
		this.environment = environment;
	}

	/**
	 * One server.
	 *
	 * @param system whose server
	 * @param handshakes of a second, each with the first bytes of the server
	 * @param cpuMicros processor time of the server for one of them
	 * @param heapBytes of a connection that does nothing, after a collection
	 * @param otherBytes of such a connection, outside of the heap
	 */
	record Row(String system, Spread handshakes, Spread cpuMicros, double heapBytes, double otherBytes) {

	}

	/**
	 * Calls of one system on the wire.
	 *
	 * @param system client and server
	 * @param scenario the calls
	 * @param perCall bytes and records of one call
	 */
	record Wire(String system, Scenario scenario, RecordCounter.Counts perCall) {

	}

	List<Row> rows() {
		return this.rows;
	}

	List<Wire> wires() {
		return this.wires;
	}

	void run(List<String> systems, List<Scenario> scenarios) throws IOException, InterruptedException {
		Map<String, Fork> servers = new LinkedHashMap<>();
		try {
			for (String name : systems) {
				Fork server = Fork.start(this.environment, system(name), "costs-server", "server");
				servers.put(name, server);
				server.awaitReady();
			}
			Map<String, List<double[]>> handshakes = new LinkedHashMap<>();
			for (int round = 0; round <= ROUNDS; round++) {
				for (Map.Entry<String, Fork> each : servers.entrySet()) {
					double[] turn = handshakes(each.getKey(), each.getValue(),
							(round == 0) ? FIRST_HANDSHAKES : HANDSHAKES);
					if (round > 0) {
						handshakes.computeIfAbsent(each.getKey(), (name) -> new ArrayList<>()).add(turn);
					}
				}
			}
			for (Map.Entry<String, Fork> each : servers.entrySet()) {
				addRow(each.getKey(), each.getValue(), handshakes.getOrDefault(each.getKey(), List.of()));
			}
			for (Map.Entry<String, Fork> each : servers.entrySet()) {
				count(each.getKey(), each.getValue(), scenarios);
			}
		}
		finally {
			servers.values().forEach(Fork::close);
		}
	}

	private MeasuredSystem system(String name) {
		return this.environment.system(name).withJvmArgs(JVM_ARGS);
	}

	private static int port(Fork server) {
		return Integer.parseInt(server.ready());
	}

	/** Returns handshakes of a second, and microseconds of the server for one. */
	private static double[] handshakes(String name, Fork server, Duration length)
			throws IOException, InterruptedException {
		try (IdleConnections connections = new IdleConnections(port(server), MeasuredSystem.isTls(name))) {
			long cpu = Slice.parseCounters(server.ask("begin", PATIENCE)).cpuNanos();
			long begin = System.nanoTime();
			int count = connections.openAndClose(length);
			double seconds = (System.nanoTime() - begin) / 1e9;
			long used = Slice.parseCounters(server.ask("end", PATIENCE)).cpuNanos() - cpu;
			return new double[] { count / seconds, used / 1e3 / Math.max(count, 1) };
		}
	}

	private void addRow(String name, Fork server, List<double[]> turns) throws IOException, InterruptedException {
		try (IdleConnections connections = new IdleConnections(port(server), MeasuredSystem.isTls(name))) {
			long heap = heap(server);
			long other = resident(server);
			connections.open(CONNECTIONS);
			double heapBytes = (double) (heap(server) - heap) / CONNECTIONS;
			double otherBytes = (double) (resident(server) - other) / CONNECTIONS;
			this.rows.add(new Row(name, spread(turns, 0), spread(turns, 1), heapBytes, otherBytes));
		}
	}

	private static Spread spread(List<double[]> turns, int column) {
		return Spread.of(turns.stream().mapToDouble((each) -> each[column]).toArray());
	}

	private static long heap(Fork server) throws InterruptedException {
		return Long.parseLong(server.ask("heap", PATIENCE));
	}

	/**
	 * Returns the bytes of a process that are in memory; 0 where the system does not
	 * tell.
	 */
	private static long resident(Fork process) throws IOException {
		Path status = Path.of("/proc", String.valueOf(process.pid()), "status");
		if (!Files.exists(status)) {
			return 0;
		}
		return Files.readAllLines(status)
			.stream()
			.filter((line) -> line.startsWith(RESIDENT))
			.mapToLong((line) -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
			.findFirst()
			.orElse(0);
	}

	private void count(String name, Fork server, List<Scenario> scenarios) throws IOException, InterruptedException {
		try (RecordCounter counter = new RecordCounter(port(server), MeasuredSystem.isTls(name))) {
			Fork client = Fork.start(this.environment, this.environment.system(name), "costs-client", "client",
					String.valueOf(counter.port()), "1");
			try {
				client.awaitReady();
				for (Scenario scenario : scenarios) {
					run(client, scenario, WARMUP);
					RecordCounter.Counts before = counter.counts();
					double calls = Math.max(run(client, scenario, COUNTED), 1);
					this.wires.add(new Wire(name, scenario, counter.counts().perCall(before, calls)));
				}
			}
			finally {
				client.close();
			}
		}
	}

	private static long run(Fork client, Scenario scenario, Duration length) throws InterruptedException {
		String command = "run " + scenario.call().label() + " " + scenario.load() + " " + length.toMillis();
		return Slice.parse(client.ask(command, length.plus(PATIENCE))).calls();
	}

}
