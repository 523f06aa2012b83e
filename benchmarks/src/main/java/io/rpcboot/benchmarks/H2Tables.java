package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * Measurements of gRPC over HTTP/2 as short tables, to be pasted into the page
 * performance.md of the documentation.
 */
final class H2Tables {

	private static final String FAILED = "failed";

	private static final List<String> LOOP = List.of("ours-h2-loop", "grpc-to-ours-loop", "ours-loop-to-grpc",
			"grpc-direct");

	private static final List<String> DEFAULT = List.of("ours-h2", "grpc-to-ours", "ours-to-grpc", "grpc");

	private static final List<String> QUEUES = List.of("ours-h2", "ours-h2-client", "ours-h2-unqueued");

	private final Results results;

	private final Wire wire;

	private final List<String> lines = new ArrayList<>();

	private H2Tables(Results results, Wire wire) {
		this.results = results;
		this.wire = wire;
	}

	/** Knows what a call is on the wire. */
	interface Wire {

		/** Returns the bytes of a call on the wire; NONE if they were not counted. */
		WireBytes of(String part, Scenario scenario, String system);

	}

	/** The tables of the parts that were measured. */
	static List<String> of(Results results, Wire wire) {
		H2Tables tables = new H2Tables(results, wire);
		tables.addPairs(H2Parts.LOOP, "event loops and direct executors", LOOP);
		tables.addPairs(H2Parts.DEFAULT, "without settings", DEFAULT);
		tables.addQueues();
		tables.addNative();
		return tables.lines;
	}

	private List<ScenarioResult> results(String... parts) {
		return Stream.of(parts).flatMap(this.results::of).toList();
	}

	private void addTitle(String title, String... head) {
		this.lines.addAll(List.of("", title, "", row(List.of(head)), "| --- ".repeat(head.length) + "|"));
	}

	private void addPairs(String part, String title, List<String> systems) {
		List<ScenarioResult> all = results(part);
		if (all.isEmpty()) {
			return;
		}
		addTitle(
				"Calls/s, of grpc-java's in its last column; processor time of a call, client + server, in us: " + title
						+ ".",
				"client → server", "ours → ours", "grpc-java → ours", "ours → grpc-java", "grpc-java → grpc-java");
		String base = systems.get(systems.size() - 1);
		for (ScenarioResult each : all) {
			List<String> cells = new ArrayList<>(List.of(each.scenario().toString()));
			systems.forEach((system) -> cells.add(pair(each, system, base)));
			this.lines.add(row(cells));
		}
	}

	private static String pair(ScenarioResult result, String system, String base) {
		if (!result.turns().containsKey(system)) {
			return FAILED;
		}
		String calls = system.equals(base) ? calls(result, system) : ratio(result, system, base);
		return calls + "; " + both(result, system, Measure.CLIENT_CPU, Measure.SERVER_CPU);
	}

	private void addQueues() {
		List<ScenarioResult> all = results(H2Parts.QUEUE);
		if (all.isEmpty()) {
			return;
		}
		addTitle("Calls/s; segments with data of a call; processor time, client + server, in us.", "write queue",
				"at both sides", "at the client only", "at none: a task, a write and a flush for each call",
				"both sides to none", "client only to none");
		String base = QUEUES.get(QUEUES.size() - 1);
		for (ScenarioResult each : all) {
			List<String> cells = new ArrayList<>(List.of(each.scenario().toString()));
			for (String system : QUEUES) {
				double segments = this.wire.of(each.part(), each.scenario(), system).segments();
				cells.add(each.turns().containsKey(system) ? calls(each, system) + "; " + Numbers.factor(segments)
						+ "; " + both(each, system, Measure.CLIENT_CPU, Measure.SERVER_CPU) : FAILED);
			}
			QUEUES.subList(0, 2).forEach((system) -> cells.add(ratio(each, system, base)));
			this.lines.add(row(cells));
		}
	}

	private void addNative() {
		List<ScenarioResult> all = results(H2Parts.LOOP, H2Parts.DEFAULT, H2Parts.BODIES).stream()
			.filter((each) -> each.scenario().call() == BenchCall.ECHO)
			.toList();
		if (all.isEmpty()) {
			return;
		}
		addTitle(
				"Native and gRPC over HTTP/2, through the whole engine. Processor time, allocated bytes: client + server;"
						+ " on the wire: request + response.",
				"cell", "calls/s native", "gRPC, of native", "CPU us native", "gRPC", "allocated native", "gRPC",
				"bytes native", "gRPC");
		for (ScenarioResult each : all) {
			boolean isLoop = each.part().equals(H2Parts.LOOP);
			String ours = isLoop ? "ours-loop" : "ours";
			String grpc = isLoop ? "ours-h2-loop" : "ours-h2";
			boolean failed = !each.turns().containsKey(grpc);
			this.lines.add(row(List.of(each.scenario() + (isLoop ? ", event loops" : ""), calls(each, ours),
					failed ? FAILED : ratio(each, grpc, ours), both(each, ours, Measure.CLIENT_CPU, Measure.SERVER_CPU),
					both(each, grpc, Measure.CLIENT_CPU, Measure.SERVER_CPU),
					both(each, ours, Measure.CLIENT_ALLOCATED, Measure.SERVER_ALLOCATED),
					both(each, grpc, Measure.CLIENT_ALLOCATED, Measure.SERVER_ALLOCATED), bytes(each, ours),
					bytes(each, grpc))));
		}
	}

	private String bytes(ScenarioResult result, String system) {
		WireBytes count = this.wire.of(result.part(), result.scenario(), system);
		return Numbers.number(count.request()) + " + " + Numbers.number(count.response());
	}

	private static String calls(ScenarioResult result, String system) {
		return Numbers.number(result.median(system, Measure.THROUGHPUT));
	}

	private static String ratio(ScenarioResult result, String system, String base) {
		return Numbers.ratio(Spread.ofRatios(result.turns().getOrDefault(system, List.of()),
				result.turns().getOrDefault(base, List.of()), Measure.THROUGHPUT));
	}

	static String both(ScenarioResult result, String system, Measure client, Measure server) {
		return Numbers.number(result.median(system, client)) + " + " + Numbers.number(result.median(system, server));
	}

	private static String row(List<String> cells) {
		return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
	}

}
